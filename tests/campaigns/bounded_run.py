"""Runs one command to its end, inside limits: no output, time or memory of it can harm the campaign."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import processes

# Whoever starts a campaign may ignore some of them, as `nohup` and `&` do; children would inherit that.
STOPPING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
READ_AT_MOST = 4 << 20  # bytes of an output that are judged; the rest stays in its file


@dataclass(frozen=True)
class Limits:
    seconds: float = 120  # ends a hang: ten times what a quiet machine takes, and more
    # name of a resource -> soft and hard limit, as {resource.RLIMIT_AS: 2 << 30}
    resources: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    words: tuple[str, ...]
    code: int  # as subprocess gives it: -N is a death by signal N
    hung: bool
    out: str
    err: str
    out_bytes: int
    seconds: float

    @property
    def text(self) -> str:
        return self.out + self.err

    def told(self) -> str:
        ending = "it did not end" if self.hung else f"exit {self.code}"
        words = [word if len(word) < 60 else "…" + word[-40:] for word in self.words[1:]]
        return f"{' '.join(words)[:300]}: {ending}"


@dataclass
class Command:
    """What to start. `prepare` runs in the child before the program does, with its limits already set."""

    words: Sequence[str | bytes | os.PathLike]
    environment: Mapping[str, str] | Mapping[bytes, bytes]
    folder: Path
    log: Path  # its outputs: LOG.out and LOG.err
    limits: Limits = Limits()
    out: int | None = None  # another standard output
    one_stream: bool = False  # standard error goes where standard output goes, in the order in which it was written
    prepare: Callable[[], None] | None = None
    user: int | None = None


class Started:
    """A command on its way. Its outputs are files, so that neither side waits for the other."""

    def __init__(self, command: Command, mark: str) -> None:
        self.command, self.mark = command, mark
        self.begin = time.monotonic()
        self.out, self.err = (Path(f"{command.log}.{name}") for name in ("out", "err"))
        with open(self.out, "ab") as out, open(self.err, "ab") as err:
            self.process = subprocess.Popen(
                command.words,
                cwd=command.folder,
                env={**command.environment, **processes.marking(mark)},
                stdin=subprocess.DEVNULL,
                stdout=out if command.out is None else command.out,
                stderr=err if not command.one_stream else subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=self.set_limits,  # noqa: PLW1509 (a case has its process to itself: no threads)
                user=command.user,
            )

    def set_limits(self) -> None:
        for number in STOPPING:
            signal.signal(number, signal.SIG_DFL)
        for name, most in self.command.limits.resources.items():
            resource.setrlimit(name, (most, most))
        if self.command.prepare:
            self.command.prepare()

    def wait(self) -> Ended:
        hung = False
        try:
            self.process.wait(timeout=self.command.limits.seconds)
        except subprocess.TimeoutExpired:
            hung = True
            processes.end_marked(self.mark)
            self.process.wait()
        return Ended(
            words=tuple(os.fsdecode(word) for word in self.command.words),
            code=self.process.returncode,
            hung=hung,
            out=head_of(self.out),
            err=head_of(self.err),
            out_bytes=self.out.stat().st_size,
            seconds=time.monotonic() - self.begin,
        )


def head_of(path: Path) -> str:
    """Bytes that are no UTF-8 stay visible as surrogates: a judge of texts can find them."""
    with open(path, "rb") as file:
        return file.read(READ_AT_MOST).decode("utf-8", errors="surrogateescape")

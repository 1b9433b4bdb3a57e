"""One case of a campaign: its seed, its folder, the commands that it runs, and what it found broken."""

from __future__ import annotations

import os
import random
import resource
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import processes
from bounded_run import Command, Ended, Limits, Started
from texts import library_words, own_words, sanitizer_words

# What can be broken, as the tables show it.
KINDS = {
    "torn": "a part of a write can be read, or hinders reading",
    "doubled": "a row stands twice",
    "lost": "what was finished is gone, or cannot be continued",
    "crash": "a program died by a signal that nobody sent",
    "hang": "it did not end",
    "silent": "wrong, and nothing was said",
    "orphan": "a process was left",
    "wrong": "an exit code or a result that must not be",
    "unclear": "a text that does not name what is wrong, or is not for readers",
}

# Beyond this a command that reads has lost its bounds; a quiet one takes a few tens of MiB.
MEMORY_OF_A_READER = 2 << 30


@dataclass(frozen=True)
class Breakage:
    kind: str
    sentence: str


@dataclass(frozen=True)
class Setting:
    """What all cases of a campaign share. `shared`: a folder that the campaign filled before its first case."""

    program: Path
    campaign: str
    seed: int
    shared: Path
    with_memory_limit: bool = True


@dataclass
class Case:
    setting: Setting
    number: int
    folder: Path
    sort: str = "all"  # which line of the detailed table it belongs to
    story: list[str] = field(default_factory=list)  # what was done, for the one who repeats it
    breakages: list[Breakage] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(f"{self.setting.campaign}:{self.setting.seed}:{self.number}")
        self.mark = f"{os.getpid()}-{self.setting.campaign}-{self.setting.seed}-{self.number}"
        self.commands = 0

    def broke(self, kind: str, sentence: str) -> None:
        assert kind in KINDS, kind
        self.breakages.append(Breakage(kind, sentence))

    def tell(self, text: str) -> None:
        self.story.append(text)

    def environment(self) -> dict[str, str]:
        """The home of the campaign holds the probe of this machine: no case waits for one."""
        return {"HOME": str(self.setting.shared / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def reader_limits(self, seconds: float = 120, **more: int) -> Limits:
        """For a command that only reads: `more` are further limits by the name of resource.RLIMIT_NAME."""
        limits = {getattr(resource, f"RLIMIT_{name.upper()}"): most for name, most in more.items()}
        if self.setting.with_memory_limit:
            limits.setdefault(resource.RLIMIT_AS, MEMORY_OF_A_READER)
        return Limits(seconds, limits)

    def command(self, *words: str | bytes | os.PathLike, **changes) -> Command:
        self.commands += 1
        named = next((os.fsdecode(word) for word in words if os.fsdecode(word).isalpha()), "command")
        command = Command(
            words=[self.setting.program, *words],
            environment=self.environment(),
            folder=self.folder,
            log=self.folder / f"{self.commands:02}-{named[:20]}",
        )
        variables: Mapping[str, str] = changes.pop("variables", {})
        return replace(command, environment=dict(command.environment) | variables, **changes)

    def start(self, command: Command) -> Started:
        self.tell("run: " + " ".join(map(os.fsdecode, command.words[1:]))[:500])
        return Started(command, self.mark)

    def run(self, *words: str | bytes | os.PathLike, **changes) -> Ended:
        """Runs it to its end; that it ends by itself, and speaks for readers, is asked of every command."""
        return self.finish(self.start(self.command(*words, **changes)))

    def finish(self, started: Started, may_die_by: int = 0) -> Ended:
        ended = started.wait()
        if ended.hung:
            self.broke("hang", f"{ended.told()} within {started.command.limits.seconds:g} s")
        elif ended.code < 0 and ended.code != -may_die_by:
            self.broke("crash", f"{ended.told()} (died by signal {-ended.code})")
        for word in sanitizer_words(ended.text):
            self.broke("crash", f"{ended.told()}: {word}")
        for word in library_words(own_words(ended.text)):
            self.broke("unclear", f"{ended.told()}: a library speaks: '{word}'")
        return ended

    def require_code(self, ended: Ended, *legal: int) -> None:
        """One that hangs or crashed is said already."""
        if not ended.hung and ended.code >= 0 and ended.code not in legal:
            last = ended.text.strip().rpartition("\n")[2][:300]
            self.broke("wrong", f"{ended.told()}, legal are {', '.join(map(str, legal))}: {last}")

    def require_no_orphan(self, seconds: float = 60) -> None:
        left = processes.left_after(self.mark, seconds)
        if left:
            names = ", ".join(map(processes.name_of, left))
            self.broke("orphan", f"{len(left)} processes live {seconds:g} s after their driver: {names}")
            processes.end_marked(self.mark)

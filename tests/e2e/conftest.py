"""The built commands, run as a user runs them: from another directory, in an environment that holds next to nothing."""

import csv
import gzip
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

PROGRAM = os.environ["DDPBENCH_PROGRAM"]
# What a shell in the background or nohup has told us to ignore, our children would too, and a stop would not stop them.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
LONG_ENOUGH = 900  # seconds, for anything, on a machine that has other work; how soon things end is a proof (tests/proofs)


def nsys_program() -> str | None:
    """Nsight Systems: chosen, installed, or unpacked beside the build by `bootstrap.sh test` (tests/support/get_nsys.sh)."""
    unpacked = Path(PROGRAM).parent.parent / "nsys" / "nsys"
    return os.environ.get("DDPBENCH_NSYS") or shutil.which("nsys") or (str(unpacked) if unpacked.exists() else None)


needs_nsys = pytest.mark.skipif(nsys_program() is None, reason="needs nsys: on PATH, or DDPBENCH_NSYS=PROGRAM")

NULL_EXPERIMENT = """
name = "e2e"
arms = ["raw", "raw_again", "trainer", "injected"]
[axes]
workload = ["null"]
ranks_per_node = [2]
batch_size_per_rank = [4]
[protocol]
launches = 1
"""


class Ddpbench:
    """Runs the program with a home of its own, so that nothing of the user's caches is seen or changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        Path(self.environment["HOME"]).mkdir(exist_ok=True)

    def start(self, *arguments: str | Path, page: bool = False, **environment: str) -> subprocess.Popen:
        """A page takes seconds to draw: `run` and `collectives` leave it out but for a test that looks at it."""
        leaves_out = arguments[0] in ("run", "collectives", "compare") and not page
        return subprocess.Popen(
            [PROGRAM, *map(str, arguments), *(["--tables-only"] if leaves_out else [])],
            cwd=self.folder,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str | Path, page: bool = False, **environment: str) -> subprocess.CompletedProcess:
        process = self.start(*arguments, page=page, **environment)
        out, err = process.communicate(timeout=LONG_ENOUGH)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def paste(self, command: str) -> subprocess.CompletedProcess:
        """What a person does with a command that was printed."""
        return subprocess.run(
            ["sh", "-c", command],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env=self.environment,
            timeout=LONG_ENOUGH,
        )

    def experiment(self, text: str = NULL_EXPERIMENT, protocol: str = "max_super_blocks = 8\nmin_super_blocks = 8") -> Path:
        path = self.folder / "experiment.toml"
        path.write_text(text + protocol + "\n", encoding="utf-8")
        return path

    def interrupt(
        self,
        how: Callable[[subprocess.Popen], None],
        out: Path,
        text: str = NULL_EXPERIMENT,
        arguments: Sequence[str | Path] = (),
        page: bool = False,
        **environment: str,
    ) -> tuple[subprocess.CompletedProcess, float]:
        """Does `how` to a long launch once super-blocks are being measured; what came of it, and in how many seconds."""
        experiment = self.experiment(text, protocol="max_seconds_per_launch = 600")
        process = self.start("run", experiment, "--out", out, *arguments, page=page, **environment)
        wait_until(lambda: bytes_of_parts(out) > 20_000, "super-blocks on disk")
        ranks = ranks_of(process.pid)
        assert len(ranks) == 2
        begin = time.monotonic()
        how(process)
        stdout, stderr = process.communicate(timeout=LONG_ENOUGH)
        seconds = time.monotonic() - begin
        assert [pid for pid in ranks if alive(pid)] == [], "orphans"
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr), seconds


def wait_until(condition: Callable[[], bool], what: str, seconds: float = LONG_ENOUGH, interval: float = 0.05) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"no {what} within {seconds} s"
        time.sleep(interval)


def bytes_of_parts(out: Path) -> int:
    """Written by rank 0 of the launches that run. A folder may go while it is looked through: its launch is committed."""
    try:
        return sum(part.stat().st_size for part in out.rglob("steps.0.csv"))
    except FileNotFoundError:
        return 0


def process_file(pid: int, name: str) -> bytes:
    """A file of /proc; empty of a process that is gone: it may end between its listing and a look at it."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def alive(pid: int) -> bool:
    fields = process_file(pid, "stat").rpartition(b")")[2].split()
    return fields[:1] not in ([], [b"Z"])


def children(pid: int) -> list[int]:
    return [int(child) for child in process_file(pid, f"task/{pid}/children").split()]


def descendants(pid: int) -> list[int]:
    return [found for child in children(pid) for found in [child, *descendants(child)]]


def workers_below(pid: int) -> list[int]:
    return [p for p in descendants(pid) if is_worker(p)]


def is_worker(pid: int) -> bool:
    """The worker, or a Python that hosts arms."""
    return process_file(pid, "comm") == b"ddpbench-worker\n" or b"/ddpbench_arms\0" in process_file(pid, "cmdline")


def ranks_of(pid: int) -> list[int]:
    """The workers below a driver in the order of their ranks, whoever started them."""
    ranks = [(rank, p) for p in workers_below(pid) if (rank := rank_of(p)) is not None]
    return [p for _, p in sorted(ranks)]


def rank_of(pid: int) -> int | None:
    variables = process_file(pid, "environ").split(b"\0")
    return next((int(text[len(b"RANK=") :]) for text in variables if text.startswith(b"RANK=")), None)


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    data = (folder / name).read_bytes()
    text = gzip.decompress(data) if name.endswith(".gz") else data
    return list(csv.DictReader(text.decode().splitlines()))


def check_partial_results(ddpbench, out, status, blocks_in_super_block=4):
    runs = rows(out, "runs.csv")
    assert {run["status"] for run in runs} == {status}
    assert all(run["reason"] for run in runs)
    super_blocks = int(runs[0]["super_blocks"])
    assert super_blocks > 0
    assert len(timed_steps(out)) == super_blocks * blocks_in_super_block * 4 * 2, "only whole super-blocks, of both ranks"
    assert ddpbench.run("verify", out).returncode == 0
    assert (out / "overhead.csv").exists()


def timed_steps(out: Path) -> list[dict[str, str]]:
    return [step for step in rows(out, "steps.csv.gz") if step["super_block"] != "0" and step["discarded"] == "0"]


def kill_one_rank(process: subprocess.Popen) -> None:
    os.kill(ranks_of(process.pid)[1], signal.SIGKILL)


@pytest.fixture
def ddpbench(tmp_path: Path) -> Ddpbench:
    return Ddpbench(tmp_path)


@pytest.fixture(params=["local", "torchrun"])
def launcher(request: pytest.FixtureRequest, ddpbench: Ddpbench) -> str:
    listed = json.loads(ddpbench.run("list", "launchers", "--json").stdout)["launchers"]
    known = {entry["name"]: entry for entry in listed}
    if not known[request.param]["available"]:
        pytest.skip(known[request.param]["why_not"])
    return request.param


@pytest.fixture
def data(ddpbench: Ddpbench) -> Path:
    """A folder of whole CIFAR-10 files of this test's own."""
    folder = ddpbench.folder / "data"
    done = ddpbench.run("data", "make", folder)
    assert done.returncode == 0, done.stderr
    assert ddpbench.run("data", "verify", folder).returncode == 0
    return folder

"""Stops a rank, or all of them, by SIGSTOP at any stage of a launch: it must end, name a rank, and leave a whole folder."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import processes
from bounded_run import Ended, Limits, Started
from case import Case
from results import Results, TornError
from small_run import make_undisturbed, without_page, write_experiment

HANG_TIMEOUT_SECONDS = 3
# Ends the case, not more: how soon a hang is told is a proof's claim.
SECONDS = 180


def prepare(case: Case) -> None:
    make_undisturbed(case, with_page=False, launches=1, super_blocks=60)


def part_bytes(out: Path) -> int:
    return sum(path.stat().st_size for path in out.rglob("steps.0.csv"))


# The stages: whether the launch has come to it.
def has_ranks(run: Started, out: Path) -> bool:
    del out
    return len(processes.ranks_of(run.process.pid)) == 2


def measures(run: Started, out: Path) -> bool:
    del run
    return part_bytes(out) > 4_000


def has_an_outcome(run: Started, out: Path) -> bool:
    del run
    return any(out.rglob("outcome*"))


# stage -> when it begins, and by how much later at most the stop falls, as a share of an undisturbed run
STAGES: dict[str, tuple[Callable[[Started, Path], bool], float]] = {
    "before its first heartbeat": (has_ranks, 0.0),
    "start-up": (has_ranks, 0.5),
    "steps": (measures, 0.3),
    "its end": (has_an_outcome, 0.02),
    "at random": (has_ranks, 0.6),
}


def run_case(case: Case) -> None:
    case.sort = list(STAGES)[case.number % len(STAGES)]
    begins, share = STAGES[case.sort]
    out = case.folder / "out"
    experiment = write_experiment(case.folder, launches=1, super_blocks=60, hang_timeout_seconds=HANG_TIMEOUT_SECONDS)
    command = case.command("run", experiment, "--out", out, variables=without_page(case), limits=Limits(SECONDS))
    run = case.start(command)
    processes.wait_for(lambda: run.process.poll() is not None or begins(run, out), SECONDS, every=0.0005)
    seconds = float((case.setting.shared / "seconds").read_text())
    time.sleep(case.random.uniform(0, share * seconds))
    stopped = stop(case, run)
    ended = case.finish(run)
    case.require_no_orphan()
    if not stopped:
        case.tell("the launch was over before it could be stopped")
        case.sort = "too late"
        return
    if not ended.hung:
        judge(case, out, stopped, ended)


def stop(case: Case, run: Started) -> list[int]:
    """The ranks that do stand still now: one that was ending may be gone."""
    ranks = processes.ranks_of(run.process.pid)
    chosen = ranks if case.random.random() < 0.3 else case.random.sample(ranks, min(1, len(ranks)))
    known = {pid: processes.rank_of(pid) for pid in chosen}
    processes.send(chosen, signal.SIGSTOP)
    stopped = [pid for pid in chosen if processes.wait_for(lambda pid=pid: processes.state_of(pid) in "TZX", 5)]
    stopped = [pid for pid in stopped if processes.state_of(pid) == "T"]
    case.tell(f"stopped ranks {[known[pid] for pid in stopped]} after {time.monotonic() - run.begin:.3f} s")
    return [known[pid] if known[pid] is not None else -1 for pid in stopped]


def judge(case: Case, out: Path, stopped: list[int], ended: Ended) -> None:
    verified = case.run("verify", out, limits=case.reader_limits())
    if verified.code != 0:
        case.broke("torn", f"verify: {verified.out.strip()[:300]}")
    try:
        results = Results.read(out, whole=True)
    except (TornError, OSError) as error:
        case.broke("torn", str(error))
        return
    for sentence in results.doubled():
        case.broke("doubled", sentence)
    reasons = {run["reason"] for run in results.runs if run["status"] != "ok"}
    reasons |= {line for line in ended.text.splitlines() if "not measured: failed" in line}  # of an arm alone, which has no row
    code = ended.code
    if code == 0 or not reasons:
        case.broke("silent", f"a rank stood still to the end, and the run ended with {code} and {len(reasons)} reasons")
    elif code != 1:
        case.broke("wrong", f"exit {code} where a launch failed")
    elif not any(f"rank {rank}" in reason for rank in stopped for reason in reasons):
        case.broke("unclear", f"stopped were ranks {stopped}, and the reason is: {'; '.join(reasons)[:300]}")

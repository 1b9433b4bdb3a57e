"""Ends the driver, ranks or all of them by a signal at any moment, looks at what is left, and continues the run."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import processes
from bounded_run import Ended, Limits, Started
from case import Case
from results import Results, TornError, lost_of, plan_of
from small_run import make_undisturbed, without_page, write_experiment

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
SECONDS = 240  # of any command here; a quiet machine takes five for the longest
STOPPED = 75
# What verify may say of a run that was not finished.
UNFINISHED = ("note: ", "never ran")


def prepare(case: Case) -> None:
    make_undisturbed(case, with_page=False)
    make_page_once(case)


def make_page_once(case: Case) -> None:
    """How long drawing takes here, so that moments within it can be drawn by lot."""
    begin = time.monotonic()
    case.run("report", case.setting.shared / "undisturbed", "--out", case.setting.shared / "page")
    (case.setting.shared / "seconds_of_page").write_text(str(time.monotonic() - begin))


def seconds_of(case: Case, name: str) -> float:
    return float((case.setting.shared / name).read_text())


# The moments. Each returns once the signal is to be sent, or the run has ended.
def at_random(case: Case, run: Started, out: Path) -> None:
    del out
    wait(run, case.random.uniform(0, seconds_of(case, "seconds")))


def while_the_folder_is_made(case: Case, run: Started, out: Path) -> None:
    until(run, out.exists)
    wait(run, case.random.choice([0, case.random.uniform(0, 0.004), case.random.uniform(0, 0.05)]))


def before_the_first_step(case: Case, run: Started, out: Path) -> None:
    del out
    until(run, lambda: bool(processes.ranks_of(run.process.pid)))
    wait(run, case.random.uniform(0, 0.25) * seconds_of(case, "seconds"))


def while_a_launch_is_committed(case: Case, run: Started, out: Path) -> None:
    until(run, (out / "runs.csv").exists)  # before it there is no launch
    for _ in range(case.random.randint(1, 9)):
        seen = state_of_commit(out)
        until(run, lambda seen=seen: commits(out, seen), every=0.0002)
        wait(run, case.random.choice([0, case.random.uniform(0, 0.002), case.random.uniform(0, 0.02)]))


def while_the_page_is_drawn(case: Case, run: Started, out: Path) -> None:
    until(run, lambda: launches_in(out) >= 3)
    wait(run, case.random.uniform(0, seconds_of(case, "seconds_of_page")))


MOMENTS: dict[str, Callable[[Case, Started, Path], None]] = {
    "at random": at_random,
    "commit": while_a_launch_is_committed,
    "before the first step": before_the_first_step,
    "creation": while_the_folder_is_made,
    "page": while_the_page_is_drawn,
}


def until(run: Started, condition: Callable[[], bool], every: float = 0.001) -> None:
    processes.wait_for(lambda: run.process.poll() is not None or condition(), SECONDS, every)


def wait(run: Started, seconds: float) -> None:
    processes.wait_for(lambda: run.process.poll() is not None, seconds)


def state_of_commit(out: Path) -> tuple[int, ...]:
    return tuple(size_of(out / name) for name in ("steps.csv.gz", "blocks.csv.gz"))


def commits(out: Path, seen: tuple[int, ...]) -> bool:
    return state_of_commit(out) != seen or any(".new" in name for name in names_in(out))


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def names_in(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def launches_in(out: Path) -> int:
    try:
        return len({line.partition(",")[0] for line in (out / "runs.csv").read_text().splitlines()[1:]})
    except OSError:
        return 0


def strike(case: Case, run: Started) -> tuple[str, int, bool]:
    """Sends the signal, sometimes twice. Returns whom it was for (the driver, a rank, all ranks, or the group), which it was, and
    whether the driver was ready for it: before its first instruction a program dies of any signal."""
    number = case.random.choice(SIGNALS)
    target = case.random.choice(["driver", "driver", "a rank", "all ranks", "group"])
    ranks = processes.ranks_of(run.process.pid)
    if not ranks:
        target = "group" if target == "group" else "driver"
    everyone = [run.process.pid, *processes.descendants(run.process.pid)]
    case.random.shuffle(everyone)
    one = [case.random.choice(ranks)] if ranks else []
    pids = {"driver": [run.process.pid], "a rank": one, "all ranks": ranks, "group": everyone}[target]
    ready = processes.catches(run.process.pid, number)
    if run.process.poll() is None:
        processes.send(pids, number)
    case.tell(f"{number.name} to {target} after {time.monotonic() - run.begin:.3f} s")
    if number != signal.SIGKILL and target in ("driver", "group") and case.random.random() < 0.2:
        wait(run, case.random.uniform(0, 0.3))
        if run.process.poll() is None:
            processes.send([run.process.pid], number)
        case.tell("and once more")
    return target, number, ready


def run_case(case: Case) -> None:
    moment = list(MOMENTS)[case.number % len(MOMENTS)]
    case.sort = moment
    out = case.folder / "out"
    words = ("run", write_experiment(case.folder), "--out", out)
    variables = {} if moment == "page" else without_page(case)
    disturb(case, moment, words, variables, out)
    for _ in range(case.random.choice([0, 0, 0, 1, 2])):
        disturb(case, "at random", (*words, "--resume"), without_page(case), out)
    before = read_interrupted(case, out)
    ended = case.run(*words, "--resume", variables=without_page(case), limits=Limits(SECONDS))
    if ended.code != 0:
        case.broke("lost", f"cannot be continued: {ended.told()}: {ended.text.strip()[-400:]}")
        return
    case.require_no_orphan()
    judge_finished(case, out, before)


def disturb(case: Case, moment: str, words: tuple, variables: dict[str, str], out: Path) -> None:
    began_whole = (out / "runs.csv").exists()
    run = case.start(case.command(*words, variables=variables, limits=Limits(SECONDS)))
    MOMENTS[moment](case, run, out)
    there = out.exists()
    target, number, ready = strike(case, run)
    ended = case.finish(run, may_die_by=number if dies(target, number, there and ready) else 0)
    judge_exit(case, ended, target, began_whole)
    case.require_no_orphan()


def dies(target: str, number: int, there: bool) -> bool:
    """A driver may die of the signal itself where it cannot be caught, or nothing had begun. A second one kills."""
    return target in ("driver", "group") and (number == signal.SIGKILL or not there)


def judge_exit(case: Case, ended: Ended, target: str, began_whole: bool) -> None:
    legal = {0, STOPPED} if target in ("driver", "group") else {0, 1, STOPPED}
    if not began_whole and "not a results folder" in ended.err:
        return  # a disturbed --resume of a folder that an earlier kill left unmade: judged when it is continued undisturbed
    case.require_code(ended, *legal)


def read_interrupted(case: Case, out: Path) -> Results | None:
    """Looks at the folder as it was left; what it held of finished launches must stay."""
    if not out.exists():
        return None
    made = (out / "manifest.csv").exists()  # the last file of a folder that is made; before it the folder is begun anew
    verified = case.run("verify", out, limits=case.reader_limits())
    case.require_code(verified, 0, 1, *(() if made else (2,)))
    torn = [line for line in verified.out.splitlines() if not any(words in line for words in UNFINISHED)]
    if made and torn and verified.code != 0:
        case.broke("torn", f"verify of what was left: {torn[0][:300]}")
    reported = case.run("report", out, "--tables-only", "--out", case.folder / "tables", limits=case.reader_limits())
    case.require_code(reported, 0, 1, *(() if made else (2,)))
    judge_page(case, out)
    return read(case, out, whole=False) if made else None


def judge_page(case: Case, out: Path) -> None:
    page = out / "report.html"
    if page.exists() and not page.read_text(errors="replace").rstrip().endswith("</html>"):
        case.broke("torn", "report.html ends inside")


def read(case: Case, out: Path, *, whole: bool) -> Results | None:
    try:
        results = Results.read(out, whole=whole)
    except (TornError, OSError) as error:
        case.broke("torn", str(error))
        return None
    for sentence in results.doubled():
        case.broke("doubled", sentence)
    return results


def judge_finished(case: Case, out: Path, before: Results | None) -> None:
    verified = case.run("verify", out, limits=case.reader_limits())
    if verified.code != 0:
        case.broke("torn", f"verify of the finished run: {verified.out.strip()[:300]}")
    after = read(case, out, whole=True)
    if after is None:
        return
    for sentence in lost_of(before, after) if before else []:
        case.broke("lost", sentence)
    undisturbed_folder = case.setting.shared / "undisturbed"
    undisturbed = Results.read(undisturbed_folder, whole=True)
    if plan_of(out) != plan_of(undisturbed_folder):
        case.broke("wrong", "its plan is not the undisturbed run's")
    for what, mine, theirs in (
        ("order", after.order(), undisturbed.order()),
        ("steps and losses", after.work(), undisturbed.work()),
    ):
        if mine != theirs:
            differing = f"{len(mine - theirs)} more, {len(theirs - mine)} fewer"
            case.broke("wrong", f"its {what} are not the undisturbed run's: {differing}")
    if any(".new" in path.name for path in out.rglob("*")) or (out / "parts").exists():
        case.broke("torn", "drafts or parts are left in the finished folder")

#!/usr/bin/env python3
"""Attacks the built program, case after case, and prints what broke as a table.

usage: run.py [--count N | --large] [--seed S] [--program P] [--jobs J] [--case K] [--details] [--keep DIR] [CAMPAIGN…]

Without --count each campaign takes its small number of cases, with --large that of a proof. A case is made from campaign, seed
and its number alone: --case K repeats it. What broke keeps its folder.
Exit codes: 0 nothing broke, 1 something did, 2 the caller's mistake.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import campaigns
import processes
from bounded_run import Command, Limits, Started
from case import MEMORY_OF_A_READER, Case, Setting
from tally import Tally, Verdict, by_sort, markdown, total

ROOT = Path(__file__).resolve().parents[2]
MOST_FOLDERS_KEPT = 100  # of a campaign; beyond them the case's number must do


def arguments_of(words: list[str]) -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw, usage=argparse.SUPPRESS)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--count", type=int)
    size.add_argument("--large", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bin" / "ddpbench")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--case", type=int)
    parser.add_argument("--details", action="store_true", help="a second table, by sorts of cases")
    parser.add_argument("--keep", type=Path, help="folder of what broke (default: a new one among the temporary files)")
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help="which; all where none is named")
    arguments = parser.parse_args(words)
    known = [campaign.name for campaign in campaigns.CAMPAIGNS]
    if unknown := [name for name in arguments.campaigns if name not in known]:
        parser.error(f"unknown campaign '{unknown[0]}' (known: {', '.join(known)})")
    if not arguments.program.is_file():
        parser.error(f"no program at {arguments.program}: build it, or give --program")
    if min(arguments.jobs, arguments.count or 1) < 1:
        parser.error("--count and --jobs must be at least 1")
    if arguments.case is not None and len(arguments.campaigns) != 1:
        parser.error("--case is of one campaign: name it")
    return arguments


def bears_limits(program: Path, folder: Path) -> bool:
    """A sanitizer takes terabytes of addresses: such a program is attacked without a limit of its memory."""
    limits = Limits(60, {resource.RLIMIT_AS: MEMORY_OF_A_READER})
    command = Command([program, "--version"], {}, folder, folder / "version", limits)
    return Started(command, f"{os.getpid()}-version").wait().code == 0


def run_case(setting: Setting, number: int, folder: Path) -> Verdict:
    """In a process of its own among several: a case starts children and limits them."""
    folder.mkdir(parents=True)
    case = Case(setting, number, folder)
    try:
        campaigns.named(setting.campaign).run_case(case)
    except Exception:
        case.broke("wrong", f"the campaign itself broke: {traceback.format_exc()}")
    processes.end_marked(case.mark)
    lines = [f"{breakage.kind}: {breakage.sentence}" for breakage in case.breakages]
    if case.breakages:
        (folder / "story.txt").write_text("\n".join([*case.story, *lines]) + "\n", errors="replace")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return Verdict(number, case.sort, tuple(case.breakages), tuple(case.story), str(folder))


def tell(verdict: Verdict, repeat: str, kept: bool) -> None:
    text = f"BROKE case {verdict.number} ({verdict.sort}): {repeat} --case {verdict.number}\n"
    text += "".join(f"  {line}\n" for line in verdict.story)
    text += "".join(f"  {breakage.kind.upper()}: {breakage.sentence.strip()}\n" for breakage in verdict.breakages)
    text += f"  kept: {verdict.folder}\n" if kept else ""
    print(text.encode("utf-8", errors="backslashreplace").decode(), end="", flush=True)


def run_campaign(name: str, arguments: argparse.Namespace, room: Path) -> list[Verdict]:
    campaign = campaigns.named(name)
    shared = room / name / "shared"
    (shared / "home").mkdir(parents=True)
    program = arguments.program.resolve()
    setting = Setting(program, name, arguments.seed, shared, bears_limits(program, shared))
    preparation = Case(setting, -1, shared)
    campaign.prepare(preparation)
    if preparation.breakages:
        raise RuntimeError(f"{name} could not be prepared: {preparation.breakages}")
    count = arguments.count or (campaign.large if arguments.large else campaign.small)
    numbers = range(count) if arguments.case is None else [arguments.case]
    repeat = f"tests/campaigns/run.py --seed {arguments.seed} {name}"
    return collect(setting, list(numbers), arguments.jobs, repeat)


def collect(setting: Setting, numbers: list[int], jobs: int, repeat: str) -> list[Verdict]:
    verdicts: list[Verdict] = []
    kept = 0
    begin = told = time.monotonic()
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        cases = [pool.submit(run_case, setting, number, setting.shared.parent / f"case-{number}") for number in numbers]
        for done in as_completed(cases):
            verdicts.append(done.result())
            if verdicts[-1].breakages:
                kept += 1
                tell(verdicts[-1], repeat, kept <= MOST_FOLDERS_KEPT)
                if kept > MOST_FOLDERS_KEPT:
                    shutil.rmtree(verdicts[-1].folder, ignore_errors=True)
            if time.monotonic() - told > 60:
                told = time.monotonic()
                passed = f"{len(verdicts)} of {len(numbers)} after {told - begin:.0f} s"
                print(f"{setting.campaign}: {passed}, {kept} broke", flush=True)
    return verdicts


def main(words: list[str]) -> int:
    arguments = arguments_of(words)
    room = Path(tempfile.mkdtemp(prefix="ddpbench-campaign-")) if arguments.keep is None else arguments.keep.resolve()
    os.umask(0o022)
    os.chmod(room, 0o755) if room.exists() else room.mkdir(parents=True)
    tallies: list[Tally] = []
    details = ""
    for name in arguments.campaigns or [campaign.name for campaign in campaigns.CAMPAIGNS]:
        verdicts = run_campaign(name, arguments, room)
        tallies.append(total(name, verdicts))
        if arguments.details:
            details += "\n\n" + markdown(name, by_sort(verdicts))
        if not tallies[-1].broke:
            shutil.rmtree(room / name, ignore_errors=True)
    print(f"\n{markdown('campaign', tallies)}{details}\n\nseed {arguments.seed}; what broke is in {room}")
    broke = any(tally.broke for tally in tallies)
    if not broke and arguments.keep is None:
        shutil.rmtree(room, ignore_errors=True)
    return 1 if broke else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

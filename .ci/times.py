#!/usr/bin/env python3
"""Where the time of CI goes: times.py [--build FOLDER] [--tests PID | COMMAND…]

Without more it prints seconds by stage (of the last .ci/run) and by compiled target (ninja's log). With a command, for
example `ctest --test-dir build --parallel 3`, it runs the command and watches the tests that it starts; with --tests it
watches those of a ctest that runs. For each test it prints seconds, seconds of CPU time, the processes that it saw, and
what went on, looked at ten times a second:

  start    a rank, a launcher or a program younger than two seconds runs: it loads libraries or imports Python's modules
  work     something else of the test runs
  slurm, browser, ranks, program, test    nothing runs; the first of these that is there says what the test waits for
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INTERVAL_S = 0.1
YOUNG_S = 2.0
TICKS = os.sysconf("SC_CLK_TCK")
WAITS = {
    "slurm": re.compile(r"slurm|srun|sbatch|scontrol|squeue|munge"),
    "browser": re.compile(r"chrom"),
    "ranks": re.compile(r"ddpbench-worker|parity_program|_test$|mpirun|torchrun|python"),
    "program": re.compile(r"ddpbench"),
}
COLUMNS = ("start", "work", *WAITS, "test")


class Process:
    """One of /proc, as it is now. Seconds of `cpu` are its own and those of its children that have ended."""

    def __init__(self, pid):
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        name, fields = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
        self.pid, self.name, self.state, self.parent = pid, name, fields[0], int(fields[1])
        self.cpu = sum(map(int, fields[11:15])) / TICKS
        self.age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / TICKS


def processes():
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                found[int(name)] = Process(int(name))
            except (OSError, ValueError):  # it has ended
                continue
    return found


def tree_of(pid, children):
    below = [pid]
    for one in below:
        below += children.get(one, [])
    return below


def moment(root, tree):
    """What a test does now: a column."""
    running = [process for process in tree if process.state in "RD"]
    if any(process is not root and process.age < YOUNG_S for process in running):
        return "start"
    if running:
        return "work"
    names = [process.name for process in tree if process is not root]
    return next((kind for kind, pattern in WAITS.items() if any(map(pattern.search, names))), "test")


class Watched:
    def __init__(self):
        self.seconds = collections.Counter()
        self.cpu, self.seen = 0.0, set()

    def take(self, root, tree, seconds):
        self.seconds[moment(root, tree)] += seconds
        self.cpu = max(self.cpu, sum(process.cpu for process in tree))
        self.seen |= {process.pid for process in tree}


def watch(ctest, tests, still_runs):
    """Seconds of each test of the ctest process `ctest`, by its command line."""
    watched, before = collections.defaultdict(Watched), time.monotonic()
    while still_runs():
        time.sleep(INTERVAL_S)
        now = time.monotonic()
        found, children = processes(), collections.defaultdict(list)
        for process in found.values():
            children[process.parent].append(process.pid)
        for pid in children.get(ctest, []):
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
            except OSError:
                continue
            name = tests.get(tuple(words))
            if name:
                tree = [found[one] for one in tree_of(pid, children) if one in found]
                watched[name].take(found[pid], tree, now - before)
        before = now
    return watched


def tests_of(build):
    """{command: name} of ctest's tests."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return {tuple(test["command"]): test["name"] for test in json.loads(shown.stdout)["tests"] if "command" in test}


def print_tests(watched):
    print(f"{'test':36}{'s':>7}{'CPU s':>7}{'seen':>6}" + "".join(f"{column:>9}" for column in COLUMNS))
    sums = collections.Counter()
    for name, test in sorted(watched.items(), key=lambda item: -sum(item[1].seconds.values())):
        values = {"": sum(test.seconds.values()), "cpu": test.cpu, "seen": len(test.seen), **test.seconds}
        sums.update(values)
        print(row(name, values))
    print(row("all", sums))


def row(name, values):
    parts = "".join(f"{values.get(column, 0):9.0f}" for column in COLUMNS)
    return f"{name:36}{values['']:7.0f}{values['cpu']:7.0f}{values['seen']:6d}{parts}"


def target_of(output):
    of_target = re.search(r"([^/]+)\.dir/", output)
    return of_target[1] if of_target else Path(output).name


def print_targets(build):
    """Seconds of ninja's last build of each output, by target; those of less than a second together."""
    took = {}
    for line in (build / ".ninja_log").read_text(encoding="utf-8").splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        took[output] = (int(end) - int(begin)) / 1000
    by_target, steps = collections.Counter(), collections.Counter()
    for output, seconds in took.items():
        by_target[target_of(output)] += seconds
        steps[target_of(output)] += 1
    print(f"{'target':36}{'s':>7}{'steps':>6}")
    for target, seconds in by_target.most_common():
        if seconds >= 1:
            print(f"{target:36}{seconds:7.1f}{steps[target]:6d}")
    print(f"{'all, one after the other':36}{sum(took.values()):7.1f}{len(took):6d}")


def print_stages(build):
    stages = build / "logs/ci/stages.txt"
    print(stages.read_text(encoding="utf-8") if stages.exists() else "no stages: .ci/run has not run here\n")


def still_runs(pid):
    return lambda: Path(f"/proc/{pid}").exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--tests", type=int, metavar="PID", help="of a ctest that runs")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="a ctest")
    arguments = parser.parse_args()
    if arguments.tests:
        print_tests(watch(arguments.tests, tests_of(arguments.build), still_runs(arguments.tests)))
        return 0
    if arguments.command:
        tests = tests_of(arguments.build)
        process = subprocess.Popen(arguments.command)
        print_tests(watch(process.pid, tests, lambda: process.poll() is None))
        return process.returncode
    print_stages(arguments.build)
    print_targets(arguments.build)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""ddpbench beside plain PyTorch in Python, interleaved on this machine: time to the first step, and the null model's step.

    .venv/bin/python workloads/micro/side_by_side.py [--pairs N] [--ddpbench PATH]

Both sides use the same torch wheel, one thread per process, the null model (linear 3072 -> 10) and the same batch size. Each pair
runs one side after the other, in alternating order; what is printed is the median of the pairs' ratios with the smallest and the
largest, beside the two sides' own medians.
"""

import argparse
import csv
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
BATCH_SIZE = 4
STEPS = 4000

EXPERIMENT = """
name = "side_by_side"
arms = ["raw"]
[axes]
workload = ["null"]
strategy = ["{strategy}"]
ranks_per_node = [{ranks}]
batch_size_per_rank = [{batch_size}]
[protocol]
launches = 1
min_super_blocks = {super_blocks}
max_super_blocks = {super_blocks}
"""


def ddpbench_results(program: Path, ranks: int, super_blocks: int) -> tuple[dict[str, str], list[dict[str, str]]]:
    """One `ddpbench run` in a scratch folder: the row of arm raw, and metrics.csv."""
    with tempfile.TemporaryDirectory() as scratch:
        experiment = Path(scratch, "side_by_side.toml")
        strategy = "single" if ranks == 1 else "ddp"
        experiment.write_text(
            EXPERIMENT.format(strategy=strategy, ranks=ranks, batch_size=BATCH_SIZE, super_blocks=super_blocks)
        )
        out = Path(scratch, "out")
        done = subprocess.run([program, "run", experiment, "--out", out], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{program} run failed with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        with open(out / "runs.csv", encoding="utf-8") as runs, open(out / "metrics.csv", encoding="utf-8") as metrics:
            return next(csv.DictReader(runs)), list(csv.DictReader(metrics))


def ddpbench_first_step(program: Path) -> float:
    _, metrics = ddpbench_results(program, ranks=2, super_blocks=1)
    return max(float(row["value"]) for row in metrics if row["metric"] == "seconds_to_first_step")


def ddpbench_step(program: Path) -> float:
    run, _ = ddpbench_results(program, ranks=1, super_blocks=STEPS // 4)
    return float(run["step_ms_p50"]) / 1e3


def python_run(command: list[str], steps: int) -> dict[str, float]:
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "SIDE_BY_SIDE_BATCH_SIZE": str(BATCH_SIZE),
        "SIDE_BY_SIDE_STEPS": str(steps),
        "SIDE_BY_SIDE_STARTED_UNIX_NS": str(time.time_ns()),
    }
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def python_first_step() -> float:
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    return python_run([*torchrun, str(HERE / "python_null.py")], steps=0)["seconds_to_first_step"]


def python_step() -> float:
    return python_run([sys.executable, str(HERE / "python_null.py")], steps=STEPS)["step_s"]


def pairs(count: int, ours: Callable[[], float], theirs: Callable[[], float]) -> list[tuple[float, float]]:
    measured = []
    for i in range(count):
        if i % 2 == 0:
            mine, other = ours(), theirs()
        else:
            other, mine = theirs(), ours()
        measured.append((mine, other))
    return measured


def report(title: str, unit: str, scale: float, measured: list[tuple[float, float]]) -> None:
    ratios = sorted(mine / other for mine, other in measured)
    ours = statistics.median(mine for mine, _ in measured) * scale
    theirs = statistics.median(other for _, other in measured) * scale
    print(f"{title}: ddpbench {ours:.3g} {unit}, Python {theirs:.3g} {unit} (medians of {len(measured)} pairs)")
    print(f"  ratio {statistics.median(ratios):.3f} [smallest {ratios[0]:.3f}, largest {ratios[-1]:.3f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=7, help="pairs of each comparison (default %(default)s)")
    default = HERE.parents[1] / "build" / "bin" / "ddpbench"
    parser.add_argument("--ddpbench", type=Path, default=default, help="the program (default %(default)s)")
    arguments = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}")
    ddpbench_first_step(arguments.ddpbench)  # both sides' files into the page cache
    python_first_step()
    first = pairs(arguments.pairs, lambda: ddpbench_first_step(arguments.ddpbench), python_first_step)
    report("from the command to the end of the first step, 2 ranks over gloo", "s", 1, first)
    step = pairs(arguments.pairs, lambda: ddpbench_step(arguments.ddpbench), python_step)
    report("step of the null model, one process", "us", 1e6, step)


if __name__ == "__main__":
    main()

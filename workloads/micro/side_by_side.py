#!/usr/bin/env python3
"""ddpbench beside plain PyTorch in Python, interleaved on this machine: time to the first step, and the phases of raw steps.

    .venv/bin/python workloads/micro/side_by_side.py [--pairs N] [--ddpbench PATH] [first_step] [WORKLOAD …]

Both sides use the same torch wheel, one thread per process, the same model, batch and optimizer. Each pair runs one side after
the other, in alternating order; what is printed is the median of the pairs' ratios with its 95 % interval (the extremes below
nine pairs), beside the two sides' own medians. Without a name: all of them.
"""

import argparse
import csv
import gzip
import statistics
import tempfile
from pathlib import Path

import pairs

EXPERIMENT = """
name = "side_by_side"
arms = ["raw"]
[axes]
workload = ["{workload}"]
strategy = ["{strategy}"]
ranks_per_node = [{ranks}]
batch_size_per_rank = [4]
[protocol]
launches = 1
warmup_steps = {warmup_steps}
min_super_blocks = {super_blocks}
max_super_blocks = {super_blocks}
[workload]
data = "constant"
learning_rate = 1e-5
{options}
"""

BATCH_SIZE, BLOCK_STEPS = 4, 4
PHASES = ("forward_s", "backward_s", "optimizer_s", "step_s")

# workload -> timed steps and steps before them: some seconds each
STEPS = {
    "null": (8000, 500),
    "convnet_cifar10": (2000, 100),
    "resnet18_cifar10": (80, 8),
    "resnet50_cifar10": (32, 4),
}


def ddpbench_run(program: Path, folder: Path, **settings: object) -> Path:
    """One `ddpbench run` in a scratch folder; returns its results folder."""
    experiment = folder / "side_by_side.toml"
    options = 'stem = "imagenet"' if str(settings["workload"]).startswith("resnet") else ""
    experiment.write_text(EXPERIMENT.format(options=options, **settings))
    pairs.output_of([program, "run", experiment, "--out", folder / "out"])
    return folder / "out"


def ddpbench_first_step(program: Path) -> float:
    with tempfile.TemporaryDirectory() as scratch:
        settings = {"workload": "null", "strategy": "ddp", "ranks": 2, "super_blocks": 1, "warmup_steps": 1}
        out = ddpbench_run(program, Path(scratch), **settings)
        with open(out / "metrics.csv", encoding="utf-8") as metrics:
            rows = csv.DictReader(metrics)
            return max(float(row["value"]) for row in rows if row["metric"] == "seconds_to_first_step")


def ddpbench_step(program: Path, workload: str) -> dict[str, float]:
    """Medians of the timed steps' phases, seconds."""
    steps, warmup_steps = STEPS[workload]
    with tempfile.TemporaryDirectory() as scratch:
        settings = {"workload": workload, "strategy": "single", "ranks": 1, "warmup_steps": warmup_steps}
        out = ddpbench_run(program, Path(scratch), super_blocks=steps // BLOCK_STEPS, **settings)
        with gzip.open(out / "steps.csv.gz", "rt", encoding="utf-8") as file:
            timed = [row for row in csv.DictReader(file) if row["discarded"] == "0"]
    return {phase: statistics.median(float(row[phase]) for row in timed) for phase in PHASES}


def python_step(workload: str) -> dict[str, float]:
    steps, warmup_steps = STEPS[workload]
    return pairs.python_step(
        *("--workload", workload, "--batch-size", str(BATCH_SIZE)),
        *("--steps", str(steps), "--warmup-steps", str(warmup_steps)),
    )


def compare_first_step(program: Path, count: int) -> None:
    measured = pairs.interleaved(
        count, lambda: ddpbench_first_step(program), lambda: pairs.python_step(ranks=2)["seconds_to_first_step"]
    )
    pairs.report("from the command to the end of the first step, 2 ranks over gloo", "s", 1, measured)


def compare_step(program: Path, count: int, workload: str) -> None:
    measured = pairs.interleaved(count, lambda: ddpbench_step(program, workload), lambda: python_step(workload))
    for phase in PHASES:
        title = f"{workload}, one process, {phase.removesuffix('_s')}"
        pairs.report(title, "us", 1e6, pairs.columns(measured, phase))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"first_step, {', '.join(STEPS)} (default: all)")
    parser.add_argument("--pairs", type=int, default=9, help="pairs of each comparison (default %(default)s)")
    parser.add_argument("--ddpbench", type=Path, default=pairs.DDPBENCH, help="the program (default %(default)s)")
    arguments = parser.parse_args()
    known = ["first_step", *STEPS]
    if unknown := [name for name in arguments.what if name not in known]:
        parser.error(f"unknown: {', '.join(unknown)} (known: {', '.join(known)})")
    pairs.print_machine()
    for name in arguments.what or known:
        if name == "first_step":
            compare_first_step(arguments.ddpbench, arguments.pairs)
        else:
            compare_step(arguments.ddpbench, arguments.pairs, name)


if __name__ == "__main__":
    main()

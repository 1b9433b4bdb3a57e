"""Two sides compared in interleaved pairs: what the side-by-side scripts share."""

import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

HERE = Path(__file__).resolve().parent
DDPBENCH = HERE.parents[1] / "build" / "bin" / "ddpbench"


def interleaved(count: int, ours: Callable[[], T], theirs: Callable[[], T]) -> list[tuple[T, T]]:
    """`count` pairs (ours, theirs); the order within a pair alternates, so that a drift of the host hits both alike."""
    measured = []
    for i in range(count):
        if i % 2 == 0:
            mine, other = ours(), theirs()
        else:
            other, mine = theirs(), ours()
        measured.append((mine, other))
    return measured


def outside_interval(count: int) -> int:
    """How many of `count` sorted values lie beyond each end of the median's 95 % interval (sign test); 0: the extremes."""
    tail, outside = 0.0, 0
    while True:
        tail += math.comb(count, outside) * 0.5**count
        if tail > 0.025:
            return max(0, outside - 1)
        outside += 1


class Ratio:
    """The ratio ours / theirs over pairs: the median and its distribution-free 95 % interval (extremes below nine pairs)."""

    def __init__(self, measured: list[tuple[float, float]]) -> None:
        ratios = sorted(mine / other for mine, other in measured)
        outside = outside_interval(len(ratios))
        self.median, self.low, self.high = statistics.median(ratios), ratios[outside], ratios[-1 - outside]
        self.ours = statistics.median(mine for mine, _ in measured)
        self.theirs = statistics.median(other for _, other in measured)
        self.count = len(ratios)

    def __str__(self) -> str:
        return f"{self.median:.3f} [{self.low:.3f}, {self.high:.3f}]"


def report(title: str, unit: str, scale: float, measured: list[tuple[float, float]]) -> None:
    ratio = Ratio(measured)
    ours, theirs = ratio.ours * scale, ratio.theirs * scale
    print(f"{title}: ddpbench {ours:.3g} {unit}, Python {theirs:.3g} {unit} (medians of {ratio.count} pairs)")
    print(f"  ratio {ratio}", flush=True)


def print_machine() -> None:
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}", flush=True)


def output_of(command: list[str | Path], **environment: str) -> str:
    """What `command` prints; ends this script with its words where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def python_step(*arguments: str, ranks: int = 1) -> dict[str, float]:
    """The JSON line of python_step.py, on one process or as `ranks` ranks of torchrun."""
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks)] if ranks > 1 else []
    command = [sys.executable, *torchrun, str(HERE / "python_step.py"), *arguments]
    printed = output_of(command, OMP_NUM_THREADS="1", STARTED_UNIX_NS=str(time.time_ns()))
    return json.loads(printed.strip().splitlines()[-1])


def columns(measured: list[tuple[dict[str, float], dict[str, float]]], name: str) -> list[tuple[float, float]]:
    """The pairs of one figure out of pairs of figures by name."""
    return [(mine[name], other[name]) for mine, other in measured]

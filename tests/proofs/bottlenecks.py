"""A planted bottleneck is named by the timers and by a trace, in the sentence of the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from conftest import Ddpbench
from finding import Finding
from nodes import PROGRAM, SHARED, Cluster, rows, why_not

RUNS = int(os.environ.get("DDPBENCH_PROOF_BOTTLENECKS", "20"))
EXPERIMENT = """
name = "planted"
arms = {arms}
[axes]
workload = ["{workload}"]
nodes = [{nodes}]
ranks_per_node = [{ranks}]
batch_size_per_rank = [{batch}]
[protocol]
launches = 1
min_super_blocks = 12
max_super_blocks = 12
"""
SYNTHETIC = '[workload]\ndata = "constant"\n'
FROM_FILES = '[workload]\ndata = "cifar"\naugment = true\n'
OWN = '[modules]\nmine = "net.py:Net"\n'
# Of a user's own, with work in a hook of its loop.
MODULE = """
import time

import torch
from lightning.pytorch import LightningModule


def work(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


class Net(LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))

    def on_train_batch_start(self, batch, batch_idx):
        work(0.008)

    def training_step(self, batch, batch_idx):
        return self.layers(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=1e-6)

    def train_dataloader(self):
        return [torch.ones(4, 256)] * 64
"""


@dataclass(frozen=True)
class Bottleneck:
    """What is planted, and what is to be named: a part of the step, of one arm."""

    name: str
    part: str
    workload: str = "null"
    arms: tuple[str, ...] = ("raw", "raw_again")
    batch: int = 4
    lines: str = SYNTHETIC  # of the experiment
    link: tuple[int, int] | None = None  # between two nodes: delay in us, Mbit/s; None: two ranks on this host

    @property
    def arm(self) -> str:
        return self.arms[-1] if self.lines == OWN else self.arms[0]

    def write(self, folder: Path) -> Path:
        nodes, ranks = (1, 2) if self.link is None else (2, 1)
        (folder / "net.py").write_text(MODULE, encoding="utf-8")
        text = EXPERIMENT.format(arms=json.dumps(self.arms), workload=self.workload, nodes=nodes, ranks=ranks, batch=self.batch)
        path = folder / "planted.toml"
        path.write_text(text + self.lines, encoding="utf-8")
        return path


SLOW_LOADER = Bottleneck("a loader that augments 2,048 images in each step", "data", batch=2048, lines=FROM_FILES)
OWN_ARMS = ("py_raw=mine", "py_raw_again=mine", "py_lightning=mine")
HOST = Bottleneck("a hook that works for 8 ms in each step", "host", workload="module", arms=OWN_ARMS, lines=OWN)
SLOW_RANK = Bottleneck("a rank beside two busy processes", "waiting for a slower rank", workload="convnet_cifar10", batch=128)
SLOW_LINK = Bottleneck("a link of 50 Mbit/s", "exposed communication", workload="convnet_cifar10", link=(0, 50))
WAITING = Bottleneck("a link of 5 ms each way", "exposed communication", link=(5000, 1000))

Run = Callable[[Path, Path], subprocess.CompletedProcess]  # of an experiment's file, into a results folder


def names_it(planted: Bottleneck, out: Path) -> tuple[bool, bool]:
    """Whether the timers name it, and whether the trace does: in the tables, and in a sentence."""
    summary = json.loads((out / "tables" / "summary.json").read_text(encoding="utf-8"))
    told = [sentence.partition(" A trace (") for sentence in summary["where"]]

    def named(table: str, sentences: list[str]) -> bool:
        parts = {row["part"] for row in rows(out, table) if row["arm"] == planted.arm and row["is_bottleneck"] == "1"}
        return parts == {planted.part} and any(f" {planted.part}" in sentence for sentence in sentences)

    by_timers = named("tables/step_parts.csv", [timers for timers, _, _ in told])
    return by_timers, named("tables/traced_parts.csv", [trace for _, _, trace in told])


def found_by(planted: Bottleneck, folder: Path, run: Run) -> list[Finding]:
    path = planted.write(folder)
    by_timers = by_trace = 0
    for number in range(RUNS):
        out = folder / f"out{number}"
        done = run(path, out)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])
        timers, trace = names_it(planted, out)
        by_timers, by_trace = by_timers + timers, by_trace + trace
    return [
        Finding(f"{planted.name}: {who} names '{planted.part}'", f"{count} of {RUNS}", "all", count == RUNS)
        for who, count in (("the timers'", by_timers), ("the trace's", by_trace))
    ]


def arguments(path: Path, out: Path) -> list[str | Path]:
    return ["run", path, "--out", out, "--profile", "kineto", "--tables-only"]


def on_this_host(planted: Bottleneck, ddpbench: Ddpbench, **environment: str) -> list[Finding]:
    folder = ddpbench.folder / planted.part.replace(" ", "-")
    folder.mkdir()
    return found_by(planted, folder, lambda path, out: ddpbench.run(*arguments(path, out), page=True, **environment))


def on_two_nodes(planted: Bottleneck) -> list[Finding]:
    if why_not():
        return [Finding(planted.name, why_not(), "a cluster", held=False)]
    with Cluster(nodes=2, shared=SHARED, link=planted.link) as cluster:
        prefix = ["salloc", "--nodes=2", "--exclusive", "--quiet", PROGRAM]
        return found_by(planted, cluster.work, lambda path, out: cluster.run([*prefix, *arguments(path, out)], timeout=1200))


@contextmanager
def one_rank_beside_busy_processes(folder: Path) -> Iterator[Path]:
    """Gives the program of a rank: each has a core, and the second rank's is shared."""
    first, second = sorted(os.sched_getaffinity(0))[:2]
    worker = folder / "worker.sh"
    own = PROGRAM.with_name("ddpbench-worker")
    worker.write_text(f'#!/bin/bash\nexec taskset -c $([ "$RANK" = 1 ] && echo {second} || echo {first}) {own} "$@"\n')
    worker.chmod(0o755)
    computing = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(computing, preexec_fn=lambda: os.sched_setaffinity(0, {second})) for _ in range(2)]
    try:
        yield worker
    finally:
        for process in busy:
            process.kill()
            process.wait()


def planted_bottlenecks(ddpbench: Ddpbench) -> list[Finding]:
    findings = on_this_host(SLOW_LOADER, ddpbench) + on_this_host(HOST, ddpbench)
    with one_rank_beside_busy_processes(ddpbench.folder) as worker:
        findings += on_this_host(SLOW_RANK, ddpbench, DDPBENCH_WORKER=str(worker))
    return findings + on_two_nodes(SLOW_LINK) + on_two_nodes(WAITING)

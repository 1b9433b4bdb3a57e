"""The experiment of tests and proofs on several nodes, and what a run of it wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from cluster import Cluster

EXPERIMENT = """
name = "cluster"
arms = {arms}
[axes]
workload = {workloads}
nodes = {nodes}
ranks_per_node = [{ranks}]
batch_size_per_rank = [4]
[workload]
data = "constant"
[protocol]
launches = {launches}
{protocol}
"""
SITE = """
description  = "the cluster of these tests"
batch_system = "slurm"
launcher     = "srun"
resources    = ["--nodes={nodes}", "--ntasks-per-node={node_ranks}"]
directives   = ["--exclusive"]
[node]
gpus = 0
[limits]
hours = 1
"""
TEN_SECONDS = "max_seconds_per_launch = 10\nmargin_us = 0.001\nmargin_percent = 0.001"  # no interval is so narrow
SHORT = "max_super_blocks = 6\nmin_super_blocks = 6"


def experiment(
    cluster: Cluster, arms: Sequence[str] = ("raw", "raw_again"), nodes: Sequence[int] = (2,), ranks: int = 2, launches: int = 1,
    protocol: str = SHORT, workloads: Sequence[str] = ("null",),
) -> Path:  # fmt: skip
    lists = {"arms": json.dumps(arms), "nodes": json.dumps(nodes), "workloads": json.dumps(workloads)}
    path = cluster.work / "experiment.toml"
    path.write_text(EXPERIMENT.format(ranks=ranks, launches=launches, protocol=protocol, **lists), encoding="utf-8")
    return path


def rows(out: Path, name: str) -> list[dict[str, str]]:
    with open(out / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

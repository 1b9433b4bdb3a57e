"""A cluster for the tests of this folder; skipped with the reason where none can come up."""

import csv
import itertools
import os
from pathlib import Path

import pytest
from cluster import Cluster, why_not

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ["DDPBENCH_PROGRAM"])


@pytest.fixture(scope="session")
def cluster():
    missing = why_not()
    if missing:
        pytest.skip(f"no cluster here: {missing}")
    shared = {folder for folder in (ROOT, PROGRAM.parents[1]) if str(folder).startswith("/tmp/")}
    with Cluster(nodes=4, shared=tuple(shared)) as started:
        yield started


COUNT = itertools.count()


@pytest.fixture
def out(cluster) -> Path:
    """A results folder that no other test has."""
    return cluster.work / f"out{next(COUNT)}"


def in_a_job(cluster, *command, nodes: int = 2, options: tuple[str, ...] = (), **arguments):
    """As a person has it who asked for nodes with salloc: the driver runs outside of them."""
    return cluster.run(["salloc", f"--nodes={nodes}", "--exclusive", "--quiet", *options, *command], **arguments)


EXPERIMENT = """
name = "cluster"
arms = {arms}
[axes]
workload = ["null"]
nodes = {nodes}
ranks_per_node = [{ranks}]
batch_size_per_rank = [4]
[protocol]
launches = {launches}
{protocol}
"""
SHORT = "max_super_blocks = 6\nmin_super_blocks = 6"


def experiment(cluster, arms=("raw", "raw_again"), nodes=(2,), ranks=2, launches=1, protocol=SHORT) -> Path:
    listed = "[" + ", ".join(f'"{arm}"' for arm in arms) + "]"
    text = EXPERIMENT.format(arms=listed, nodes=list(nodes), ranks=ranks, launches=launches, protocol=protocol)
    path = cluster.work / "experiment.toml"
    path.write_text(text, encoding="utf-8")
    return path


def rows(out: Path, name: str) -> list[dict[str, str]]:
    with open(out / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

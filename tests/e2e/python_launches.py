"""Launches with arms in Python, of tests and of proofs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from conftest import Ddpbench

EXPERIMENT = """
name = "python"
arms = {arms}
[axes]
workload = ["{workload}"]
strategy = ["{strategy}"]
precision = ["{precision}"]
ranks_per_node = [{ranks}]
batch_size_per_rank = [4]
[protocol]
launches = {launches}
{protocol}
"""
SHORT = "max_super_blocks = 2\nmin_super_blocks = 2\nwarmup_steps = 1"
ENDLESS = "min_super_blocks = 1000000"
TWO_LANGUAGES = ["raw", "trainer", "py_raw", "py_lightning"]


def experiment(
    arms: list[str], workload: str = "null", strategy: str = "ddp", precision: str = "fp32", ranks: int = 2, protocol: str = "",
    launches: int = 1,
) -> str:  # fmt: skip
    values = {"workload": workload, "strategy": strategy, "precision": precision, "ranks": ranks, "launches": launches}
    return EXPERIMENT.format(arms=json.dumps(arms), protocol=protocol, **values)


def run(
    ddpbench: Ddpbench, text: str, *arguments: str, protocol: str = SHORT, out: str = "out", **environment: str
) -> tuple[subprocess.CompletedProcess, Path]:
    """What the command said, and the results folder."""
    folder = ddpbench.folder / out
    path = ddpbench.experiment(text, protocol)
    return ddpbench.run("run", path, "--out", folder, *arguments, **environment), folder


def python_that(ddpbench, code: str) -> dict[str, str]:
    """Variables under which every Python of the run does `code` first. `when_imported(MODULE, change)`: changes one of ours."""
    folder = ddpbench.folder / "site"
    folder.mkdir()
    head = """
import importlib

import_module = importlib.import_module
changes = {}

def when_imported(name, change):
    changes[name] = change

def imported(name, package=None):
    module = import_module(name, package)
    if name in changes:
        changes.pop(name)(module)
    return module

importlib.import_module = imported
"""
    (folder / "sitecustomize.py").write_text(head + code, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}

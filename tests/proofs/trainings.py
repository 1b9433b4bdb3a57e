"""What is planted around the steps of whole trainings is found, with its size, and named by its part."""

from __future__ import annotations

import csv
from pathlib import Path

from conftest import Ddpbench
from finding import Finding
from python_launches import python_that

EXPERIMENT = """
name = "planted"
arms = ["py_raw", "py_raw_again", "py_lightning"]
training_where = "true"
[axes]
workload = ["convnet_cifar10"]
ranks_per_node = [2]
batch_size_per_rank = [32]
[workload]
learning_rate = 0.05
[protocol]
launches = 5
max_super_blocks = 1
min_super_blocks = 1
epochs = 4
epoch_steps = 30
validation_batches = 5
"""
# In Lightning's training alone; `plant` stands in the callback that is added, or around the save.
PLANTED = """
def plant(module):
    import time

    class Planted(module.Callback):
        def on_train_epoch_end(self, trainer, pl_module):
            time.sleep({boundary} * (trainer.current_epoch + 1))

    save, make = module.ModelCheckpoint._save_checkpoint, module.OfLightning.surroundings

    def slow(self, trainer, path):
        time.sleep({checkpoint})
        save(self, trainer, path)

    def with_planted(self, *arguments):
        surroundings = make(self, *arguments)
        surroundings["callbacks"].append(Planted())
        return surroundings

    module.ModelCheckpoint._save_checkpoint, module.OfLightning.surroundings = slow, with_planted

when_imported("ddpbench_arms.training.lightning", plant)
"""


def planted_in_trainings(ddpbench: Ddpbench) -> list[Finding]:
    return [
        *_found(ddpbench, "checkpoint", {"checkpoint": 0.05, "boundary": 0.0}, "extra_ms", 50.0),
        *_found(ddpbench, "boundary", {"checkpoint": 0.0, "boundary": 0.005}, "growth_ms", 5.0),
    ]


def _found(ddpbench: Ddpbench, part: str, planted: dict[str, float], figure: str, ms: float) -> list[Finding]:
    (ddpbench.folder / part).mkdir()
    folder = Ddpbench(ddpbench.folder / part)
    plain, _ = _run(folder, "plain", python_that(folder, ""))
    (folder.folder / "site" / "sitecustomize.py").unlink()
    (folder.folder / "site").rmdir()
    with_it, told = _run(folder, "planted", python_that(folder, PLANTED.format(**planted)))
    extra = float(with_it[part][figure]) - float(plain[part][figure])
    half = 0.5 * sum(float(rows[part][f"{figure}_hi"]) - float(rows[part][f"{figure}_lo"]) for rows in (plain, with_it))
    claim = f"{ms:g} ms planted in {part} ({figure}): beyond the same without"
    words = "changes from epoch to epoch" if figure == "growth_ms" else f"{part} +"
    return [
        Finding(claim, f"{extra:.1f} ms", f"{ms:g} ms, within {half:.1f}", abs(extra - ms) <= half),
        Finding(f"{part} is named", "named" if words in told and part in told else told, words, words in told and part in told),
    ]


def _run(ddpbench: Ddpbench, out: str, environment: dict[str, str]) -> tuple[dict[str, dict[str, str]], str]:
    """The rows of Lightning's parts, and the sentence about it."""
    folder = ddpbench.folder / out
    done = ddpbench.run("run", ddpbench.experiment(EXPERIMENT, ""), "--out", folder, **environment)
    assert done.returncode == 0, done.stderr
    with Path(folder / "tables" / "whole_trainings.csv").open(encoding="utf-8") as file:
        rows = {row["part"]: row for row in csv.DictReader(file) if row["arm"] == "py_lightning" and not row["call"]}
    return rows, next(line for line in done.stdout.splitlines() if line.startswith("With py_lightning an epoch differs"))

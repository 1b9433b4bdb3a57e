"""Whole trainings behind timed launches: on real ranks, equal in all arms, with what is planted in the part where it is."""

from pathlib import Path

import pytest
import torch
from conftest import rows
from python_launches import experiment, python_that, run

PROTOCOL = """max_super_blocks = 1
min_super_blocks = 1
block_steps = 1
warmup_steps = 1
epochs = 3
epoch_steps = 3
validation_batches = 2
[workload]
learning_rate = 0.05
"""
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def trained(ddpbench, arms, protocol=PROTOCOL, more="", **environment):
    text = 'training_where = "true"' + experiment(arms, workload="convnet_cifar10", protocol=protocol) + more
    return run(ddpbench, text, protocol="", **environment)


def part_of(row):
    """(training, epoch, part) of a metric's name."""
    _, training, epoch, part = row["metric"].split(".", 3)
    return int(training), int(epoch), part


def test_arms_train_whole_and_alike_on_real_ranks(ddpbench):
    (ddpbench.folder / "loop.py").write_text((EXAMPLES / "my_loop.py").read_text(encoding="utf-8"), encoding="utf-8")
    trained_arms = ["py_raw", "py_raw_again", "py_lightning", "py_fabric", "py_accelerate", "py_hf_trainer", "py_loop=mine"]
    trained_arms += ["py_raw+dataloader=1", "py_lightning+messages"]
    trained_arms += [f"{base}+resumed{value}" for base in ("py_raw", "py_lightning") for value in ("", "=4")]
    more = '[loops]\nmine = "loop.py:plain"\n'
    done, out = trained(ddpbench, trained_arms, protocol=f"trainings = 2\n{PROTOCOL}", more=more)
    assert done.returncode == 0, done.stderr
    assert "not measured" not in done.stderr + done.stdout
    for member in (1, 2):
        line = f"py_lightning+messages: Initializing distributed: GLOBAL_RANK: {member - 1}, MEMBER: {member}/2"
        assert done.stderr.count(line) == 2, "in each training, as Lightning says it in processes of its own"
    metrics = rows(out, "metrics.csv")
    steps = [row for row in metrics if row["metric"].startswith("training_s.") and part_of(row)[2] == "steps"]
    assert sorted((row["arm"], row["rank"], *part_of(row)[:2]) for row in steps) == sorted(
        (arm, str(rank), training, epoch) for arm in trained_arms for rank in (0, 1) for training in (1, 2) for epoch in (1, 2, 3)
    )
    accuracies = {row["value"] for row in metrics if row["metric"] == "training_value.2.3.validation_accuracy"}
    assert len({round(float(accuracy), 5) for accuracy in accuracies}) == 1
    losses = {row["value"] for row in metrics if row["metric"] == "training_value.1.3.loss" and row["rank"] == "1"}
    assert len(losses) == 1, "bit for bit, resumed or not"
    for epoch, value in ((1, ""), (2, "=4")):
        resumed = {row["arm"] for row in metrics if row["metric"] == f"training_s.2.{epoch}.resume"}
        assert resumed == {f"{base}+resumed{value}" for base in ("py_raw", "py_lightning")}
    told = {(row["arm"], row["part"]) for row in rows(out, "tables/whole_trainings.csv")}
    assert {(arm, part) for arm in trained_arms for part in ("training", "epoch", "head", "metric", "checkpoint")} <= told
    assert "Whole trainings on convnet_cifar10" in done.stdout


def test_running_statistics_are_those_of_rank_zero_in_every_validation(ddpbench):
    """Each rank's BatchNorm sees its own samples, and a validation takes one rank's."""
    few = PROTOCOL.replace("epochs = 3", "epochs = 2").replace("epoch_steps = 3", "epoch_steps = 2")
    arms = ["py_raw", "py_lightning", "py_hf_trainer"]
    text = 'training_where = "true"' + experiment(arms, workload="resnet18_cifar10", protocol=few)
    done, out = run(ddpbench, text, "--set", "stem=imagenet", protocol="")
    assert done.returncode == 0, done.stderr
    assert any(row["metric"] == "training_s.1.2.validation" for row in rows(out, "metrics.csv"))


PLANTED = """
def plant(module):
    import time
    save = module.ModelCheckpoint._save_checkpoint

    def slow(self, trainer, path):
        time.sleep(0.3)
        save(self, trainer, path)

    module.ModelCheckpoint._save_checkpoint = slow

    class Sleeper(module.Callback):
        def on_train_epoch_end(self, trainer, pl_module):
            time.sleep(0.2 * (trainer.current_epoch + 1))

    make = module.OfLightning.surroundings

    def with_sleeper(self, *arguments):
        surroundings = make(self, *arguments)
        surroundings["callbacks"].append(Sleeper())
        return surroundings

    module.OfLightning.surroundings = with_sleeper

when_imported("ddpbench_arms.training.lightning", plant)
"""


def test_what_stands_in_no_step_is_told_in_its_part(ddpbench):
    done, out = trained(ddpbench, ["py_raw", "py_lightning"], **python_that(ddpbench, PLANTED))
    assert done.returncode == 0, done.stderr
    told = {}
    for row in rows(out, "metrics.csv"):
        if row["metric"].startswith(("training_s.", "training_call_s.")) and row["arm"] == "py_lightning":
            told.setdefault(part_of(row)[1:], []).append(float(row["value"]))
    for epoch, part in ((1, "boundary"), (2, "boundary"), (3, "tail")):
        assert min(told[epoch, f"{part}.Sleeper.on_train_epoch_end"]) >= 0.2 * epoch
        assert min(told[epoch, part]) >= 0.2 * epoch
        assert max(told[epoch, "checkpoint"]) >= 0.3
    table = rows(out, "tables/whole_trainings.csv")
    (checkpoint,) = (row for row in table if (row["arm"], row["part"], row["call"]) == ("py_lightning", "checkpoint", ""))
    assert float(checkpoint["extra_ms"]) > 200, "0.3 s on both ranks, less what the checkpoint by hand takes"


KILLED = """
def plant(module):
    import os
    import shutil
    import signal

    save, saves = module.torch.save, []

    def dies(state, path):
        saves.append(path)
        if len(saves) < 6:  # two arms of two epochs warm up; then the first training's second epoch
            return save(state, path)
        path.write_bytes(b"half")
        shutil.copy(path.parent / "last.pt", KEPT)
        os.kill(os.getpid(), signal.SIGKILL)

    module.torch.save = dies

when_imported("ddpbench_arms.training.by_hand", plant)
"""


def test_a_rank_that_is_killed_in_the_middle_of_a_checkpoint_leaves_the_last_good_one(ddpbench):
    kept = ddpbench.folder / "kept.pt"
    done, out = trained(ddpbench, ["py_raw", "py_raw_again"], **python_that(ddpbench, KILLED.replace("KEPT", repr(str(kept)))))
    assert done.returncode == 1, done.stderr
    assert "rank 0" in done.stderr and "killed" in done.stderr.lower()
    assert torch.load(kept, weights_only=True)["step"] == 3, "of the epoch before"
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}, "what was timed stands"


OTHER = """
def plant(module):
    end = module.LightningTraining.end_epoch

    def changed(self, model, *values):
        if len(self.epochs) == 1:
            next(model.parameters()).data.add_(1e-3)
        end(self, model, *values)

    module.LightningTraining.end_epoch = changed

when_imported("ddpbench_arms.training.lightning", plant)
"""


def test_an_arm_that_trains_another_network_is_told_with_its_epoch(ddpbench):
    done, out = trained(ddpbench, ["py_raw", "py_lightning"], **python_that(ddpbench, OTHER))
    assert done.returncode == 1, done.stderr
    assert "arm 'py_lightning': after epoch 2 the parameters differ from those of py_raw" in done.stderr
    assert not any(row["metric"].startswith("training_s.") for row in rows(out, "metrics.csv"))
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}, "what was timed stands"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["data=constant"], "a whole training needs images of a data set, which this cell has not: leave it out, or set data"),
        (["arms=raw,trainer"], "none of its arms trains whole: must be one of py_raw, "),
        (["epochs=0"], "epochs = 0: must be"),
        (["epochs=1", "arms=py_raw,py_raw+resumed"], "goes on behind half of its epochs, and epochs = 1: must be 2"),
        (["arms=py_raw,py_raw+resumed=9"], "its whole training has 9 steps: resumed must be below 9"),
    ],
)
def test_what_cannot_be_trained_whole_is_refused_before_anything_starts(ddpbench, settings, words):
    text = 'training_where = "true"' + experiment(["py_raw"], workload="convnet_cifar10", protocol=PROTOCOL)
    settings = [word for setting in settings for word in ("--set", setting)]
    done, out = run(ddpbench, text, *settings, protocol="")
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert not Path(out).exists()

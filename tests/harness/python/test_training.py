"""Whole trainings: parts that add up to an epoch, equal results of all arms, and what stands around the steps, named."""

import itertools
import os
import time
from pathlib import Path

import pytest
import torch
from conftest import EVERYTHING_BY_NAME, Session

from ddpbench_arms.training.parts import PARTS, RESUME, VALIDATED, Parts
from ddpbench_arms.training.plan import IsEnough

PLAN = {"is_warm_up": False, "epochs": 3, "steps": 2, "validation_batches": 2, "patience": 0, "injected_s": 0.0, "resume_step": 0}
BASES = ["py_raw", "py_raw_again", "py_raw_item", "py_injected", "py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer"]
BASES += ["py_loop=by_name"]
BASES_OF = {"+typical": ["py_raw", "py_lightning+typical"], "+clip=1": ["py_raw+clip=1", "py_hf_trainer+typical"]}


class Ticks:
    """Is a clock that only the test moves."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_the_parts_of_an_epoch_add_up_to_its_time():
    clock = Ticks()
    parts = Parts(clock)

    def pass_(seconds):
        clock.now += seconds

    pass_(1)
    for _ in range(2):
        parts.begin_epoch()
        pass_(10)
        parts.to("boundary")
        with parts.within("validation"):
            pass_(3)
            with parts.within("metric"):
                pass_(0.5)
        with parts.left_out():
            pass_(100)
        pass_(0.25)
        parts.add_call("Mine.on_train_epoch_end", "boundary", 0.25)
        parts.add_call("Short.on_train_epoch_end", "boundary", 0.00005)
        with parts.within("checkpoint"):
            pass_(2)
    with parts.within("test"):
        pass_(4)
    parts.end()
    rows = parts.rows()
    assert [row for row in rows if row[0] == 1] == [
        (1, "head", "", 1.0),
        (1, "steps", "", 10.0),
        (1, "boundary", "", 0.25),
        (1, "validation", "", 3.0),
        (1, "metric", "", 0.5),
        (1, "checkpoint", "", 2.0),
        (1, "validated", "", 14.5),
        (1, "boundary", "Mine.on_train_epoch_end", 0.25),
    ]
    last = {(part, call): seconds for epoch, part, call, seconds in rows if epoch == 2}
    assert last[("tail", "")] == 0.25 and last[("tail", "Mine.on_train_epoch_end")] == 0.25 and last[("test", "")] == 4.0
    assert ("boundary", "") not in last
    assert last[("validated", "")] == 14.5 + 2.25 + 13.5
    whole = sum(seconds for _, part, call, seconds in rows if not call and part != "validated")
    assert whole == clock.now - 200


@pytest.mark.parametrize(
    ("patience", "losses", "end"),
    [
        (0, [3, float("nan"), 3], None),
        (9, [3, float("inf")], 2),
        (1, [3, 2, 2], 3),
        (2, [3, 4, 2.5, 2.6, 2.5], 5),
        (2, [3, 4, 2], None),
    ],
)
def test_a_training_ends_behind_epochs_without_a_smaller_loss(patience, losses, end):
    enough = IsEnough(patience)
    ended = [number for number, loss in enumerate(losses, start=1) if enough.after(loss)]
    assert ended[:1] == ([] if end is None else [end])


@pytest.fixture
def train(runtime, request_of):
    def train_(name, plan=None, session=None, **options):
        return runtime.train(request_of(name, network="convnet", session=session or Session(), **options), PLAN | (plan or {}))

    return train_


def parts_of(result, part):
    return [seconds for _, name, call, seconds in result["parts"] if (name, call) == (part, "")]


@pytest.mark.parametrize("features", ["", "+accumulate=2+clip=1", "+dataloader=0", *BASES_OF])
def test_arms_train_alike_to_the_last_epoch(train, features):
    values = {}
    bases = BASES_OF.get(features, [f"{base}{features}" for base in BASES])
    for base in bases:
        session = Session(accumulate=2, clip_norm=1.0) if "clip" in features else Session()
        result = train(base, session=session)
        assert len(result["epochs"]) == 3
        assert session.drawn == 3 * 2 * session.accumulate, base
        values[base] = result
    reference = next(iter(values.values()))
    assert len({epoch["digest"] for epoch in reference["epochs"]}) == 3
    for base, result in values.items():
        for mine, must in zip(result["epochs"], reference["epochs"], strict=True):
            assert mine["digest"] == must["digest"], base
            assert mine["loss"] == must["loss"], base
            assert mine["validation_accuracy"] == pytest.approx(must["validation_accuracy"], abs=1e-6), base
            assert mine["validation_loss"] == pytest.approx(must["validation_loss"], rel=1e-5), base
        assert result["test_accuracy"] == pytest.approx(reference["test_accuracy"], abs=1e-6), base


def test_a_loop_that_sets_the_learning_rate_is_told_so(train, tmp_path):
    told = "        report(loss)"
    loop = EVERYTHING_BY_NAME.replace(told, f"        optimizer.param_groups[0]['lr'] = 0.001\n{told}")
    (tmp_path / "own_rate.py").write_text(loop, encoding="utf-8")
    own_code = {"loop": {"own_rate": f"{tmp_path / 'own_rate.py'}:train"}}
    with pytest.raises(Exception, match="has set the learning rate to 0.001 where the schedule of the training has 0.0005"):
        train("py_loop=own_rate", own_code=own_code)


@pytest.mark.parametrize("base", ["py_raw", "py_lightning", "py_lightning+typical", "py_hf_trainer", "py_hf_trainer+typical"])
def test_every_part_is_there_in_each_epoch(train, base):
    result = train(base)
    assert len(parts_of(result, "steps")) == len(parts_of(result, "validation")) == 3
    assert len(parts_of(result, "metric")) == len(parts_of(result, "checkpoint")) == 3
    assert len(parts_of(result, "boundary")) == 2
    for part in ("head", "tail", "test"):
        assert len(parts_of(result, part)) == 1
    assert all(seconds > 0 for _, _, call, seconds in result["parts"] if not call)
    assert {part for _, part, _, _ in result["parts"]} == {*PARTS, VALIDATED} - {RESUME}
    assert parts_of(result, VALIDATED) == sorted(parts_of(result, VALIDATED)) and len(parts_of(result, VALIDATED)) == 3


def test_a_training_that_does_not_improve_ends_early_in_every_arm(train):
    ends = {}
    for base in ("py_raw", "py_lightning", "py_hf_trainer"):
        session = Session()
        session.batches = [(images, (labels + number) % 10) for number, (images, labels) in enumerate(session.batches)]
        ends[base] = len(train(base, {"epochs": 60, "patience": 2}, session=session)["epochs"])
    assert len(set(ends.values())) == 1
    assert ends["py_raw"] < 60, "noise cannot be learnt"


def test_a_training_that_diverges_ends_at_once_in_every_arm(train):
    ends = set()
    for base in ("py_raw", "py_lightning", "py_hf_trainer"):
        session = Session()
        session.batches = [(images * 1e30, labels) for images, labels in session.batches]
        ends.add(len(train(base, {"epochs": 9, "patience": 4}, session=session)["epochs"]))
    assert ends == {1}


def test_a_delay_of_the_positive_control_stands_in_the_steps(train):
    delayed = train("py_injected", {"injected_s": 0.2})
    assert min(parts_of(delayed, "steps")) >= 2 * 0.2


def test_a_checkpoint_has_one_writer_and_the_last_good_one_stays(train, monkeypatch):
    """A second save that dies in the middle leaves the first one whole."""
    seen = []
    save = torch.save
    count = itertools.count(1)

    def dies_second(state, path):
        if next(count) == 2:
            Path(path).write_bytes(b"half")
            raise OSError("killed")
        save(state, path)

    monkeypatch.setattr(torch, "save", dies_second)
    monkeypatch.setattr("shutil.rmtree", lambda folder, **_: seen.append(torch.load(folder / "last.pt")))
    with pytest.raises(OSError, match="killed"):
        train("py_raw")
    (checkpoint,) = seen
    assert checkpoint["step"] == 2
    assert set(checkpoint) == {"step", "model", "optimizer", "schedule", "patience", "scaler"}


@pytest.mark.parametrize("base", ["py_raw", "py_fabric", "py_accelerate", "py_lightning", "py_lightning+typical"])
@pytest.mark.parametrize("epochs", [2, 5])
def test_a_training_that_resumes_is_that_which_was_not_interrupted(train, base, epochs):
    whole = train(base, {"epochs": epochs})
    resumed = train(f"{base}+resumed=0", {"epochs": epochs, "resume_step": epochs // 2 * PLAN["steps"]})
    assert resumed["epochs"] == whole["epochs"], "parameters, losses and metrics of each epoch"
    assert resumed["test_accuracy"] == whole["test_accuracy"]
    (behind,) = {epoch for epoch, part, call, _ in resumed["parts"] if (part, call) == (RESUME, "")}
    assert behind == epochs // 2


def test_a_training_that_resumes_ends_early_where_the_other_one_does(train):
    ends = set()
    for base, step in (("py_raw", 0), ("py_raw+resumed=0", 20), ("py_lightning+resumed=0", 20), ("py_lightning+resumed=5", 5)):
        session = Session()
        session.batches = [(images, (labels + number) % 10) for number, (images, labels) in enumerate(session.batches)]
        plan = {"epochs": 20, "patience": 2, "resume_step": step}
        ends.add(len(train(base, plan, session=session)["epochs"]))
    assert len(ends) == 1


STEPS_OF_TEN = [1, 2, 3, 5, 6, 8, 9, 11, 13, 14]  # of 15, some at an epoch's end


@pytest.mark.parametrize("base", ["py_raw", "py_fabric", "py_accelerate", "py_lightning", "py_raw+dataloader=0"])
def test_a_training_that_resumes_at_any_step_is_that_which_was_not_interrupted(train, base):
    """Within an epoch the position of the data counts, too."""
    sizes = {"epochs": 3, "steps": 5}
    whole = train(base, sizes)
    for step in STEPS_OF_TEN:
        resumed = train(f"{base}+resumed={step}", sizes | {"resume_step": step})
        assert resumed["epochs"] == whole["epochs"], step
        assert resumed["test_accuracy"] == whole["test_accuracy"], step
        told = [epoch for epoch, part, call, _ in resumed["parts"] if (part, call) == (RESUME, "")]
        assert told == [(step - 1) // 5 + 1], "once, in the epoch whose step was the last before"


def test_a_training_of_micro_batches_resumes_within_an_epoch(train):
    sizes = {"epochs": 2, "steps": 3}
    for base in ("py_raw+accumulate=2", "py_lightning+accumulate=2"):
        whole = train(base, sizes, session=Session(accumulate=2))
        resumed = train(f"{base}+resumed=4", sizes | {"resume_step": 4}, session=Session(accumulate=2))
        assert resumed["epochs"] == whole["epochs"], base


def test_what_a_callback_takes_at_an_epochs_end_is_named(train, monkeypatch):
    from lightning.pytorch.callbacks import Callback

    from ddpbench_arms.training import lightning

    class Sleeper(Callback):
        def on_train_epoch_end(self, trainer, pl_module):
            time.sleep(0.05)

    make = lightning.OfLightning.surroundings

    def with_sleeper(self, *arguments):
        surroundings = make(self, *arguments)
        surroundings["callbacks"].append(Sleeper())
        return surroundings

    monkeypatch.setattr(lightning.OfLightning, "surroundings", with_sleeper)
    result = train("py_lightning")
    told = {(epoch, part): seconds for epoch, part, call, seconds in result["parts"] if call == "Sleeper.on_train_epoch_end"}
    assert set(told) == {(1, "boundary"), (2, "boundary"), (3, "tail")}
    assert min(told.values()) >= 0.05
    assert not any("Clock" in call for _, _, call, _ in result["parts"])


@pytest.mark.parametrize("base", ["py_lightning+typical", "py_hf_trainer+typical"])
def test_nothing_is_left_of_a_training(train, tmp_path, base):
    train(base)
    assert not os.listdir(tmp_path / "trainings")
    assert not [path for path in tmp_path.rglob("*checkpoint*") if path.is_dir()]


def test_lightning_says_what_it_says_to_its_users(train, capfd, caplog):
    """Devices, each rank, the backend, the table of parameters, the end, and the results of the test."""
    train("py_lightning", {"epochs": 2})
    train("py_lightning+messages", {"epochs": 2, "is_warm_up": True})
    quiet = capfd.readouterr()
    assert "GPU available" not in quiet.err and "Test metric" not in quiet.out
    result = train("py_lightning+messages", {"epochs": 2})
    told = "".join(capfd.readouterr()) + caplog.text
    for words in (
        "GPU available: False, used: False",
        "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/1",
        "distributed_backend=gloo\nAll distributed processes registered. Starting with 1 processes",
        "ConvNet",
        "Trainable params",
        "`Trainer.fit` stopped: `max_epochs=2` reached",
        "test_accuracy",
    ):
        assert words in told, words
    digests = [[epoch["digest"] for epoch in one["epochs"]] for one in (result, train("py_raw", {"epochs": 2}))]
    assert digests[0] == digests[1]

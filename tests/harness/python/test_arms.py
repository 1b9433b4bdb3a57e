"""Every arm by itself, without the harness: equal work, and nothing left behind for the arm that comes next."""

import gc
import os
import random
import re
import signal
import sys
import threading
from importlib.metadata import version
from pathlib import Path

import pytest
import torch
from conftest import Session
from torch.utils._python_dispatch import TorchDispatchMode

from ddpbench_arms import table

ARMS = [name if name != "py_loop" else "py_loop=by_name" for name in table.ARMS]
ARMS += ["py_lightning+typical", "py_lightning+everything", "py_fabric+gather", "py_accelerate+gather"]
ARMS += ["py_lightning+gather+rank_zero"]
SIGNAL_MASKS = re.compile(r"^Sig(?:Blk|Ign|Cgt):.*$", re.MULTILINE)


def surroundings():
    """What an arm could change for the arms beside it, in its thread and in its process."""
    return {
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "autocast": (torch.is_autocast_enabled("cpu"), torch.is_autocast_cache_enabled()),
        "autocast dtype": torch.get_autocast_dtype("cpu"),
        "anomaly mode": torch.is_anomaly_enabled(),
        "default dtype": torch.get_default_dtype(),
        "default device": torch.get_default_device(),
        "torch RNG": torch.get_rng_state().numpy().tobytes(),
        "random": random.getstate(),
        "deterministic": (torch.are_deterministic_algorithms_enabled(), torch.get_deterministic_debug_mode()),
        "cudnn": (torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic, torch.backends.cudnn.allow_tf32),
        "matmul": torch.get_float32_matmul_precision(),
        "threads": torch.get_num_threads(),
        "gc": (gc.isenabled(), gc.get_threshold()),
        "environ": dict(os.environ),
        "signals": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "signals of the process": SIGNAL_MASKS.findall(Path("/proc/self/status").read_text(encoding="utf-8")),
        "working directory": os.getcwd(),
        "streams": (sys.stdout, sys.stderr, sys.excepthook),
        "threads of Python": threading.active_count(),
    }


def difference(before, after):
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


@pytest.fixture(scope="module", autouse=True)
def _frameworks_are_imported():
    torch.set_num_threads(1)
    for entry in table.ARMS.values():
        __import__(entry.module)


@pytest.mark.parametrize("precision", ["fp32", "amp_bf16"])
@pytest.mark.parametrize("strategy", ["single", "ddp"])
@pytest.mark.parametrize("name", ARMS)
def test_nothing_is_left_at_any_switch(make_arm, name, strategy, precision):
    make_arm(name, strategy=strategy, precision=precision).step()  # what an import or a first use does once is done
    before = surroundings()
    arm = make_arm(name, strategy=strategy, precision=precision)
    # TensorBoard's writer has a thread, which sleeps until something is written.
    own = {"threads of Python"} if name.endswith("everything") else set()
    assert difference(before, surroundings()).keys() == own, "behind the head"
    for _ in range(3):
        arm.step()
        assert difference(before, surroundings()).keys() == own, "behind a step"
    arm.close()
    assert difference(before, surroundings()) == {}, "behind the end"


def test_a_cut_inside_the_step_would_be_found(make_arm, monkeypatch):
    """The check above does find what a cut anywhere else than at the fetch leaves open."""
    from ddpbench_arms import modules

    forward = modules.Module.training_step

    def cut_in_here(module, batch, batch_idx):
        arms[-1].loop.caller.switch()
        return forward(module, batch, batch_idx)

    arms = [make_arm("py_lightning", precision="amp_bf16")]
    arms[0].step()
    before = surroundings()
    monkeypatch.setattr(modules.Module, "training_step", cut_in_here)
    arms[0].loop.advance()
    assert "autocast" in difference(before, surroundings())
    arms[0].loop.advance()


@pytest.mark.parametrize("network", ["null", "convnet", "resnet18"])
@pytest.mark.parametrize("precision", ["fp32", "amp_bf16"])
def test_every_arm_does_the_same_work(make_arm, network, precision):
    works = {}
    for name in ARMS:
        arm = make_arm(name, network=network, precision=precision)
        losses = [arm.step().item() for _ in range(4)]
        works[name] = losses, [tensor.detach().clone() for tensor in arm.state()]
    reference = works.pop("py_raw")
    for name, (losses, state) in works.items():
        assert losses == reference[0], name
        assert len(state) == len(reference[1]) and all(map(torch.equal, state, reference[1])), name


@pytest.mark.parametrize("strategy", ["single", "ddp"])
@pytest.mark.parametrize(("accumulate", "clip_norm"), [(3, 0.0), (1, 0.05), (2, 0.05)])
def test_micro_batches_and_clipping_are_each_frameworks_own_and_the_same(make_arm, strategy, accumulate, clip_norm):
    works = {}
    for name in ARMS:
        arm = make_arm(name, network="convnet", strategy=strategy, session=Session(accumulate, clip_norm))
        losses = [arm.step().item() for _ in range(3)]
        works[name] = losses, [tensor.detach().clone() for tensor in arm.replicated_state()]
    reference = works.pop("py_raw")
    for name, (losses, state) in works.items():
        assert losses == reference[0], name
        assert all(map(torch.equal, state, reference[1])), name


def test_arms_of_one_process_accumulate_each_for_itself(make_arm):
    for base in ("py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer"):
        alone = make_arm(base, network="convnet")
        other = make_arm(base, network="convnet", session=Session(accumulate=2))
        reference = make_arm("py_raw", network="convnet")
        for _ in range(3):
            other.step()
            assert alone.step().item() == reference.step().item(), base
        assert other.session.drawn == 2 * alone.session.drawn, base


def test_functions_in_python_are_counted(make_arm):
    class Counter:
        """Stands in for the harness's (harness/python/call_counter.hpp)."""

        calls = 0

        def reset(self):
            self.calls = 0

        def begin(self):
            sys.setprofile(self.count)

        def end(self):
            sys.setprofile(None)

        def count(self, frame, event, argument):
            self.calls += event == "call"

    per_step = {name: make_arm(name).function_calls(Counter(), 3) / 3 for name in ("py_raw", "py_fabric", "py_lightning")}
    assert 5 < per_step["py_raw"] < per_step["py_fabric"] < per_step["py_lightning"]
    assert per_step["py_lightning"] > 300, "frames of the greenlet were not counted"


class Dispatched(TorchDispatchMode):
    """Tensor operations as they reach a device: below autograd, without what only calls others or changes nothing."""

    count = 0

    def __torch_dispatch__(self, operation, types, arguments=(), keywords=None):
        self.count += 1
        return operation(*arguments, **(keywords or {}))


def dispatched_in_a_step(arm, steps=4):
    arm.step()
    with Dispatched() as seen:
        for _ in range(steps):
            arm.step()
    return seen.count / steps


# By reading these releases: 5 with everything off, about 15, and about 69 with a metric (18 to update it, 49 in its forward).
READ = {"lightning": "2.6.6", "torchmetrics": "1.9.0"}
FOUND = [("", 5), ("+log+bar_item+bar", 14), ("+accuracy", 56), ("+typical", 68)]


@pytest.mark.skipif({name: version(name) for name in READ} != READ, reason=f"other releases than {READ}")
@pytest.mark.parametrize(("features", "more"), FOUND)
def test_lightnings_step_dispatches_what_its_source_says(make_arm, features, more):
    dispatched = {arm: dispatched_in_a_step(make_arm(arm, strategy="single")) for arm in ("py_raw", f"py_lightning{features}")}
    assert dispatched[f"py_lightning{features}"] - dispatched["py_raw"] == more


def test_a_step_that_the_scaler_leaves_out_is_told(make_arm):
    session = Session()
    arm = make_arm("py_raw", strategy="single", precision="amp_fp16", session=session)
    for _ in range(20):  # its first scales are too large for this model
        before = session.skipped
        arm.step()
    assert session.skipped == before > 0
    inputs, labels = session.batches[session.drawn % len(session.batches)]
    session.batches[session.drawn % len(session.batches)] = torch.full_like(inputs, float("inf")), labels
    arm.step()
    assert session.skipped == before + 1


def test_a_step_takes_its_own_micro_batches_and_no_more(make_arm):
    for name in ARMS:
        session = Session(accumulate=2)
        arm = make_arm(name, session=session)
        drawn = session.drawn
        arm.step()
        assert session.drawn - drawn == 2, name


def broadcasts(arm):
    """Whether its next step broadcasts the flag of SIGTERM, where there are other ranks."""
    loop = arm.trainer.fit_loop.epoch_loop
    return getattr(loop._broadcast_sigterm_tensor, "__func__", None) is type(loop)._broadcast_sigterm_tensor


def test_lightning_broadcasts_its_sigterm_flag_only_with_the_feature(make_arm):
    assert broadcasts(make_arm("py_lightning"))
    assert not broadcasts(make_arm("py_lightning-sigterm"))


def test_a_rare_broadcast_is_made_in_its_own_steps_only(make_arm, monkeypatch):
    arm = make_arm("py_lightning+sigterm=10-sigterm")
    ((name, every, method),) = arm.periodic_work()
    assert (name, every) == ("sigterm", 10) and not broadcasts(arm)
    seen = []
    monkeypatch.setattr(arm, "step", lambda: seen.append(broadcasts(arm)))
    getattr(arm, method)()
    assert seen == [True] and not broadcasts(arm)


def test_a_release_from_before_the_broadcast_has_nothing_to_leave_out(make_arm, monkeypatch):
    from ddpbench_arms import trainer

    monkeypatch.setattr(trainer, "version_of", lambda package: "2.5.1")
    assert not trainer.has_broadcast()
    make_arm("py_lightning-sigterm").step()
    monkeypatch.setattr(trainer, "version_of", lambda package: "2.5.2")
    assert trainer.has_broadcast()


def test_a_method_that_lightning_no_longer_has_is_told():
    from ddpbench_arms.trainer import replace_by_nothing

    with pytest.raises(RuntimeError, match="object.gone"):
        replace_by_nothing(object(), "gone")


def test_an_exception_of_the_users_comes_out_of_the_step(make_arm, monkeypatch):
    from ddpbench_arms import modules

    def failing(module, batch, batch_idx):
        raise ValueError("the user's")

    arm = make_arm("py_lightning")
    arm.step()
    monkeypatch.setattr(modules.Module, "training_step", failing)
    with pytest.raises(ValueError, match="the user's"):
        arm.step()


def test_the_bar_draws_into_its_file_and_nowhere_else(make_arm, capsys):
    arm = make_arm("py_lightning+typical")
    bar = arm.folder / "bar.0.txt"
    capsys.readouterr()
    arm.step()
    before = bar.stat().st_size
    arm.step()
    assert bar.stat().st_size > before > 0
    arm._whole_fit(arm.folder / "fit")
    assert "Epoch" not in "".join(capsys.readouterr())


def test_a_feature_alone_does_what_it_says_and_nothing_else(make_arm):
    for feature, done in {
        "log": {"train_loss"},
        "accuracy": {"train_accuracy"},
        "log+bar_item": {"train_loss", "shown"},
        "log+sync_dist": {"train_loss"},
        "bar": {"bar"},
        "csv=7": {"CSVLogger"},
        "tensorboard=7": {"TensorBoardLogger"},
        "csv=7+tensorboard=7": {"CSVLogger", "TensorBoardLogger"},
        "checkpoint": {"ModelCheckpoint"},
    }.items():
        arm = make_arm(f"py_lightning+{feature}")
        arm.step()
        trainer = arm.trainer
        found = set(trainer.callback_metrics) | {type(callback).__name__ for callback in trainer.checkpoint_callbacks}
        found |= {"shown"} if trainer.progress_bar_metrics else set()
        found |= {"bar"} if trainer.progress_bar_callback else set()
        found |= {type(logger).__name__ for logger in trainer.loggers}
        assert found == done, feature
        assert arm.periodic_work() == ([("loggers", 7, "step_that_logs")] if "=7" in feature else [])


def test_loggers_write_at_the_same_steps(make_arm):
    with pytest.raises(ValueError, match="one log_every_n_steps"):
        make_arm("py_lightning+csv=7+tensorboard=8")


def test_the_logger_writes_in_its_own_steps_only(make_arm, tmp_path):
    arm = make_arm("py_lightning+typical")
    written = []
    arm.trainer.logger.log_metrics = lambda metrics, step=None: written.append(set(metrics))
    arm.step()
    assert written == []
    ((name, every, method),) = arm.periodic_work()
    assert (name, every) == ("loggers", 50)
    getattr(arm, method)()
    assert len(written) == 1 and {"train_loss", "train_accuracy"} <= written[0]
    arm.step()
    assert len(written) == 1
    assert make_arm("py_lightning").periodic_work() == []


@pytest.mark.parametrize(("name", "saves"), [("py_lightning", 0), ("py_lightning+typical", 2)])
def test_whole_fits_tell_what_happens_once(make_arm, name, saves):
    arm = make_arm(name)
    arm.step()
    before = surroundings()
    fit = arm._whole_fit(arm.folder / "fit")
    assert difference(before, surroundings()).keys() <= {"torch RNG", "random"}  # the fit's own loaders draw seeds
    names = [name for name, _ in fit]
    assert {"head", "first_step", "epoch_boundary", "tail", "sanity_check", "validation"} <= set(names)
    assert names.count("validation") == 2 and names.count("checkpoint") == saves
    assert all(seconds > 0 for _, seconds in fit)
    arm.step()  # the arm's own loop goes on


def test_parts_of_a_fit_hold_no_part_twice():
    from ddpbench_arms.whole_fit import Stamps, once_of

    stamps = Stamps()
    stamps.fetches = [10.0, 11, 12, 13, 20, 21, 22, 23]
    stamps.epoch_ends = [14.0, 24.0]
    stamps.spans = [("sanity_check", 5.0, 8.0), ("validation", 15.0, 17.0), ("checkpoint", 17.0, 18.0)]
    stamps.spans.append(("validation", 24.5, 25.0))
    once = once_of(stamps, began=0.0, ended=30.0)
    assert once[:4] == [("head", 7.0), ("first_step", 1.0), ("epoch_boundary", 3.0), ("tail", 5.5)]
    assert once[4:] == [("sanity_check", 3.0), ("validation", 2.0), ("checkpoint", 1.0), ("validation", 0.5)]

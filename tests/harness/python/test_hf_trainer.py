"""Hugging Face's Trainer as an arm: each feature does what it says, and what it shows goes to its files."""

from importlib.metadata import version

import pytest
import torch
from conftest import Session
from test_arms import dispatched_in_a_step
from torch.utils._python_dispatch import TorchDispatchMode

from ddpbench_arms import table

PARTS = ["clip=1", "bar", "logging_steps=10", "nan_inf_filter", "linear_schedule"]


class HostReads(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, operation, types, arguments=(), keywords=None):
        self.count += operation.name() in ("aten::_local_scalar_dense", "aten::is_nonzero", "aten::item")
        return operation(*arguments, **(keywords or {}))


def host_reads_in_a_step(arm):
    arm.step()
    with HostReads() as seen:
        arm.step()
    return seen.count


def test_typical_trains_as_a_loop_by_hand_that_clips_to_rounding(make_arm):
    clipping = Session(clip_norm=1.0)
    arm, reference = (make_arm(name, network="convnet", session=clipping) for name in ("py_hf_trainer+typical", "py_raw"))
    rates = []
    for _ in range(5):
        clipping.drawn = 0
        loss = arm.step()
        clipping.drawn = 0
        torch.testing.assert_close(loss, reference.step(), rtol=1e-5, atol=0)
        rates.append(arm.replica.optimizer.param_groups[0]["lr"])
    assert rates == sorted(rates, reverse=True) and rates[-1] < rates[0] < 1e-3 and rates[-1] > 1e-3 * (1 - 1e-7)


def test_a_feature_alone_does_what_it_says_and_nothing_else(make_arm):
    def found_of(arm):
        callbacks = [type(callback).__name__ for callback in arm.trainer.callback_handler.callbacks]
        works = [f"{name} every {every}" for name, every, _ in arm.periodic_work()]
        return {
            *callbacks,
            *works,
            type(arm.trainer.lr_scheduler.lr_lambdas[0]).__name__,
            arm.trainer.args.logging_nan_inf_filter,
        }

    bare = found_of(make_arm("py_hf_trainer"))
    assert bare == {"DefaultFlowCallback", "function", False}
    assert found_of(make_arm("py_hf_trainer+bar")) - bare == {"BarInFile"}
    assert found_of(make_arm("py_hf_trainer+logging_steps=7")) - bare == {"LinesInFile", "logging every 7"}
    assert found_of(make_arm("py_hf_trainer+linear_schedule")) - bare == {"partial"}
    typical = found_of(make_arm("py_hf_trainer+typical"))
    assert typical == {"DefaultFlowCallback", "BarInFile", "logging every 10", "partial", True}


def test_the_filter_reads_the_loss_at_every_step(make_arm):
    assert host_reads_in_a_step(make_arm("py_hf_trainer")) == 0
    assert host_reads_in_a_step(make_arm("py_hf_trainer+logging_steps=7")) == 0
    assert host_reads_in_a_step(make_arm("py_hf_trainer+logging_steps=7+nan_inf_filter")) == 2  # whether nan, whether infinite


def test_a_log_is_written_in_its_own_steps_only_into_the_arms_file(make_arm, capsys):
    for name, file in (("py_hf_trainer+logging_steps=10", "log.0.txt"), ("py_hf_trainer+typical", "bar.0.txt")):
        arm = make_arm(name)
        shown = arm.folder / file
        arm.step()
        assert "loss" not in shown.read_text(encoding="utf-8"), name
        ((_, _, method),) = arm.periodic_work()
        capsys.readouterr()
        getattr(arm, method)()
        arm.step()
        for callback in arm.trainer.callback_handler.callbacks:
            getattr(getattr(callback, "file", None), "flush", lambda: None)()
        assert shown.read_text(encoding="utf-8").count("'loss'") == 1, name
        assert [entry["step"] for entry in arm.trainer.state.log_history] == [2], name
        assert "".join(capsys.readouterr()) == "", name


# By reading this release. 14: the loss is divided here and in Accelerate, and so is its gradient; it is detached and added up for
# the log; eight take the norm of all gradients, which is taken without clipping, too. Less 2 of optimizer.zero_grad(), which it
# does not call. The filter: two questions, two reads on the host.
FOUND = [("", 14 - 2), ("+typical", 14 - 2 + 4)]


@pytest.mark.skipif(version("transformers") != table.PINNED["transformers"], reason="another release of transformers")
@pytest.mark.parametrize(("features", "more"), FOUND)
def test_a_step_dispatches_what_its_source_says(make_arm, features, more):
    arms = [make_arm("py_raw", strategy="single"), make_arm(f"py_hf_trainer{features}", strategy="single")]
    reference, trainer = map(dispatched_in_a_step, arms)
    assert trainer - reference == more

"""How replicas meet is known to the strategies alone."""

import ast
import contextlib
import dataclasses
import os
from pathlib import Path

import pytest
import torch
import torch.distributed as dist
from conftest import DDP_OPTIONS, VOCABULARY, Session
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from ddpbench_arms import strategies, table
from ddpbench_arms.precisions import PRECISIONS
from ddpbench_arms.strategies import STRATEGIES, Ddp, Single

CPU = torch.device("cpu")
PACKAGE = Path(os.environ["DDPBENCH_PYTHON_ARMS"]) / "ddpbench_arms"
FRAMEWORKS = ["py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer"]


def ddp(**options):
    return Ddp(DDP_OPTIONS | options, CPU)


def test_the_build_lets_arms_take_what_the_table_has():
    of_arms = {entry.strategy for entry in table.ARMS.values()}
    for arm in VOCABULARY["arms"]:
        if arm.get("program") == "python":
            assert set(arm["only"]["strategy"]) == set(STRATEGIES) - of_arms


def test_no_other_file_asks_for_a_name():
    names = set(STRATEGIES) | set(PRECISIONS)
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name != "strategies" and path.name not in ("precisions.py", "table.py"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            assert names.isdisjoint(node.value for node in nodes if isinstance(node, ast.Constant)), path


def test_options_become_arguments():
    assert ddp().arguments() == {
        "bucket_cap_mb": None,
        "gradient_as_bucket_view": False,
        "broadcast_buffers": True,
        "find_unused_parameters": False,
        "static_graph": False,
    }
    assert ddp(bucket_cap_mb="0.5", static_graph="true").arguments().items() >= {("bucket_cap_mb", 0.5), ("static_graph", True)}


def test_the_first_bucket_is_set_while_an_arm_is_made(make_arm, monkeypatch):
    by_default = dist._DEFAULT_FIRST_BUCKET_BYTES
    buckets = {}
    for given in ("default", "0.001"):
        monkeypatch.setitem(DDP_OPTIONS, "first_bucket_mb", given)
        arm = make_arm("py_raw", network="convnet")
        assert by_default == dist._DEFAULT_FIRST_BUCKET_BYTES
        for _ in range(3):  # buckets are laid out in the second, and told in the third
            arm.step()
        buckets[given] = arm.model._get_ddp_logging_data()["rebuilt_bucket_sizes"].split(", ")
    assert len(buckets["default"]) == 1 and len(buckets["0.001"]) == 2


@pytest.mark.parametrize("given", ["0.5", "25"])  # 25: the default of Accelerate's, which leaves it out
def test_accelerate_gets_a_cap_of_as_many_bytes(given):
    (handler,) = ddp(bucket_cap_mb=given).accelerate()["kwargs_handlers"]
    assert int(handler.to_kwargs()["bucket_cap_mb"] * 1024**2) == int(float(given) * 1024**2)
    (handler,) = ddp().accelerate()["kwargs_handlers"]
    assert "bucket_cap_mb" not in handler.to_kwargs()


def test_what_ddp_cannot_do_is_refused():
    with pytest.raises(ValueError, match="first_bucket_mb beside bucket_cap_mb"):
        ddp(bucket_cap_mb="1", first_bucket_mb="1").arguments()
    with pytest.raises(ValueError, match="SyncBatchNorm runs on GPUs only"):
        ddp(sync_batchnorm="true").prepare(nn.BatchNorm2d(1))


def test_batch_norm_is_synchronised_on_a_gpu():
    strategy = Ddp(DDP_OPTIONS | {"sync_batchnorm": "true"}, torch.device("cuda", 0))
    assert isinstance(strategy.prepare(nn.Sequential(nn.BatchNorm2d(1)))[0], nn.SyncBatchNorm)


def test_what_a_framework_made_of_the_model_is_looked_at(ranks):
    model = nn.Linear(1, 1)
    wrapped = DistributedDataParallel(model)
    Single({}, CPU).require_wrapped(model, model)
    ddp().require_wrapped(model, wrapped)
    with pytest.raises(RuntimeError, match="DistributedDataParallel is what the framework made .* under strategy 'single'"):
        Single({}, CPU).require_wrapped(model, wrapped)
    with pytest.raises(RuntimeError, match="Linear is what the framework made of the model under strategy 'ddp'"):
        ddp().require_wrapped(model, model)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_framework_that_meets_in_another_way_is_refused(make_arm, monkeypatch, name):
    monkeypatch.setattr(Ddp, "is_wrapped", Single.is_wrapped)
    with pytest.raises(RuntimeError, match="DistributedDataParallel is what the framework made"):
        make_arm(name)


class Engine(nn.Module):
    """Owns backward and update, as DeepSpeed's does."""

    def __init__(self, model, optimizer):
        super().__init__()
        self.model = model
        self.optimizer = optimizer
        self.called = []

    def forward(self, inputs):
        return self.model(inputs)

    def backward(self, loss):
        self.called.append("backward")
        loss.backward()

    def step(self):
        self.called.append("step")
        self.optimizer.step()


class ByEngine(strategies.Strategy):
    """One more strategy: all that it takes."""

    name = "by_engine"

    def wrap(self, model, optimizer):
        return Engine(model, optimizer)

    def no_sync_of(self, model):
        return contextlib.nullcontext

    def backward_of(self, model):
        return model.backward

    def update_of(self, model, optimizer):
        return model.step


def test_an_arm_may_meet_in_a_way_of_its_own(make_arm, monkeypatch):
    monkeypatch.setitem(STRATEGIES, ByEngine.name, ByEngine)
    monkeypatch.setitem(table.ARMS, "py_engine", dataclasses.replace(table.ARMS["py_raw"], strategy="by_engine"))
    arm, reference = make_arm("py_engine", session=Session(accumulate=2)), make_arm("py_raw", session=Session(accumulate=2))
    assert isinstance(reference.model, DistributedDataParallel)
    assert [arm.step().item() for _ in range(3)] == [reference.step().item() for _ in range(3)]
    assert arm.model.called == ["backward", "backward", "step"] * 3
    assert all(map(torch.equal, arm.state(), reference.state()))


class Drifting(Ddp):
    name = "drifting"

    def optimizer(self, plain):
        self.plain = plain
        return torch.optim.SGD(plain.param_groups, **plain.defaults)

    def replicated_state(self, replica):
        return []


def test_a_strategy_makes_the_optimizer_and_says_what_must_agree(make_arm, monkeypatch):
    monkeypatch.setitem(STRATEGIES, Drifting.name, Drifting)
    monkeypatch.setitem(table.ARMS, "py_drifting", dataclasses.replace(table.ARMS["py_raw"], strategy="drifting"))
    arm = make_arm("py_drifting")
    assert arm.replica.optimizer is not arm.strategy.plain
    assert arm.replicated_state() == [] and make_arm("py_raw").replicated_state() != []

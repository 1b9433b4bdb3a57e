"""A network that torch.compile compiles, and marks around what somebody else's loop trains."""

import copy
import io
import pickle

import pytest
import torch
from test_loop import TracedSession
from torch import nn

from ddpbench_arms.loop_marks import TrainingMarks
from ddpbench_arms.models import compile_in_place
from ddpbench_arms.replica import Marks

ARMS = ["py_raw_again", "py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer", "py_loop=by_name"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, inputs):
        return torch.relu(self.linear(inputs))


@pytest.mark.parametrize(("strategy", "precision"), [("single", "fp32"), ("ddp", "fp32"), ("ddp", "amp_bf16")])
def test_all_arms_compile_alike_and_only_there(make_arm, strategy, precision):
    works = {}
    for name in ["py_raw", *ARMS]:
        arm = make_arm(name, strategy=strategy, precision=precision, compiled=True)
        assert arm.replica.model._compiled_call_impl is not None, name
        losses = [arm.step().item() for _ in range(3)]
        works[name] = losses, [tensor.detach().clone() for tensor in arm.state()]
        assert arm.once_rows(12.5)[-1] == ("compile", 12.5), name
    losses, state = works.pop("py_raw")
    for name, work in works.items():
        assert work[0] == losses and all(map(torch.equal, work[1], state)), name
    plain = make_arm("py_raw", strategy=strategy)
    assert plain.replica.model._compiled_call_impl is None and "compile" not in dict(plain.once_rows(12.5))


def test_what_is_compiled_keeps_its_names_and_its_state():
    model = Net()
    names, values = list(model.state_dict()), [*model.parameters()]
    compile_in_place(model)
    assert type(model) is Net and list(model.state_dict()) == names
    assert all(one is other for one, other in zip(model.parameters(), values, strict=True))


def marked_net(compiled=False):
    session = TracedSession()
    model = Net()
    if compiled:
        compile_in_place(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    TrainingMarks(Marks(session)).mark(model, optimizer)
    return session, model, optimizer


def test_marks_stand_outside_of_what_is_compiled():
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    session, model, _ = marked_net(compiled=True)
    inputs = torch.ones(1, 3)
    assert torch.equal(model(inputs), torch.relu(model.linear(inputs)))
    assert session.seen == ["forward"]
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1 and not torch._dynamo.utils.counters["graph_break"]


def test_what_is_marked_is_copied_and_saved_as_what_it_was():
    _, model, optimizer = marked_net()
    model(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    assert type(model) is not Net
    copied, pickled = copy.deepcopy(model), pickle.loads(pickle.dumps(model))
    file = io.BytesIO()
    torch.save(optimizer, file)
    file.seek(0)
    saved = torch.load(file, weights_only=False)
    assert type(copied) is type(pickled) is Net and type(saved) is torch.optim.SGD
    assert torch.equal(pickled.linear.weight, model.linear.weight)
    assert len(saved.state) == len(optimizer.state) == 2

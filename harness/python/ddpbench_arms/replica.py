"""What every arm of a launch is made of: a replica of the training, in the terms of torch."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from ddpbench_arms.models import make_model
from ddpbench_arms.precisions import PRECISIONS, Precision

MIB = 1024 * 1024


@dataclass
class Request:
    """Holds what a launch asks of an arm (harness/python/python_runtime.cpp)."""

    name: str
    base: str
    features: list[str]
    session: Any
    network: str  # the workload's: "resnet50"
    classes: int  # of its data set
    workload_options: dict[str, str]
    strategy: str
    strategy_options: dict[str, str]
    precision: Precision
    device: str
    scratch: str
    hyperparameters: dict[str, float]
    modules: dict[str, str]  # name -> "FILE.py:Class"
    weights: list[tuple[str, torch.Tensor]]

    @classmethod
    def of(cls, launch: dict[str, Any]) -> "Request":
        return cls(**launch | {"precision": PRECISIONS[launch["precision"]]})

    def has(self, feature: str) -> bool:
        return any(text.partition("=")[0] == feature for text in self.features)

    def value_of(self, feature: str) -> str:
        """Returns the value of a feature in force that carries one."""
        return next(text.partition("=")[2] for text in self.features if text.startswith(f"{feature}="))

    @property
    def module(self) -> str:
        """Names the user's own module that the arm trains; "" where it trains the workload's."""
        return self.value_of("module") if self.has("module") else ""

    @property
    def is_ddp(self) -> bool:
        return self.strategy == "ddp"

    def ddp_arguments(self) -> dict[str, Any]:
        """Returns the strategy's options as DistributedDataParallel's arguments."""
        options = self.strategy_options
        cap = options["bucket_cap_mb"]
        if cap != "default" and options["first_bucket_mb"] != "default":
            raise ValueError("first_bucket_mb beside bucket_cap_mb: PyTorch's DistributedDataParallel takes one of the two")
        return {
            "bucket_cap_mb": None if cap == "default" else float(cap),
            "gradient_as_bucket_view": options["gradient_as_bucket_view"] == "true",
            "broadcast_buffers": options["broadcast_buffers"] == "true",
            "find_unused_parameters": options["find_unused_parameters"] == "true",
            "static_graph": options["static_graph"] == "true",
        }


@contextlib.contextmanager
def first_bucket_of(request: Request) -> Iterator[None]:
    """Sets the first bucket's size, a constant of PyTorch's module and not an argument of DistributedDataParallel."""
    given = request.strategy_options.get("first_bucket_mb", "default")
    kept = dist._DEFAULT_FIRST_BUCKET_BYTES
    if given != "default":
        dist._DEFAULT_FIRST_BUCKET_BYTES = int(float(given) * MIB)
    try:
        yield
    finally:
        dist._DEFAULT_FIRST_BUCKET_BYTES = kept


class Replica:
    """Holds a model of the arm's own, with its optimizer and loss. Frameworks get these and wrap them."""

    def __init__(self, request: Request) -> None:
        model = make_model(request.network, request.classes, request.workload_options, request.weights)
        self.model = self.converted(model, request).to(request.device)
        self.optimizer = make_optimizer(self.model, request.hyperparameters)
        self.loss = nn.CrossEntropyLoss(label_smoothing=request.hyperparameters["label_smoothing"])
        self.scaler: torch.amp.GradScaler | None = None  # the framework's, where the precision has one

    @staticmethod
    def converted(model: nn.Module, request: Request) -> nn.Module:
        if request.strategy_options.get("sync_batchnorm") != "true":
            return model
        if request.device == "cpu":
            raise ValueError("sync_batchnorm = true: PyTorch's SyncBatchNorm runs on GPUs only")
        return nn.SyncBatchNorm.convert_sync_batchnorm(model)

    def replicated_state(self) -> list[torch.Tensor]:
        parameters = list(self.model.parameters())
        states = (self.optimizer.state.get(parameter, {}) for parameter in parameters)
        kept = (state[name] for state in states for name in sorted(state))
        return parameters + [value for value in kept if isinstance(value, torch.Tensor)]

    def check(self) -> None:
        """Raises, at a block's end, where what arms share is no longer what it was."""

    def state(self) -> list[torch.Tensor]:
        """Returns parameters, optimizer state, buffers, loss scale: in the order of the C++ strategies."""
        scale = [] if self.scaler is None else [self.scaler._scale, self.scaler._growth_tracker]
        return self.replicated_state() + list(self.model.buffers()) + scale


def make_optimizer(model: nn.Module, hyperparameters: dict[str, float]) -> torch.optim.Optimizer:
    return torch.optim.SGD(
        model.parameters(),
        lr=hyperparameters["lr"],
        momentum=hyperparameters["momentum"],
        dampening=hyperparameters["dampening"],
        weight_decay=hyperparameters["weight_decay"],
        nesterov=bool(hyperparameters["nesterov"]),
    )


class Marks:
    """Marks the phases of a step, for `with`: the NVTX range and the clock of the C++ arms."""

    def __init__(self, session: Any) -> None:
        self.h2d = session.phase("h2d")
        self.forward = session.phase("forward")
        self.backward = session.phase("backward")
        self.optimizer = session.phase("optimizer")
        self.wrapper = session.phase("wrapper")
        self.other = session.phase("other")

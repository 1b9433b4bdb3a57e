"""What every arm of a launch is made of: a replica of the training, in the terms of torch."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ddpbench_arms.models import compile_in_place, make_model
from ddpbench_arms.precisions import PRECISIONS, Precision
from ddpbench_arms.strategies import STRATEGIES, Strategy


@dataclass
class Request:
    """Holds what a launch asks of an arm (harness/python/python_runtime.cpp)."""

    name: str
    base: str
    features: list[str]
    session: Any
    network: str  # the workload's: "resnet50"
    classes: int  # that its logits tell apart
    workload_options: dict[str, str]
    strategy: Strategy
    precision: Precision
    device: str
    batch_size: int  # of a rank
    scratch: str
    optimizer: str  # of OPTIMIZERS
    hyperparameters: dict[str, float]
    own_code: dict[str, dict[str, str]]  # by feature, "module", "loop", "loader" or "callback": name -> "FILE.py:NAME"
    weights: list[tuple[str, torch.Tensor]]

    @classmethod
    def of(cls, launch: dict[str, Any], own_strategy: str = "") -> "Request":
        """Returns what the launch asks of an arm, which may have a strategy of its own in the place of the launch's."""
        asked = dict(launch)
        make_strategy = STRATEGIES[own_strategy or asked["strategy"]]
        asked["strategy"] = make_strategy(asked.pop("strategy_options"), torch.device(asked["device"]))
        asked["precision"] = PRECISIONS[asked["precision"]]
        return cls(**asked)

    def has(self, feature: str) -> bool:
        return any(text.partition("=")[0] == feature for text in self.features)

    def value_of(self, feature: str) -> str:
        """Returns the value of a feature in force that carries one."""
        return next(text.partition("=")[2] for text in self.features if text.startswith(f"{feature}="))

    @property
    def is_compiled(self) -> bool:
        return self.workload_options.get("compiled") == "true"

    def own_code_in_force(self) -> dict[str, str]:
        """Returns the user's own code that the arm takes: "loop=NAME" -> "FILE.py:function"."""
        taken = [(kind, self.value_of(kind)) for kind in self.own_code if self.has(kind)]
        return {f"{kind}={name}": self.own_code[kind][name] for kind, name in taken}

    @property
    def module(self) -> str:
        """Names the user's own module that the arm trains; "" where it trains the workload's."""
        return self.value_of("module") if self.has("module") else ""


class Replica:
    """Holds a model of the arm's own, with its optimizer and loss. Frameworks get these and wrap them."""

    def __init__(self, request: Request) -> None:
        model = make_model(request.network, request.classes, request.workload_options, request.weights)
        if request.is_compiled:
            compile_in_place(model)
        self.model = request.strategy.prepare(model).to(request.device)
        self.optimizer = request.strategy.optimizer(OPTIMIZERS[request.optimizer](self.model, request.hyperparameters))
        self.loss = nn.CrossEntropyLoss(label_smoothing=request.hyperparameters["label_smoothing"])
        self.scaler: torch.amp.GradScaler | None = None  # the framework's, where the precision has one
        self.next_batch = request.session.next_batch

    def check(self) -> None:
        """Raises, at a block's end, where what arms share is no longer what it was."""


def make_sgd(model: nn.Module, hyperparameters: dict[str, float]) -> torch.optim.Optimizer:
    return torch.optim.SGD(
        model.parameters(),
        lr=hyperparameters["lr"],
        momentum=hyperparameters["momentum"],
        dampening=hyperparameters["dampening"],
        weight_decay=hyperparameters["weight_decay"],
        nesterov=bool(hyperparameters["nesterov"]),
    )


def make_adamw(model: nn.Module, hyperparameters: dict[str, float]) -> torch.optim.Optimizer:
    return torch.optim.AdamW(
        model.parameters(),
        lr=hyperparameters["lr"],
        betas=(hyperparameters["beta1"], hyperparameters["beta2"]),
        eps=hyperparameters["eps"],
        weight_decay=hyperparameters["weight_decay"],
    )


# By Recipe::optimizer (harness/api/workload.hpp).
OPTIMIZERS = {"sgd": make_sgd, "adamw": make_adamw}


class Marks:
    """Marks the phases of a step, for `with`: the NVTX range and the clock of the C++ arms."""

    def __init__(self, session: Any) -> None:
        self.h2d = session.phase("h2d")
        self.forward = session.phase("forward")
        self.backward = session.phase("backward")
        self.zero_grad = session.phase("zero_grad")  # of the optimizer's phase
        self.optimizer = session.phase("optimizer")
        self.wrapper = session.phase("wrapper")
        self.other = session.phase("other")

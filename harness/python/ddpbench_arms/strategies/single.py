"""One process, which meets nobody."""

import contextlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import nn

from ddpbench_arms.strategies.strategy import Strategy


class Single(Strategy):
    name = "single"

    def wrap(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> nn.Module:
        return model

    def no_sync_of(self, model: nn.Module) -> Callable[[], contextlib.AbstractContextManager]:
        return contextlib.nullcontext

    def lightning(self, strategies: ModuleType) -> Any:
        return "auto"

    def accelerate(self) -> dict[str, Any]:
        return {}

    def is_wrapped(self, given: nn.Module, made: nn.Module) -> bool:
        return made is given

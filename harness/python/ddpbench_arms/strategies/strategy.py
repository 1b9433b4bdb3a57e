"""What an arm asks of the way in which its replica meets those of the other ranks."""

import contextlib
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

if TYPE_CHECKING:
    from ddpbench_arms.replica import Replica


class Strategy:
    """Defines how replicas meet. Each arm has one of its own, and never learns which.

    It is imported in every launch: what needs a package imports it where it is called.
    """

    name: str

    def __init__(self, options: dict[str, str], device: torch.device) -> None:
        self.options = options
        self.device = device

    def setting_up(self) -> contextlib.AbstractContextManager:
        """Holds while the arm is made."""
        return contextlib.nullcontext()

    # A replica is made by these two, in this order.

    def prepare(self, model: nn.Module) -> nn.Module:
        """Returns the model that is trained; it has no optimizer yet."""
        return model

    def optimizer(self, plain: torch.optim.Optimizer) -> torch.optim.Optimizer:
        """Returns the optimizer of this rank, made from the one that a single process would have.

        A module of the user's own is not asked: it configures its optimizer itself.
        """
        return plain

    # What a hand-written loop calls. It asks for the functions of a step once and keeps them: a step pays for no call more.

    def wrap(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> nn.Module:
        raise NotImplementedError

    def no_sync_of(self, model: nn.Module) -> Callable[[], contextlib.AbstractContextManager]:
        """Returns what gives the context of a micro-batch whose gradients do not meet. `model`: as wrap() returned it."""
        raise NotImplementedError

    def backward_of(self, model: nn.Module) -> Callable[[torch.Tensor], Any]:
        """Returns what is called with the loss, scaled where the precision scales it."""
        return torch.Tensor.backward

    def update_of(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> Callable[[], Any]:
        """Returns what updates the parameters; where the loss is scaled, the scaler calls optimizer.step() in its place."""
        return optimizer.step

    # What frameworks are given so that they meet in the same way.

    def lightning(self, strategies: ModuleType) -> Any:
        """Returns the strategy of a Trainer or a Fabric, of that one's module of strategies."""
        raise NotImplementedError

    def accelerate(self) -> dict[str, Any]:
        """Returns arguments of an Accelerator."""
        raise NotImplementedError

    def is_wrapped(self, given: nn.Module, made: nn.Module) -> bool:
        """Says whether a framework made of the given model what wrap() makes of it."""
        raise NotImplementedError

    def require_wrapped(self, given: nn.Module, made: nn.Module) -> None:
        """Raises where it did not: else two works are compared."""
        if not self.is_wrapped(given, made):
            raise RuntimeError(f"{type(made).__name__} is what the framework made of the model under strategy '{self.name}'")

    # harness/api/strategy.hpp says what the harness does with these.

    def state(self, replica: "Replica") -> list[torch.Tensor]:
        """Returns parameters, optimizer state, buffers, loss scale: in the order of the C++ strategies."""
        scale = [] if replica.scaler is None else [replica.scaler._scale, replica.scaler._growth_tracker]
        return self.replicated_state(replica) + list(replica.model.buffers()) + scale

    @torch.no_grad()
    def take_state(self, replica: "Replica", kept: list[torch.Tensor]) -> None:
        """Takes what state() gave here or in another training of the launch: in place, for every holder of a tensor."""
        for mine, value in zip(self.state(replica), kept, strict=True):
            mine.copy_(value)

    def replicated_state(self, replica: "Replica") -> list[torch.Tensor]:
        """Returns those that must be the same on all ranks after a step."""
        parameters = [parameter for parameter in replica.model.parameters() if parameter.requires_grad]
        states = (replica.optimizer.state.get(parameter, {}) for parameter in parameters)
        kept = (state[name] for state in states for name in sorted(state))
        return parameters + [value for value in kept if isinstance(value, torch.Tensor)]

"""The loop by hand over a module of the user's own: what Lightning's loop over it is compared with."""

import itertools
from typing import Any

import torch

from ddpbench_arms.own_module import CALLED, OwnReplica, Step, is_own, loss_of, to_device
from ddpbench_arms.raw import Raw


def nothing(*_: Any, **__: Any) -> None:
    """In the place of log() and log_dict(): what they do is Lightning's."""


class OwnRaw(Raw):
    def wrapped_model(self) -> torch.nn.Module:
        replica: OwnReplica = self.replica
        module = replica.model
        self.hooks = {name: [getattr(module, name)] if is_own(name, module) else [] for name in CALLED}
        if self.hooks["on_train_batch_end"] and self.accumulate > 1:
            name = type(module).__name__
            raise ValueError(f"{name} has its own on_train_batch_end: a loop by hand calls it without accumulate only")
        module.log = module.log_dict = nothing
        module.setup("fit")
        module.configure_model()
        for once in (module.on_fit_start, module.on_train_start, module.on_train_epoch_start):
            once()
        module.train()
        self.schedulers = replica.configured(module.configure_optimizers()).schedulers
        self.index = itertools.count()
        self.last: tuple[Any, Any, int] = (None, None, 0)
        return self.distributed(Step(module))

    def micro_batch(self) -> torch.Tensor:
        index = next(self.index)
        batch = self.replica.next_batch()
        with self.marks.h2d:
            batch = to_device(batch, self.device)
        for hook in self.hooks["on_train_batch_start"]:
            hook(batch, index)
        with self.marks.forward, self.autocast():
            result = self.model(batch, index)
            loss = loss_of(result)
            if self.accumulate > 1:
                loss = loss / self.accumulate
        for hook in self.hooks["on_before_backward"]:
            hook(loss)
        with self.marks.backward:
            scaler = self.replica.scaler
            (loss if scaler is None else scaler.scale(loss)).backward()
        for hook in self.hooks["on_after_backward"]:
            hook()
        self.last = result, batch, index
        return loss

    def step(self) -> torch.Tensor:
        for hook in self.hooks["on_before_zero_grad"]:
            hook(self.replica.optimizer)
        return super().step()

    def update(self) -> None:
        for hook in self.hooks["on_before_optimizer_step"]:
            hook(self.replica.optimizer)
        super().update()
        for scheduler in self.schedulers:
            scheduler.step()

    def end_step(self) -> None:
        for hook in self.hooks["on_train_batch_end"]:
            hook(*self.last)
        super().end_step()

"""The loop by hand over a module of the user's own: what Lightning's loop over it is compared with."""

import itertools
from typing import Any

import torch
from torch import nn

from ddpbench_arms.own_module import CALLED, OwnReplica, Step, begin_training, is_own, loss_of, to_device
from ddpbench_arms.raw import Raw
from ddpbench_arms.stand_in import StandInTrainer


class OwnRaw(Raw):
    def wrapped_model(self) -> torch.nn.Module:
        replica: OwnReplica = self.replica
        module = replica.model
        self.hooks = {name: [getattr(module, name)] if is_own(name, module) else [] for name in CALLED}
        if self.hooks["on_train_batch_end"] and self.accumulate > 1:
            name = type(module).__name__
            raise ValueError(f"{name} has its own on_train_batch_end: a loop by hand calls it without accumulate only")
        self.updates = 0
        self.trainer = StandInTrainer(self.device, self.accumulate, self.clip_norm, self.request.precision.lightning)
        self.trainer.steps = lambda: self.updates

        def place() -> None:
            self.strategy.prepare(module).to(self.device)

        self.schedulers = begin_training(module, self.trainer, place, replica.configured).schedulers
        self.parameters = [parameter for group in replica.optimizer.param_groups for parameter in group["params"]]
        self.index = itertools.count()
        self.last: tuple[Any, ...] = ()  # what on_train_batch_end is told, where the module has one
        return self.strategy.wrap(Step(module), replica.optimizer)

    def micro_batch(self, is_first: bool = True) -> torch.Tensor:
        index = next(self.index)
        batch = self.next_batch()
        with self.marks.h2d:
            batch = to_device(batch, self.device)
        for hook in self.hooks["on_train_batch_start"]:
            hook(batch, index)
        with self.marks.forward, self.autocast():
            result = self.model(batch, index)
            loss = loss_of(result)
            if self.accumulate > 1:
                loss = loss / self.accumulate
        if is_first:
            self.zero_grad()
        scaler = self.replica.scaler
        scaled = loss if scaler is None else scaler.scale(loss)
        for hook in self.hooks["on_before_backward"]:
            hook(scaled)
        with self.marks.backward:
            self.backward(scaled)
        for hook in self.hooks["on_after_backward"]:
            hook()
        if self.hooks["on_train_batch_end"]:
            extra = result if isinstance(result, dict) else {}
            self.last = {**extra, "loss": loss.detach().clone()}, batch, index
        return loss

    def zero_grad(self) -> None:
        """Clears the gradients where Lightning does: between the training step and backward."""
        for hook in self.hooks["on_before_zero_grad"]:
            hook(self.replica.optimizer)
        with self.marks.zero_grad:
            self.replica.optimizer.zero_grad()

    def step(self) -> torch.Tensor:
        with self.marks.other:
            for number in range(self.accumulate - 1):
                with self.no_sync():
                    self.micro_batch(is_first=number == 0)
            loss = self.micro_batch(is_first=self.accumulate == 1)
            with self.marks.optimizer:
                self.update()
            self.end_step()
            return loss

    def update(self) -> None:
        optimizer, scaler = self.replica.optimizer, self.replica.scaler
        if scaler is not None:
            scaler.unscale_(optimizer)
        for hook in self.hooks["on_before_optimizer_step"]:
            hook(optimizer)
        if self.clip_norm > 0:
            nn.utils.clip_grad_norm_(self.parameters, self.clip_norm)
        if scaler is None:
            self.step_optimizer()
        else:
            scaler.step(optimizer)
            scaler.update()
        self.updates += 1
        for scheduler in self.schedulers:
            scheduler.step()

    def end_step(self) -> None:
        for hook in self.hooks["on_train_batch_end"]:
            hook(*self.last)
        self.last = ()
        super().end_step()

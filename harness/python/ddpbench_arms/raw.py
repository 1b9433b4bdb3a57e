"""The hand-written loops."""

import torch
from torch import nn

from ddpbench_arms.arm import Arm
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request


class Raw(Arm):
    """Is the reference of the frameworks: the loop that a user writes without one."""

    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.model = self.wrapped_model()
        self.no_sync = self.strategy.no_sync_of(self.model)
        self.backward = self.strategy.backward_of(self.model)
        self.step_optimizer = self.strategy.update_of(self.model, self.replica.optimizer)
        self.autocast = request.precision.autocast(self.device)
        self.take_scaler(request.precision.scaler(self.device))

    def wrapped_model(self) -> nn.Module:
        return self.strategy.wrap(self.replica.model, self.replica.optimizer)

    def micro_batch(self) -> torch.Tensor:
        inputs, labels = self.batch()
        with self.marks.forward, self.autocast():
            loss = self.replica.loss(self.model(inputs), labels)
            if self.accumulate > 1:
                loss = loss / self.accumulate
        with self.marks.backward:
            scaler = self.replica.scaler
            self.backward(loss if scaler is None else scaler.scale(loss))
        return loss

    def step(self) -> torch.Tensor:
        with self.marks.other:
            with self.marks.zero_grad:
                self.replica.optimizer.zero_grad()
            for _ in range(self.accumulate - 1):
                with self.no_sync():
                    self.micro_batch()
            loss = self.micro_batch()
            with self.marks.optimizer:
                self.update()
            self.end_step()
            return loss

    def update(self) -> None:
        optimizer, scaler = self.replica.optimizer, self.replica.scaler
        if scaler is not None:
            scaler.unscale_(optimizer)
        if self.clip_norm > 0:
            nn.utils.clip_grad_norm_(self.replica.model.parameters(), self.clip_norm)
        if scaler is None:
            self.step_optimizer()
            return
        scaler.step(optimizer)
        scaler.update()


class RawItem(Raw):
    """Also reads the loss on the host at every step."""

    def step(self) -> torch.Tensor:
        loss = super().step()
        self.last_loss = loss.item()
        return loss

"""The hand-written loops."""

import contextlib

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from ddpbench_arms.arm import Arm
from ddpbench_arms.replica import Request


class Raw(Arm):
    """Is the reference of the frameworks: the loop that a user writes without one."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.model = self.wrapped_model()
        self.require_ddp(self.model)
        self.autocast = request.precision.autocast(self.device)
        self.take_scaler(request.precision.scaler(self.device))

    def wrapped_model(self) -> nn.Module:
        return self.distributed(self.replica.model)

    def distributed(self, model: nn.Module) -> nn.Module:
        """Wraps the model as the launch's strategy has it."""
        if not self.request.is_ddp:
            return model
        device_ids = [self.device.index] if self.device.type == "cuda" else None
        return DistributedDataParallel(model, device_ids=device_ids, **self.request.ddp_arguments())

    def micro_batch(self) -> torch.Tensor:
        images, labels = self.batch()
        with self.marks.forward, self.autocast():
            loss = self.replica.loss(self.model(images), labels)
            if self.accumulate > 1:
                loss = loss / self.accumulate
        with self.marks.backward:
            scaler = self.replica.scaler
            (loss if scaler is None else scaler.scale(loss)).backward()
        return loss

    def step(self) -> torch.Tensor:
        with self.marks.other:
            with self.marks.optimizer:
                self.replica.optimizer.zero_grad()
            for _ in range(self.accumulate - 1):
                with self.model.no_sync() if self.request.is_ddp else contextlib.nullcontext():
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
            optimizer.step()
            return
        scaler.step(optimizer)
        scaler.update()


class RawItem(Raw):
    """Also reads the loss on the host at every step."""

    def step(self) -> torch.Tensor:
        loss = super().step()
        self.last_loss = loss.item()
        return loss

"""A training from its first weights to its test run."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from ddpbench_arms.arm import Arm
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request
from ddpbench_arms.training.parts import BOUNDARY, STEPS, Parts
from ddpbench_arms.training.plan import Epoch, HeldOut, Plan, digest_of, stop_if_asked


class WholeTraining:
    """Trains as a class of its own does: train(). Its clock runs from here."""

    def __init__(self, request: Request, ranks: Ranks, plan: Plan) -> None:
        self.request = request
        self.ranks = ranks
        self.plan = plan
        self.epochs: list[Epoch] = []
        self.test_accuracy = 0.0
        self.folder = Path(request.scratch) / "trainings" / request.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.validation = HeldOut(request, ranks, plan.validation_batches, is_test=False)
        self.test = HeldOut(request, ranks, plan.validation_batches, is_test=True)
        self.parts = Parts(wait=torch.cuda.synchronize) if request.device.startswith("cuda") else Parts()

    def train(self) -> None:
        raise NotImplementedError

    def before_fetch(self, fetched: int) -> None:
        """Called before each fetch of EpochOfBatches, behind so many of the epoch."""

    def end_steps(self, arm: Arm) -> None:
        """Ends an epoch's steps, and its loader's epoch. That of a loader of the user's own is as long as its data."""
        self.parts.to(BOUNDARY)
        if not self.request.has("loader"):
            arm.rest()

    def share_buffers(self, model: torch.nn.Module) -> None:
        """Gives all ranks the running statistics of rank zero, as DistributedDataParallel's forward does."""
        if self.ranks.has_group and self.request.strategy.options.get("broadcast_buffers") == "true":
            for buffer in model.buffers():
                dist.broadcast(buffer, 0)

    def end_epoch(self, model: Any, loss: float, validation_loss: float, validation_accuracy: float) -> None:
        """Notes, outside of every part, what is compared."""
        with self.parts.left_out():
            self.epochs.append(Epoch(float(loss), float(validation_loss), float(validation_accuracy), digest_of(model)))

    def close(self) -> None:
        if self.ranks.rank == 0:
            shutil.rmtree(self.folder, ignore_errors=True)

    def result(self) -> dict[str, Any]:
        """Returns what the harness stores and compares."""
        return {
            "parts": self.parts.rows(),
            "epochs": [vars(epoch) for epoch in self.epochs],
            "test_accuracy": self.test_accuracy,
        }


class EpochOfBatches:
    """Is the loader of a framework's training: so many batches of the launch's, an epoch each time.

    Its first fetch begins an epoch of the clock. A checkpoint within an epoch has its state; `set_epoch` tells it the epoch, as a
    sampler of DistributedDataParallel is told.
    """

    def __init__(self, training: WholeTraining, arm: Arm) -> None:
        self.training = training
        self.arm = arm
        self.length = training.plan.steps * arm.accumulate
        self.epoch = 0
        self.fetched = 0  # of this epoch
        self.is_sought = False

    def __len__(self) -> int:
        return self.length

    @property
    def sampler(self) -> "EpochOfBatches":
        return self

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def state_dict(self) -> dict[str, int]:
        return {"fetched": self.fetched}

    def load_state_dict(self, kept: dict[str, int]) -> None:
        self.fetched = kept["fetched"]

    def __iter__(self) -> Iterator[Any]:
        self.fetched %= self.length
        is_begun = False
        while self.fetched < self.length:
            stop_if_asked(self.training.request)
            self.training.before_fetch(self.fetched)
            if not is_begun:
                self.begin()
            is_begun = True
            self.fetched += 1
            yield self.arm.next_batch()

    def begin(self) -> None:
        """Begins an epoch, or goes on within the one that a checkpoint has begun."""
        if not self.is_sought:  # from then on one epoch's batches follow the other's
            self.training.request.session.seek(self.epoch * self.length + self.fetched)
        self.is_sought = True
        if self.fetched == 0:
            self.training.parts.begin_epoch()
        else:
            self.training.parts.to(STEPS)

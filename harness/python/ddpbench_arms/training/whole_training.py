"""A training from its first weights to its test run."""

import shutil
from pathlib import Path
from typing import Any

import torch

from ddpbench_arms.arm import Arm
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request
from ddpbench_arms.training.parts import BOUNDARY, Parts
from ddpbench_arms.training.plan import Epoch, HeldOut, Plan, digest_of


class WholeTraining:
    """Trains as a class of its own does: train(). Its clock runs from here."""

    def __init__(self, request: Request, ranks: Ranks, plan: Plan) -> None:
        self.request = request
        self.ranks = ranks
        self.plan = plan
        self.epochs: list[Epoch] = []
        self.test_accuracy = 0.0
        self.resumes_behind = plan.half if request.has("resumed") else 0  # this epoch, from its checkpoint; 0: it does not
        self.folder = Path(request.scratch) / "trainings" / request.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.validation = HeldOut(request, ranks, plan.validation_batches, is_test=False)
        self.test = HeldOut(request, ranks, plan.validation_batches, is_test=True)
        self.parts = Parts(wait=torch.cuda.synchronize) if request.device.startswith("cuda") else Parts()

    def train(self) -> None:
        raise NotImplementedError

    def end_steps(self, arm: Arm) -> None:
        """Ends an epoch's steps, and its loader's epoch. That of a loader of the user's own is as long as its data."""
        self.parts.to(BOUNDARY)
        if not self.request.has("loader"):
            arm.rest()

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

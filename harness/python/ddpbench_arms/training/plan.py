"""What a whole training does, alike for all arms."""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request

SCHEDULE_FACTOR = 0.5  # a power of two: products of it are exact in any order


@dataclass(frozen=True)
class Plan:
    """Holds what the launch asks of a training (harness/purposes/training_purpose.cpp)."""

    is_warm_up: bool  # of which nothing is told
    epochs: int
    steps: int  # optimizer steps of an epoch
    validation_batches: int  # of a rank; as many in the test run
    patience: int  # epochs without a smaller validation loss, after which a training ends; 0: none ends early
    injected_s: float  # a delay behind every step; 0: none
    resume_step: int  # of all epochs' steps, behind which the training is made anew from its checkpoint; 0: it is not

    @property
    def epochs_of_a_rate(self) -> int:
        return math.ceil(self.epochs / 3)

    def schedule(self, optimizer: torch.optim.Optimizer) -> torch.optim.lr_scheduler.LRScheduler:
        """Halves the learning rate behind each third of the epochs."""
        return torch.optim.lr_scheduler.StepLR(optimizer, step_size=self.epochs_of_a_rate, gamma=SCHEDULE_FACTOR)


def stop_if_asked(request: Request) -> None:
    """Raises where the launch is to end; the harness knows then why."""
    if request.session.stop_requested():
        raise RuntimeError("stopped in a whole training")


class HeldOut:
    """Gives a rank's batches of images that no epoch trains on, as often as it is iterated over."""

    def __init__(self, request: Request, ranks: Ranks, batches: int, is_test: bool) -> None:
        self.request = request
        images, labels, self.mean, self.deviation = request.session.held_out()
        half = len(labels) // 2  # the first one validates, the second one tests
        begin, end = (half, len(labels)) if is_test else (0, half)
        whole = (end - begin) // (ranks.world_size * request.batch_size)
        self.length = min(batches, whole) if batches > 0 else whole
        if self.length == 0:
            raise ValueError(f"{end - begin} held-out images: must be at least a batch for each rank")
        first, last = begin + ranks.rank, begin + self.length * request.batch_size * ranks.world_size
        self.images, self.labels = images[first : last : ranks.world_size], labels[first : last : ranks.world_size]
        self.batch_size = request.batch_size

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[list[torch.Tensor]]:
        for begin in range(0, self.length * self.batch_size, self.batch_size):
            stop_if_asked(self.request)
            chosen = slice(begin, begin + self.batch_size)
            images = self.images[chosen].to(torch.float32).div_(255).sub_(self.mean).div_(self.deviation)
            yield [images, self.labels[chosen]]


@dataclass
class Epoch:
    """Holds what an epoch's end leaves to be compared with that of other arms."""

    loss: float  # of its last step
    validation_loss: float
    validation_accuracy: float
    digest: str  # of all parameters


def digest_of(model: torch.nn.Module) -> str:
    digest = hashlib.sha256()
    for parameter in model.parameters():
        digest.update(parameter.detach().cpu().contiguous().view(torch.uint8).numpy())
    return digest.hexdigest()[:16]


class IsEnough:
    """Says when a training ends early, as Lightning's EarlyStopping does: no validation loss below the least one so far, or one
    that is not finite."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.least = math.inf
        self.waited = 0

    def after(self, loss: float) -> bool:
        self.waited = 0 if loss < self.least else self.waited + 1
        self.least = min(self.least, loss)
        return self.patience > 0 and (self.waited >= self.patience or not math.isfinite(loss))

    def state(self) -> dict[str, float]:
        return {"least": self.least, "waited": self.waited}

    def take_state(self, kept: dict[str, float]) -> None:
        self.least, self.waited = kept["least"], int(kept["waited"])

"""What a LightningModule asks its Trainer for, where a loop by hand drives it."""

import math
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
import torch.distributed as dist
from lightning.pytorch import LightningDataModule, LightningModule
from lightning.pytorch.loggers.logger import DummyLogger

from ddpbench_arms.stepped import Batches


def number_in(variable: str, default: int) -> int:
    return int(os.environ.get(variable, default))


class StandInTrainer:
    """As Lightning's Trainer in the arm beside it: one epoch without an end, no logger, no checkpoint, no bar.

    What it does not have is an AttributeError that says so.
    """

    current_epoch = 0
    max_epochs = 1
    max_steps = -1
    num_training_batches = Batches.LENGTH
    training = True
    validating = testing = predicting = sanity_checking = False
    should_stop = is_last_batch = False
    logger = checkpoint_callback = progress_bar_callback = early_stopping_callback = datamodule = None

    def __init__(
        self, device: torch.device | str = "cpu", accumulate: int = 1, clip_norm: float = 0, precision: str = "32-true"
    ) -> None:
        is_met = dist.is_initialized()
        self.global_rank = dist.get_rank() if is_met else 0
        self.world_size = dist.get_world_size() if is_met else 1
        self.local_rank = number_in("LOCAL_RANK", 0)
        self.num_devices = number_in("LOCAL_WORLD_SIZE", self.world_size)
        self.num_nodes = max(1, self.world_size // max(1, self.num_devices))
        self.node_rank = self.global_rank // max(1, self.num_devices)
        self.is_global_zero = self.global_rank == 0
        self.accumulate_grad_batches = accumulate
        self.gradient_clip_val = clip_norm or None
        self.precision = precision
        self.estimated_stepping_batches = math.ceil(Batches.LENGTH / accumulate)
        self.loggers: list[Any] = []
        self.callbacks: list[Any] = []
        self.callback_metrics: dict[str, Any] = {}
        self.logged_metrics: dict[str, Any] = {}
        self.progress_bar_metrics: dict[str, Any] = {}
        self.optimizers: list[torch.optim.Optimizer] = []
        self.lr_scheduler_configs: list[Any] = []
        self.steps: Callable[[], int] = lambda: 0
        self.strategy = SimpleNamespace(_lightning_optimizers=[], root_device=torch.device(device), barrier=barrier)

    @property
    def global_step(self) -> int:
        """Counts the optimizer steps so far."""
        return self.steps()

    def configured(self, optimizer: torch.optim.Optimizer, schedulers: list[Any]) -> None:
        """Takes what configure_optimizers() gave, so that the module's optimizers() and lr_schedulers() give it back."""
        self.optimizers = [optimizer]
        self.strategy._lightning_optimizers = [optimizer]
        self.lr_scheduler_configs = [SimpleNamespace(scheduler=scheduler) for scheduler in schedulers]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the loop by hand has no Trainer.{name} (docs/frameworks.md says what it has)")


def barrier(name: str | None = None) -> None:
    if dist.is_initialized():
        dist.barrier()


def attach(owner: Any, trainer: StandInTrainer) -> None:
    """Puts the stand-in where the module, or what gives its data, asks for a Trainer."""
    if isinstance(owner, LightningModule | LightningDataModule):
        owner.trainer = trainer


SILENT = DummyLogger()


def with_logger(module: LightningModule) -> LightningModule:
    """Gives a module whose Trainer has no logger a `self.logger` that takes every call and does nothing: it is never None."""
    own = type(module)

    class Logged(own):
        @property
        def logger(self) -> Any:
            return super().logger or SILENT

    Logged.__name__, Logged.__qualname__, Logged.__module__ = own.__name__, own.__qualname__, own.__module__
    module.__class__ = Logged
    return module

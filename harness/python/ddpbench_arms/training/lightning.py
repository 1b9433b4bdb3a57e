"""A training by Lightning's Trainer: fit, with validation and a checkpoint at each epoch's end, and test."""

import contextlib
import functools
import gc
import re
from collections.abc import Iterator
from typing import Any

import torch
from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import Callback, EarlyStopping, ModelCheckpoint
from lightning.pytorch.profilers import Profiler
from torchmetrics.classification import MulticlassAccuracy

from ddpbench_arms import own_callback
from ddpbench_arms.cluster import LOGGERS
from ddpbench_arms.output import with_advice
from ddpbench_arms.ranks import BackendOfLaunch, without_group
from ddpbench_arms.trainer import OfLightning
from ddpbench_arms.training.parts import BOUNDARY, CHECKPOINT, METRIC, RESUME, TEST, VALIDATION, Parts
from ddpbench_arms.training.plan import Plan
from ddpbench_arms.training.whole_training import EpochOfBatches, WholeTraining

# Calls of the user's code and of callbacks that stand in no step; Lightning names each for its profilers.
WATCHED = re.compile(
    r"\[(?:Callback|LightningModule)\](?P<owner>.+)\."
    r"(?P<hook>(?:on|setup|prepare|configure|teardown)(?!_(?:train|validation|test)_batch|_before|_after|_gradient)\w*)$"
)
# Lightning's own, by the names of ours that are the same but for where they write, or that they are timed.
OF_LIGHTNING = {"TimedCheckpoint": "ModelCheckpoint", "BarInFile": "TQDMProgressBar"}


class Evaluated:
    """Adds validation, test and a schedule, as a user writes them."""

    plan: Plan
    accuracies: torch.nn.ModuleDict

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        self.evaluate(batch, "validation")

    def test_step(self, batch: Any, batch_idx: int) -> None:
        self.evaluate(batch, "test")

    def evaluate(self, batch: Any, name: str) -> None:
        inputs, labels = batch
        with self.marks.forward:
            logits = self.model(inputs)
        self.accuracies[name](logits, labels)
        self.log(f"{name}_loss", self.loss(logits, labels), sync_dist=True, batch_size=len(labels), on_epoch=True)
        self.log(f"{name}_accuracy", self.accuracies[name], on_step=False, on_epoch=True)

    def configure_optimizers(self) -> dict[str, Any]:
        optimizer = super().configure_optimizers()
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": self.plan.schedule(optimizer), "interval": "epoch"}}


class PartsClock(Callback):
    """Tells the parts of an epoch by Lightning's hooks."""

    def __init__(self, training: "LightningTraining") -> None:
        self.training = training
        self.parts = training.parts

    def on_train_batch_end(self, trainer: Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        if batch_idx + 1 == trainer.num_training_batches:
            self.training.end_steps(self.training.arm)

    def on_validation_start(self, trainer: Trainer, pl_module: Any) -> None:
        if not trainer.sanity_checking:
            self.parts.to(VALIDATION)

    def on_validation_batch_end(
        self, trainer: Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int, dataloader_idx: int = 0
    ) -> None:
        if not trainer.sanity_checking and batch_idx + 1 == len(self.training.validation):
            self.parts.to(METRIC)

    def on_validation_end(self, trainer: Trainer, pl_module: Any) -> None:
        if not trainer.sanity_checking:
            self.parts.to(BOUNDARY)

    def on_train_epoch_end(self, trainer: Trainer, pl_module: Any) -> None:
        values, loss = trainer.callback_metrics, pl_module.last_loss.detach() / trainer.accumulate_grad_batches
        self.training.end_epoch(pl_module.model, loss, values["validation_loss"], values["validation_accuracy"])


class CallClock(Profiler):
    """Times each call that stands in no step, by the part that it is in. What is none of them pays a look into a set."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.parts = parts
        self.open: dict[str, tuple[str, float]] = {}
        self.names: dict[str, str] = {}  # what is told of a call; "": it is not watched

    def name_of(self, action: str) -> str:
        match = WATCHED.match(action)
        if match is None:
            return ""
        owner = match["owner"].partition("{")[0].rpartition(".")[2]  # without its settings, and what it was defined in
        return "" if owner == PartsClock.__name__ else f"{OF_LIGHTNING.get(owner, owner)}.{match['hook']}"

    def start(self, action_name: str) -> None:
        if action_name not in self.names:
            self.names[action_name] = self.name_of(action_name)
        if self.names[action_name]:
            self.open[action_name] = self.parts.part, self.parts.spent_in(self.parts.part)

    def stop(self, action_name: str) -> None:
        if action_name not in self.open:
            return
        part, before = self.open.pop(action_name)
        self.parts.add_call(self.names[action_name], part, self.parts.spent_in(part) - before)

    def summary(self) -> str:
        return ""


class TimedCheckpoint(ModelCheckpoint):
    """Saves as Lightning's does."""

    def __init__(self, parts: Parts, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.parts = parts

    def _save_checkpoint(self, trainer: Trainer, filepath: str) -> None:
        with self.parts.within(CHECKPOINT):
            super()._save_checkpoint(trainer, filepath)

    def _remove_checkpoint(self, trainer: Trainer, filepath: str) -> None:
        with self.parts.within(CHECKPOINT):
            super()._remove_checkpoint(trainer, filepath)


class InterruptedFitError(Exception):
    """Ends a fit that is to go on from its checkpoint."""


class LightningTraining(WholeTraining):
    arm: OfLightning
    trainer: Trainer
    checkpoint = ""  # that an interrupted fit goes on from
    backend: BackendOfLaunch | None = None  # of a process group that Lightning makes; None: there is one

    @property
    def tells(self) -> bool:
        return self.request.has("messages") and not self.plan.is_warm_up

    def train(self) -> None:
        with self.telling():
            self.fit_and_test()

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """Where the arm has its messages, lets Lightning say all that it says in a process of its own; of the ranks, too."""
        if not self.tells:
            yield
            return
        with with_advice(*LOGGERS), without_group(self.ranks) if self.ranks.has_group else contextlib.nullcontext() as backend:
            self.backend = backend
            yield

    def fit_and_test(self) -> None:
        with contextlib.suppress(InterruptedFitError):
            self.fit()
        if self.checkpoint:
            self.arm.close()
            del self.arm, self.trainer
            gc.collect()  # the old one's memory is the new one's
            self.fit(self.checkpoint)
        with own_callback.telling_their_line(self.request), self.parts.within(TEST):
            told = self.trainer.test(self.trainer.lightning_module, self.test, verbose=self.tells)
        self.test_accuracy = told[0]["test_accuracy"]
        self.arm.close()

    def before_fetch(self, fetched: int) -> None:
        if self.checkpoint or self.plan.resume_step == 0 or self.trainer.global_step != self.plan.resume_step:
            return
        if fetched > 0:
            self.checkpoint = str(self.folder / "interrupted.ckpt")
            with self.parts.within(CHECKPOINT):
                self.trainer.save_checkpoint(self.checkpoint)
        else:  # there is one of the epoch's end
            (own,) = (callback for callback in self.trainer.checkpoint_callbacks if isinstance(callback, TimedCheckpoint))
            self.checkpoint = own.best_model_path
        self.parts.to(RESUME)
        raise InterruptedFitError

    def fit(self, checkpoint: str | None = None) -> None:
        """Trains from the first weights, or on from a checkpoint."""
        self.arm = arm = OfLightning(self.request, self.ranks)
        module = arm.module_of(arm.replica, Evaluated)
        module.plan = self.plan
        module.accuracies = torch.nn.ModuleDict(
            {name: MulticlassAccuracy(num_classes=self.request.classes, average="micro") for name in ("validation", "test")}
        )
        self.trainer = self.make_trainer(arm)
        with own_callback.telling_their_line(self.request):
            self.trainer.fit(module, EpochOfBatches(self, arm), self.validation, ckpt_path=checkpoint)

    def make_trainer(self, arm: OfLightning) -> Trainer:
        make_checkpoint = functools.partial(TimedCheckpoint, self.parts)
        surroundings = arm.surroundings(self.folder, make_checkpoint, PartsClock(self))
        if not self.request.has("checkpoint"):
            surroundings |= {"enable_checkpointing": True}
            surroundings["callbacks"].append(make_checkpoint(dirpath=self.folder / "checkpoints"))
        if self.plan.patience > 0:
            surroundings["callbacks"].append(EarlyStopping("validation_loss", patience=self.plan.patience))
        if self.tells:
            surroundings |= {"enable_model_summary": True, "enable_progress_bar": True}
        trainer = arm.make_trainer(
            max_epochs=self.plan.epochs, log_every_n_steps=arm.log_every_n_steps, profiler=CallClock(self.parts), **surroundings
        )
        if self.backend:
            trainer.strategy._process_group_backend = self.backend
        return trainer

"""Lightning's Trainer, whose loop is stepped (stepped.py)."""

import contextlib
import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from lightning.pytorch import LightningModule, Trainer
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, TQDMProgressBar
from lightning.pytorch.callbacks.progress.tqdm_progress import Tqdm
from lightning.pytorch.loggers import CSVLogger
from lightning.pytorch.strategies import DDPStrategy

from ddpbench_arms.arm import Arm
from ddpbench_arms.cluster import layout
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Marks, Replica, Request
from ddpbench_arms.stepped import Batches, SteppedLoop
from ddpbench_arms.whole_fit import EPOCHS, TRAIN_BATCHES, VALIDATION_BATCHES, Loader, Stamps, TimedCheckpoint, once_of

NEVER = 10**9  # steps
LOGGER_EVERY = 50  # steps; Lightning's default
EVERYTHING_OFF = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
WHOLE_FITS = 3
LONG_FIT_SECONDS = 5  # one is enough then


class Module(LightningModule):
    """What a user writes for Lightning. The marks stand where Lightning calls the user's own code."""

    def __init__(self, replica: Replica, marks: Marks) -> None:
        super().__init__()
        self.model = replica.model
        self.optimizer_of_replica = [replica.optimizer]  # in a list: nothing of it becomes a part of the module
        self.loss = replica.loss
        self.marks = marks
        self.last_loss: torch.Tensor | None = None
        self.is_updating = False
        replica.optimizer.register_step_post_hook(self.end_of_update)

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        images, labels = batch
        with self.marks.forward:
            loss = self.loss(self.model(images), labels)
        self.last_loss = loss
        return loss

    def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
        with self.marks.h2d:
            return super().transfer_batch_to_device(batch, device, dataloader_idx)

    def backward(self, loss: torch.Tensor) -> None:
        with self.marks.backward:
            loss.backward()

    def optimizer_zero_grad(self, epoch: int, batch_idx: int, optimizer: torch.optim.Optimizer) -> None:
        with self.marks.optimizer:
            optimizer.zero_grad()

    def on_before_optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
        self.marks.optimizer.__enter__()
        self.is_updating = True

    def end_of_update(self, *_: Any) -> None:
        """Behind the update; a loss scaler may leave that out, and then at the end of the step."""
        if self.is_updating:
            self.marks.optimizer.__exit__()
        self.is_updating = False

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return self.optimizer_of_replica[0]


class TypicalModule(Module):
    """The same with a loss and an accuracy logged and shown on the bar."""

    def __init__(self, replica: Replica, marks: Marks, classes: int) -> None:
        super().__init__(replica, marks)
        from torchmetrics.classification import MulticlassAccuracy

        self.accuracy = MulticlassAccuracy(num_classes=classes, average="micro")

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        images, labels = batch
        with self.marks.forward:
            logits = self.model(images)
            loss = self.loss(logits, labels)
        self.log("train_loss", loss, prog_bar=True)
        self.accuracy(logits, labels)
        self.log("train_accuracy", self.accuracy, prog_bar=True)
        self.last_loss = loss
        return loss


class Validated:
    """A module with validation: of whole fits."""

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        images, labels = batch
        self.loss(self.model(images), labels)


class ValidatedModule(Validated, Module):
    pass


class ValidatedTypicalModule(Validated, TypicalModule):
    pass


class BarInFile(TQDMProgressBar):
    """Lightning's bar, drawn as ever, into a file in place of the launch's terminal."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.file = open(path, "w", encoding="utf-8")  # noqa: SIM115  # as long as the bar

    # A bar keeps the stream that it finds.
    def init_train_tqdm(self) -> Tqdm:
        with contextlib.redirect_stdout(self.file):
            return super().init_train_tqdm()

    def init_sanity_tqdm(self) -> Tqdm:
        with contextlib.redirect_stdout(self.file):
            return super().init_sanity_tqdm()

    def init_validation_tqdm(self) -> Tqdm:
        with contextlib.redirect_stdout(self.file):
            return super().init_validation_tqdm()


def replace_by_nothing(owner: Any, method: str) -> None:
    """On this object only. A release without the method is told: replacing nothing would measure nothing."""
    if not callable(getattr(owner, method, None)):
        raise RuntimeError(f"this release of Lightning has no {type(owner).__name__}.{method}")
    setattr(owner, method, lambda: None)


class LightningArm(Arm):
    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request)
        self.ranks = ranks
        self.is_typical = "typical" in request.features
        self.folder = Path(request.scratch) / "frameworks" / request.name
        self.module = self._module(self.replica)
        surroundings = self._surroundings(self.folder, ModelCheckpoint)
        self.trainer = self._trainer(max_epochs=1, num_sanity_val_steps=0, log_every_n_steps=NEVER, **surroundings)
        self.loop = SteppedLoop(self._fit, request.session.next_batch)
        self.require_ddp(self.trainer.strategy.model if request.is_ddp else self.module)
        self.take_scaler(getattr(self.trainer.precision_plugin, "scaler", None))

    def _trainer(self, **arguments: Any) -> Trainer:
        trainer = Trainer(
            enable_model_summary=False,
            accumulate_grad_batches=self.accumulate,
            gradient_clip_val=self.clip_norm or None,
            default_root_dir=self.folder,
            **layout(self.request, self.ranks, DDPStrategy),
            **arguments,
        )
        # The launch's own handlers stay: Lightning's would make a SIGTERM a collective of this arm.
        replace_by_nothing(trainer._signal_connector, "register_signal_handlers")
        if "sigterm" not in self.request.features:
            replace_by_nothing(trainer.fit_loop.epoch_loop, "_broadcast_sigterm_tensor")
        return trainer

    def _module(self, replica: Replica, validated: bool = False) -> Module:
        if not self.is_typical:
            return (ValidatedModule if validated else Module)(replica, self.marks)
        return (ValidatedTypicalModule if validated else TypicalModule)(replica, self.marks, self.request.classes)

    def _surroundings(self, folder: Path, make_checkpoint: Callable[..., Callback], *callbacks: Callback) -> dict[str, Any]:
        """What stands around the loop beside `callbacks`; its files lie in `folder`."""
        if not self.is_typical:
            return EVERYTHING_OFF | {"callbacks": list(callbacks)}
        folder.mkdir(parents=True, exist_ok=True)
        bar = BarInFile(folder / f"bar.{self.ranks.rank}.txt")
        checkpoint = make_checkpoint(dirpath=folder / "checkpoints")
        return {"logger": CSVLogger(folder, name="csv"), "callbacks": [*callbacks, bar, checkpoint]}

    def _fit(self, batches: Batches) -> None:
        self.trainer.fit(self.module, batches)

    def step(self) -> torch.Tensor:
        with self.marks.wrapper:
            for _ in range(self.accumulate):
                self.loop.advance()
            self.module.end_of_update()
        self.end_step()
        loss, self.module.last_loss = self.module.last_loss, None
        if loss is None:
            raise RuntimeError("Lightning called no training_step")
        return loss / self.accumulate if self.accumulate > 1 else loss  # Lightning divides behind training_step

    def periodic_work(self) -> list[tuple[str, int, str]]:
        return [("logger", LOGGER_EVERY, "step_that_logs")] if self.is_typical else []

    def step_that_logs(self) -> None:
        self.trainer.log_every_n_steps = 1
        self.step()
        self.trainer.log_every_n_steps = NEVER

    def run_whole_trainings(self) -> None:
        for number in range(WHOLE_FITS):
            begin = time.perf_counter()
            self.once += self._whole_fit(self.folder / f"fit.{number}")
            if self.longest_over_ranks(time.perf_counter() - begin) > LONG_FIT_SECONDS:
                return

    def longest_over_ranks(self, seconds: float) -> float:
        """The same on all ranks, which must agree whether one more fit is made."""
        if not self.request.is_ddp:
            return seconds
        longest = torch.tensor([seconds], device=self.request.device)
        dist.all_reduce(longest, op=dist.ReduceOp.MAX)
        return longest.item()

    def _whole_fit(self, folder: Path) -> list[tuple[str, float]]:
        stamps = Stamps()
        module = self._module(Replica(self.request), validated=True)
        surroundings = self._surroundings(folder, functools.partial(TimedCheckpoint, stamps), stamps)
        train = Loader(TRAIN_BATCHES, self._next_batch_of_fit, stamps)
        validation = Loader(VALIDATION_BATCHES, self._next_batch_of_fit)
        began = time.perf_counter()
        trainer = self._trainer(max_epochs=EPOCHS, log_every_n_steps=TRAIN_BATCHES, **surroundings)
        trainer.fit(module, train, validation)
        return once_of(stamps, began, time.perf_counter())

    def _next_batch_of_fit(self) -> Any:
        if self.session.stop_requested():
            raise RuntimeError("stopped in a whole fit")
        return self.session.next_batch()

    def close(self) -> None:
        self.loop.end()

"""Lightning's Trainer, whose loop is stepped (stepped.py)."""

import contextlib
import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from lightning.pytorch import Trainer, strategies
from lightning.pytorch.callbacks import Callback, Checkpoint, ModelCheckpoint, ProgressBar, TQDMProgressBar
from lightning.pytorch.callbacks.progress.tqdm_progress import Tqdm
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
from packaging.version import Version

from ddpbench_arms import own_callback
from ddpbench_arms.arm import Arm
from ddpbench_arms.cluster import layout
from ddpbench_arms.modules import MarkedUpdate, Validated, make_module
from ddpbench_arms.own_module import marked_for_lightning
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Replica, Request
from ddpbench_arms.stepped import Batches, SteppedArm, SteppedLoop
from ddpbench_arms.table import version_of
from ddpbench_arms.whole_fit import EPOCHS, TRAIN_BATCHES, VALIDATION_BATCHES, Loader, Stamps, TimedCheckpoint, once_of

NEVER = 10**9  # steps
EVERYTHING_OFF = {
    "logger": False,
    "enable_checkpointing": False,
    "enable_progress_bar": False,
    "enable_model_summary": False,
}
LOGGERS = {"csv": CSVLogger, "tensorboard": TensorBoardLogger}  # by feature
SIGTERM_BROADCAST = "_broadcast_sigterm_tensor"
WHOLE_FITS = 3
LONG_FIT_SECONDS = 5  # one is enough then


class BarInFile(TQDMProgressBar):
    """Draws Lightning's bar as ever, into a file in place of the launch's terminal."""

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
    """Makes a method of this object alone do nothing. Raises where the release lacks it: replacing nothing measures nothing."""
    if not callable(getattr(owner, method, None)):
        raise RuntimeError(f"this release of Lightning has no {type(owner).__name__}.{method}")
    setattr(owner, method, lambda: None)


def has_broadcast() -> bool:
    """Says whether this release has the broadcast that can be left out: before 2.5.2 there was none."""
    return Version(version_of("lightning")) >= Version("2.5.2")


class OfLightning(Arm):
    """Holds what the Trainer of an arm gets, by its features."""

    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.folder = Path(request.scratch) / "frameworks" / request.name
        self.log_every_n_steps = self.wanted_log_every_n_steps()
        self.sigterm_every = int(request.value_of("sigterm")) if request.has("sigterm") else NEVER

    def make_trainer(self, **arguments: Any) -> Trainer:
        if self.request.module:
            arguments["limit_val_batches"] = 0  # a whole set of the user's data, perhaps
        trainer = Trainer(
            accumulate_grad_batches=self.accumulate,
            gradient_clip_val=self.clip_norm or None,
            default_root_dir=self.folder,
            **layout(self.request, self.ranks, strategies),
            **arguments,
        )
        # The launch's own handlers stay: Lightning's would make a SIGTERM a collective of this arm.
        replace_by_nothing(trainer._signal_connector, "register_signal_handlers")
        if self.sigterm_every != 1 and has_broadcast():
            replace_by_nothing(trainer.fit_loop.epoch_loop, SIGTERM_BROADCAST)
        return trainer

    def module_of(self, replica: Replica, *more: type) -> MarkedUpdate:
        if self.request.module:
            return marked_for_lightning(replica, self.marks)
        return make_module(self.request, replica, self.marks, *more)

    def surroundings(self, folder: Path, make_checkpoint: Callable[..., Callback], *callbacks: Callback) -> dict[str, Any]:
        """What stands around the loop beside `callbacks`, by the arm's features; its files lie in `folder`."""
        own = own_callback.wanted_by(self.request)
        arguments: dict[str, Any] = EVERYTHING_OFF | {
            "callbacks": [*own, *callbacks],  # what we note comes behind what the user's do
            "enable_checkpointing": any(isinstance(callback, Checkpoint) for callback in own),
            "enable_progress_bar": any(isinstance(callback, ProgressBar) for callback in own),
        }
        folder.mkdir(parents=True, exist_ok=True)
        if self.request.has("bar"):
            arguments |= {"enable_progress_bar": True}
            arguments["callbacks"].append(BarInFile(folder / f"bar.{self.ranks.rank}.txt"))
        arguments |= {"logger": [LOGGERS[name](folder, name=name) for name in self.loggers()] or False}
        if self.request.has("checkpoint"):
            arguments |= {"enable_checkpointing": True}
            arguments["callbacks"].append(make_checkpoint(dirpath=folder / "checkpoints"))
        return arguments

    def loggers(self) -> list[str]:
        return [name for name in LOGGERS if self.request.has(name)]

    def wanted_log_every_n_steps(self) -> int:
        """Lightning has one number for all loggers."""
        numbers = {int(self.request.value_of(name)) for name in self.loggers()} or {NEVER}
        if len(numbers) > 1:
            raise ValueError("csv=N and tensorboard=M: must be equal, for Lightning has one log_every_n_steps for all loggers")
        return numbers.pop()


class LightningArm(OfLightning, SteppedArm):
    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.module = self.module_of(self.replica)
        surroundings = self.surroundings(self.folder, ModelCheckpoint)
        self.trainer = self.make_trainer(max_epochs=1, num_sanity_val_steps=0, log_every_n_steps=NEVER, **surroundings)
        self.loop = SteppedLoop(self._fit, self.next_batch)
        self.strategy.require_wrapped(self.module, self.trainer.strategy.model)
        self.take_scaler(getattr(self.trainer.precision_plugin, "scaler", None))

    def _fit(self, batches: Batches) -> None:
        with own_callback.telling_their_line(self.request):
            self.trainer.fit(self.module, batches)
            own_callback.require_no_stop(self.request, self.trainer)

    def step(self) -> torch.Tensor:
        with self.marks.wrapper:
            for _ in range(self.accumulate):
                self.loop.advance()
            self.module.end_of_update()
        self.end_step()
        return self.loss_kept_by(self.module)

    def periodic_work(self) -> list[tuple[str, int, str]]:
        works = [("loggers", self.log_every_n_steps, "step_that_logs")] if self.loggers() else []
        if 1 < self.sigterm_every < NEVER and has_broadcast():
            works.append(("sigterm", self.sigterm_every, "step_that_broadcasts"))
        return works

    def step_that_logs(self) -> None:
        self.trainer.log_every_n_steps = 1
        self.step()
        self.trainer.log_every_n_steps = NEVER

    def step_that_broadcasts(self) -> None:
        loop = self.trainer.fit_loop.epoch_loop
        delattr(loop, SIGTERM_BROADCAST)  # Lightning's own is there again
        self.step()
        replace_by_nothing(loop, SIGTERM_BROADCAST)

    def run_whole_trainings(self) -> None:
        for number in range(WHOLE_FITS):
            begin = time.perf_counter()
            self.once += self._whole_fit(self.folder / f"fit.{number}")
            if self.longest_over_ranks(time.perf_counter() - begin) > LONG_FIT_SECONDS:
                return

    def longest_over_ranks(self, seconds: float) -> float:
        """Returns the largest of all ranks' values, so that they agree whether one more fit is made."""
        if not self.ranks.has_group:
            return seconds
        longest = torch.tensor([seconds], device=self.request.device)
        dist.all_reduce(longest, op=dist.ReduceOp.MAX)
        return longest.item()

    def _whole_fit(self, folder: Path) -> list[tuple[str, float]]:
        stamps = Stamps()
        module = self.module_of(self.make_replica(self.request), Validated)
        surroundings = self.surroundings(folder, functools.partial(TimedCheckpoint, stamps), stamps)
        train = Loader(TRAIN_BATCHES, self._next_batch_of_fit, stamps)
        validation = None if self.request.module else Loader(VALIDATION_BATCHES, self._next_batch_of_fit)
        began = time.perf_counter()
        trainer = self.make_trainer(max_epochs=EPOCHS, log_every_n_steps=TRAIN_BATCHES, **surroundings)
        with own_callback.telling_their_line(self.request):
            trainer.fit(module, train, validation)
            own_callback.require_no_stop(self.request, trainer)
        return once_of(stamps, began, time.perf_counter())

    def _next_batch_of_fit(self) -> Any:
        if self.session.stop_requested():
            raise RuntimeError("stopped in a whole fit")
        return self.next_batch()

"""A LightningModule of the user's own ([modules] of an experiment): how it is made, and what a loop by hand needs of it."""

import contextlib
import inspect
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.distributed as dist
from lightning.fabric.utilities import move_data_to_device
from lightning.pytorch import LightningDataModule, LightningModule
from lightning.pytorch.utilities.seed import isolate_rng
from lightning_utilities.core.apply_func import apply_to_collection
from torch import nn
from torch.utils.data import DataLoader

from ddpbench_arms.modules import MarkedUpdate
from ddpbench_arms.own_file import named
from ddpbench_arms.own_loader import SEED, seed
from ddpbench_arms.replica import Marks, Replica, Request
from ddpbench_arms.stand_in import StandInTrainer, attach, with_logger

MOST_BATCHES = 64  # of a rank; then they come again
MOST_BYTES = 512 * 1024 * 1024

# Hooks that a loop by hand calls where Lightning does.
CALLED = (
    "on_train_batch_start",
    "on_before_zero_grad",
    "on_before_backward",
    "on_after_backward",
    "on_before_optimizer_step",
    "on_train_batch_end",
)
# Hooks by which a module takes over a part of Lightning's step.
REPLACING = (
    "backward",
    "configure_callbacks",
    "configure_gradient_clipping",
    "lr_scheduler_step",
    "on_after_batch_transfer",
    "on_before_batch_transfer",
    "optimizer_step",
    "optimizer_zero_grad",
    "transfer_batch_to_device",
)


@dataclass
class Made:
    """Holds what `FILE.py:Class` gave: a module, and where its batches come from (itself where nothing else is said)."""

    module: LightningModule
    data: Any


@dataclass
class Optimizers:
    optimizer: torch.optim.Optimizer
    schedulers: list[Any] = field(default_factory=list)  # those that step at every batch
    all_schedulers: list[Any] = field(default_factory=list)  # those of an epoch's end too


@contextlib.contextmanager
def drawn_from_the_seed() -> Iterator[None]:
    """Draws the random numbers inside from the seed, the same on every rank, and puts the process's own state back behind it."""
    with isolate_rng():
        seed(SEED)
        yield


def is_module_class(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, LightningModule)


def make(where: str) -> Made:
    """Makes the user's module, always with the same weights."""
    with drawn_from_the_seed():
        made = named(where, is_module_class, "LightningModules")()
    module, data = made if isinstance(made, tuple) and len(made) == 2 else (made, made)
    if not isinstance(module, LightningModule):
        raise ValueError(
            f"{where} made a {type(made).__name__}: must be a LightningModule, or a pair of one and its data"
            " (a LightningDataModule or a loader)"
        )
    return Made(with_logger(module), data)


def attached(data: Any, trainer: StandInTrainer | None = None) -> Any:
    """Returns where batches come from, with a trainer for them to ask. Raises where Lightning would do more to them."""
    attach(data, trainer or StandInTrainer())
    if isinstance(data, LightningDataModule):
        require_no_hooks(data, LightningDataModule)
    return data


def loader_of(data: Any) -> Iterable[Any]:
    if isinstance(data, LightningModule | LightningDataModule):
        if os.environ.get("LOCAL_RANK", "0") == "0":
            data.prepare_data()
        if dist.is_initialized():
            dist.barrier()
        data.setup("fit")
        data = data.train_dataloader()
    several = isinstance(data, dict) or (isinstance(data, list | tuple) and any(isinstance(part, DataLoader) for part in data))
    if several:
        raise ValueError("train_dataloader() gives several loaders: a loop by hand takes one")
    return data


def tensors_of(batch: Any) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    apply_to_collection(batch, torch.Tensor, found.append)
    return found


def to_device(batch: Any, device: torch.device) -> Any:
    """Moves tensors as a hand-written loop does, other types as Lightning does."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device, non_blocking=True)
    if type(batch) is dict:
        return {key: to_device(part, device) for key, part in batch.items()}
    if type(batch) in (list, tuple):
        return type(batch)(to_device(part, device) for part in batch)
    return move_data_to_device(batch, device)


def first_of(batches: Iterable[Any]) -> Iterator[Any]:
    """Returns as many batches as are kept."""
    kept = 0
    for batch in itertools.islice(batches, MOST_BATCHES):
        kept += sum(tensor.nbytes for tensor in tensors_of(batch))
        yield batch
        if kept > MOST_BYTES:
            return


@dataclass
class Batches:
    """Holds what was read, and how often each of its tensors had been written to by then."""

    batches: list[Any]
    tensors: list[tuple[torch.Tensor, int]]

    def require_unchanged(self) -> None:
        if any(tensor._version != version for tensor, version in self.tensors):
            raise ValueError("training_step writes into its batch, which all arms get: clone what it writes to")


READ: dict[str, Batches] = {}  # by what made them: read once a process, given to all arms


def batches_of(where: str) -> Batches:
    """Returns the loader's first batches that are this rank's: every n-th of n ranks."""
    if where not in READ:
        rank, ranks = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
        data = attached(make(where).data)
        with drawn_from_the_seed():
            batches = list(first_of(itertools.islice(loader_of(data), rank, None, ranks)))
        READ[where] = Batches(batches, [(tensor, tensor._version) for tensor in tensors_of(batches)])
        if not batches:
            raise ValueError(f"{where}: train_dataloader() has fewer batches than there are ranks ({ranks})")
    return READ[where]


def optimizers_of(configured: Any) -> Optimizers:
    """Returns the optimizers of what configure_optimizers() gave, in any of the forms that Lightning takes."""
    schedulers: list[Any] = []
    if isinstance(configured, tuple | list) and len(configured) == 2 and isinstance(configured[0], tuple | list):
        configured, schedulers = configured
    if not isinstance(schedulers, tuple | list):
        schedulers = [schedulers]
    if isinstance(configured, tuple | list):
        if len(configured) != 1:
            raise ValueError(f"configure_optimizers() gives {len(configured)} optimizers: a loop by hand drives one")
        configured = configured[0]
    if isinstance(configured, dict):
        schedulers = [configured[key] for key in ("lr_scheduler",) if key in configured]
        configured = configured["optimizer"]
    if isinstance(configured, torch.optim.LBFGS):
        raise ValueError("configure_optimizers() gives LBFGS: it runs the model several times in one step, a loop by hand once")
    if not isinstance(configured, torch.optim.Optimizer):
        raise ValueError(f"configure_optimizers() gives {type(configured).__name__}: a loop by hand needs an optimizer")
    return Optimizers(
        configured,
        [scheduler for given in schedulers for scheduler in stepped_at_every_batch(given)],
        [given["scheduler"] if isinstance(given, dict) else given for given in schedulers],
    )


def stepped_at_every_batch(given: Any) -> list[Any]:
    """Returns [the scheduler], or [] where it steps at an epoch's end, which no launch reaches."""
    scheduler = given["scheduler"] if isinstance(given, dict) else given
    if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
        raise ValueError("configure_optimizers() gives ReduceLROnPlateau: it needs a metric of validation, which no launch has")
    if not isinstance(given, dict) or given.get("interval", "epoch") == "epoch":
        return []
    if given.get("frequency", 1) != 1:
        raise ValueError("configure_optimizers() gives a scheduler of every n-th step: a loop by hand steps it at every batch")
    return [given["scheduler"]]


def is_own(hook: str, owner: Any, base: type = LightningModule) -> bool:
    return getattr(type(owner), hook, None) is not getattr(base, hook, None)


def require_drivable(module: LightningModule) -> None:
    """Raises where a hand-written loop cannot drive the module."""
    name = type(module).__name__
    if not module.automatic_optimization:
        raise ValueError(
            f"{name} has manual optimisation: a loop by hand cannot step its optimizer in its place;"
            " with automatic_optimization = True it can be measured"
        )
    require_no_hooks(module, LightningModule)


def require_no_hooks(owner: Any, base: type) -> None:
    taken = [hook for hook in REPLACING if is_own(hook, owner, base)]
    if taken:
        made = type(owner).__name__
        raise ValueError(f"{made} has its own {', '.join(taken)}: a part of Lightning's loop, which a loop by hand does not have")


def loss_of(result: Any) -> torch.Tensor:
    loss = result.get("loss") if isinstance(result, dict) else result
    if not isinstance(loss, torch.Tensor):
        raise ValueError(f"training_step gave {type(result).__name__}: must be a loss, or a dict with one")
    return loss


def begin_training(
    module: LightningModule, trainer: StandInTrainer, place: Callable[[], Any], checked: Callable[[Any], Optimizers]
) -> Optimizers:
    """Does all that Lightning does with a module before its first batch, in its order. `place`: puts it where it is trained."""
    module.log = module.log_dict = nothing
    attach(module, trainer)
    module.setup("fit")
    module.configure_model()
    place()  # what these have added too
    module.on_fit_start()
    optimizers = checked(module.configure_optimizers())
    trainer.configured(optimizers.optimizer, optimizers.all_schedulers)
    module.on_train_start()
    module.on_train_epoch_start()
    return optimizers


def nothing(*_: Any, **__: Any) -> None:
    """Does nothing, in the place of log() and log_dict(): what they do is Lightning's."""


class OwnReplica(Replica):
    """Puts the user's module in the place of a twin of the workload's. Its driver configures the optimizer."""

    def __init__(self, request: Request) -> None:
        self.where = request.own_code["module"][request.module]
        self.model = request.strategy.prepare(make(self.where).module).to(request.device)
        require_drivable(self.model)
        self.optimizer: torch.optim.Optimizer | None = None
        self.scaler: torch.amp.GradScaler | None = None
        self.session = request.session
        self.batches = None if request.has("loader") else batches_of(self.where)

    def configured(self, configured: Any) -> Optimizers:
        """Returns what configure_optimizers() gave, checked and kept."""
        optimizers = optimizers_of(configured)
        self.optimizer = optimizers.optimizer
        return optimizers

    def next_batch(self) -> Any:
        return self.batches.batches[self.session.skip_batch() % len(self.batches.batches)]

    def check(self) -> None:
        if self.batches:
            self.batches.require_unchanged()


class Step(nn.Module):
    """Is the module as DistributedDataParallel wraps it by hand: its forward is the training step."""

    def __init__(self, module: LightningModule) -> None:
        super().__init__()
        self.module = module
        self.takes_index = len(inspect.signature(module.training_step).parameters) > 1

    def forward(self, batch: Any, index: int) -> Any:
        return self.module.training_step(batch, index) if self.takes_index else self.module.training_step(batch)


def marked_for_lightning(replica: OwnReplica, marks: Marks) -> LightningModule:
    """Returns the module with the marks of a step's phases around the user's own code, for Lightning to drive."""
    module = replica.model
    own = type(module)

    class Marked(MarkedUpdate, own):
        def _step(self, *arguments: Any) -> Any:
            with marks.forward:
                result = own.training_step(self, *arguments)
            self.last_loss = loss_of(result)
            return result

        def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
            with marks.h2d:
                return super().transfer_batch_to_device(batch, device, dataloader_idx)

        def on_before_optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
            own.on_before_optimizer_step(self, optimizer)
            MarkedUpdate.on_before_optimizer_step(self, optimizer)

        def backward(self, loss: torch.Tensor) -> None:
            with marks.backward:
                loss.backward()

        def optimizer_zero_grad(self, epoch: int, batch_idx: int, optimizer: torch.optim.Optimizer) -> None:
            with marks.zero_grad:
                optimizer.zero_grad()

        def configure_optimizers(self) -> Any:
            configured = super().configure_optimizers()
            replica.configured(configured).optimizer.register_step_post_hook(self.end_of_update)
            return configured

    def step_with_index(self: Any, batch: Any, batch_idx: int) -> Any:
        return self._step(batch, batch_idx)

    def step_of_a_batch(self: Any, batch: Any) -> Any:
        return self._step(batch)

    # Lightning looks at its parameters.
    Marked.training_step = step_with_index if Step(module).takes_index else step_of_a_batch
    Marked.__name__, Marked.__qualname__ = own.__name__, own.__qualname__
    module.__class__ = Marked
    module.marks = marks
    module.last_loss = None
    return module

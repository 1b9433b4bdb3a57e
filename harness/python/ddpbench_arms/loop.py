"""A training loop of the user's own ([loops] of an experiment), stepped at its loader (stepped.py).

The loop is a function that takes what it needs by name (NAMES) and tells the loss of each batch: report(loss), or what it yields.
Its model and optimizer are those of the launch, or made by itself and told by report.trains(model, optimizer).
"""

import contextlib
import inspect
import signal
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from ddpbench_arms.output import ToldError
from ddpbench_arms.own_file import line_of, named, path_of
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request
from ddpbench_arms.stepped import Batches, LoopEndedError, SteppedArm, SteppedLoop

MOST_AHEAD = 64  # batches that a loop may fetch before it tells a loss
MOST_SECONDS_AT_ITS_END = 20
PLAIN_FORM = "train(model, loader, optimizer, report)"
BACKWARD = torch.autograd.backward
OPEN_KINDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

# What a loop may ask for by name.
NAMES = {
    "model": "the network of the workload, wrapped as the launch's strategy does: DistributedDataParallel",
    "network": "the same, not wrapped: for a framework that wraps it",
    "optimizer": "the workload's, over its parameters",
    "loader": "batches (inputs, labels), on the device",
    "report": "is called with the loss of each batch",
    "loss_function": "the workload's",
    "device": "of the launch",
    "autocast": "autocast() of the launch's precision, for `with`",
    "scaler": "torch.amp.GradScaler, disabled but for amp_fp16",
    "accumulate": "micro-batches of an optimizer step",
    "no_sync": "no_sync(), for `with`: a micro-batch whose gradients do not meet",
    "clip_norm": "the norm to which gradients are clipped; 0: they are not",
}


def surroundings() -> dict[str, Any]:
    """Returns what a loop could change for the arms that run beside it in its thread."""
    return {
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "autocast": (torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled("cuda")),
        "anomaly mode": torch.is_anomaly_enabled(),
        "the default dtype": torch.get_default_dtype(),
        "the default device": torch.get_default_device(),
        "deterministic algorithms": torch.are_deterministic_algorithms_enabled(),
        "cudnn.benchmark": torch.backends.cudnn.benchmark,
        "the number of threads": torch.get_num_threads(),
    }


def tensors_of(model: nn.Module) -> list[torch.Tensor]:
    return [*model.parameters(), *model.buffers()]


@contextlib.contextmanager
def alarm(seconds: int, what: str) -> Iterator[None]:
    """Raises TimeoutError in the loop that stays inside so long (0: any)."""

    def ring(*_: Any) -> None:
        raise TimeoutError(f"the loop {what} for {seconds} s")

    if seconds == 0:
        yield
        return
    kept = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, kept)


def class_like(thing: Any, methods: dict[str, Any]) -> type:
    """Returns a class below that of `thing`, by its name, with these methods."""
    own = type(thing)
    return type(own.__name__, (own,), {"__module__": own.__module__, "__qualname__": own.__qualname__, **methods})


class Loader(Batches):
    """Gives the launch's batches, on the launch's device, and answers what loops ask of a DataLoader."""

    num_workers = 0
    drop_last = True
    batch_sampler = None

    class Sampler:
        def set_epoch(self, epoch: int) -> None:
            """Does nothing: the launch draws its batches."""

    sampler = Sampler()

    @property
    def dataset(self) -> range:
        return range(len(self))


class Report:
    """Is what a loop tells its losses to."""

    def __init__(self, arm: "LoopArm") -> None:
        self.arm = arm

    def __call__(self, loss: torch.Tensor | float) -> None:
        """Tells the loss of a batch: a tensor with one number, which nobody reads before the step's end, or a number."""
        if not isinstance(loss, torch.Tensor):
            if not isinstance(loss, int | float):
                raise ToldError(f"report(loss) was given {type(loss).__name__}: must be a loss, a tensor with one number")
            loss = torch.tensor(float(loss))
        elif loss.numel() != 1:
            raise ToldError(f"report(loss) was given a tensor of {loss.numel()} numbers: must be one")
        self.arm.losses.append(loss)

    def trains(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Tells, before the first batch, the model (not wrapped) and the optimizer that the loop made by itself."""
        self.arm.take_training(model, optimizer)


class LoopArm(SteppedArm):
    """Steps the user's loop. Of its phases are known: data and h2d by the loader, forward from the model's call until backward
    begins, backward, zero_grad and update; the rest is the wrapper's."""

    seconds_to_first_fetch = 0  # 0: any; a check sets it

    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.where = request.own_code["loop"][request.value_of("loop")]
        self.losses: list[torch.Tensor] = []  # told since the last step
        self.ahead = 0  # batches fetched whose loss was not told yet
        self.is_in_forward = False
        self.weights = [weight for _, weight in request.weights]
        self.before = surroundings()
        self.last_batch: tuple[torch.Tensor, torch.Tensor] | None = None
        self.again = 0  # so often the last batch is given once more
        self.train = self._function()
        self.asked = self._asked()
        self.is_told = False  # what it trains
        self.given = self._given()
        self.loop = self._begun()
        self.session.watch_stop_signals()  # the loop may have put handlers of its own in their place
        if not self.is_told:
            raise ToldError(
                f"{self.where}: takes neither model nor network, and did not call report.trains(model, optimizer) before its"
                f" first batch: must do one of the two, as in {PLAIN_FORM}"
            )

    def asks_for(self, *names: str) -> bool:
        return any(name in self.asked for name in names)

    def _function(self) -> Any:
        try:
            function = named(self.where, inspect.isfunction, "functions")
        except (Exception, SystemExit) as error:
            raise self._told(error) from error
        if not inspect.isfunction(function):
            raise ToldError(f"{self.where} is {type(function).__name__}: must be a function, {PLAIN_FORM}")
        return function

    def _asked(self) -> list[str]:
        """Returns the names of the function's parameters that are given: those of NAMES. Others must have a default."""
        parameters = inspect.signature(self.train).parameters.values()
        needed = [one.name for one in parameters if one.default is one.empty and one.kind not in OPEN_KINDS]
        unknown = [name for name in needed if name not in NAMES]
        if unknown:
            line = f"{path_of(self.where)}:{self.train.__code__.co_firstlineno}"
            raise ToldError(
                f"{line}: {self.train.__name__}() asks for {', '.join(unknown)}: must be some of {', '.join(NAMES)},"
                f" as in {PLAIN_FORM}"
            )
        return [one.name for one in parameters if one.name in NAMES]

    def _given(self) -> dict[str, Any]:
        """Returns what the function asks for, but for the loader."""
        model, optimizer = self.replica.model, self.replica.optimizer
        wrapped = self.strategy.wrap(model, optimizer) if self.asks_for("model", "no_sync") else model
        scaler = self.request.precision.scaler(self.device)
        if self.asks_for("scaler"):
            self.take_scaler(scaler)
        if self.asks_for("model", "network"):
            self.mark(wrapped if self.asks_for("model") else model, optimizer)
        every = {
            "model": wrapped,
            "network": model,
            "optimizer": optimizer,
            "report": Report(self),
            "loss_function": self.replica.loss,
            "device": self.device,
            "autocast": self.request.precision.autocast(self.device),
            "scaler": scaler or torch.amp.GradScaler(self.device.type, enabled=False),
            "accumulate": self.accumulate,
            "no_sync": self.strategy.no_sync_of(wrapped) if self.asks_for("no_sync") else None,
            "clip_norm": self.clip_norm,
        }
        return {name: every[name] for name in self.asked if name != "loader"}

    def _begun(self) -> SteppedLoop:
        """Returns the loop at its first fetch."""
        try:
            with alarm(self.seconds_to_first_fetch, "fetched no batch"):
                return SteppedLoop(self._run, self.batch, Loader)
        except (Exception, SystemExit) as error:
            raise self._told(error) from error

    def _run(self, loader: Batches) -> None:
        given = self.given | ({"loader": loader} if self.asks_for("loader") else {})
        losses = self.train(**given)
        if inspect.isgenerator(losses):
            report = Report(self)
            for loss in losses:
                report(loss)

    def _told(self, error: BaseException) -> ToldError:
        if isinstance(error, LoopEndedError):
            return ToldError(f"{self.where}: {self.train.__name__}() has ended by itself, before its data did")
        return ToldError(line_of(error, path_of(self.where)))

    def take_training(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Takes what the loop trains: with the launch's weights, and with marks around its forward, zero_grad and step."""
        have, must = ([tuple(tensor.shape) for tensor in tensors] for tensors in (tensors_of(model), self.weights))
        if have != must:
            raise ToldError(
                f"report.trains(model, optimizer): the model has {len(have)} tensors, {self.request.network} of this workload has"
                f" {len(must)}, or of other shapes: all arms of a launch train equal models"
            )
        with torch.no_grad():
            for tensor, weight in zip(tensors_of(model), self.weights, strict=True):
                tensor.copy_(weight)
        self.replica.model, self.replica.optimizer = model, optimizer
        self.mark(model, optimizer)

    def mark(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Puts marks around what is trained, by its classes: a copy of the model stays a copy."""
        self._mark_model(model)
        self._mark_optimizer(optimizer)
        self.is_told = True

    def _mark_model(self, model: nn.Module) -> None:
        arm = self

        def forward(model: nn.Module, *arguments: Any, **named_arguments: Any) -> Any:
            arm.enter_forward()
            return super(marked, model).forward(*arguments, **named_arguments)

        marked = class_like(model, {"forward": forward})
        model.__class__ = marked

    def _mark_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        arm = self

        def zero_grad(optimizer: torch.optim.Optimizer, *arguments: Any, **named_arguments: Any) -> None:
            arm.leave_forward()
            with arm.marks.zero_grad:
                super(marked, optimizer).zero_grad(*arguments, **named_arguments)

        def step(optimizer: torch.optim.Optimizer, *arguments: Any, **named_arguments: Any) -> Any:
            arm.leave_forward()
            with arm.marks.optimizer:
                return super(marked, optimizer).step(*arguments, **named_arguments)

        marked = class_like(optimizer, {"zero_grad": zero_grad, "step": step})
        optimizer.__class__ = marked

    def enter_forward(self) -> None:
        if not self.is_in_forward:
            self.marks.forward.__enter__()
            self.is_in_forward = True

    def leave_forward(self) -> None:
        if self.is_in_forward:
            self.marks.forward.__exit__()
            self.is_in_forward = False

    def backward(self, *arguments: Any, **named_arguments: Any) -> None:
        self.leave_forward()
        with self.marks.backward:
            BACKWARD(*arguments, **named_arguments)

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        self.ahead += 1
        if self.again > 0:
            self.again -= 1
        else:
            self.last_batch = super().batch()
        return self.last_batch

    def advance(self) -> None:
        """Runs the loop from fetch to fetch. Its own Tensor.backward() is marked meanwhile, and nobody else's."""
        torch.autograd.backward = self.backward
        try:
            self.loop.advance()
        except (Exception, SystemExit) as error:
            raise self._told(error) from error
        finally:
            torch.autograd.backward = BACKWARD
            self.leave_forward()

    def step(self) -> torch.Tensor:
        with self.marks.wrapper:
            while len(self.losses) < self.accumulate:
                self.advance()
                self.require_a_loss()
        self.end_step()
        self.ahead -= len(self.losses)
        loss, self.losses = self.losses[-1], []
        return loss

    def require_a_loss(self) -> None:
        untold = self.ahead - len(self.losses)
        name = f"{self.where}: {self.train.__name__}()"
        if untold > MOST_AHEAD + self.accumulate:
            raise ToldError(f"{name} has fetched {untold} batches and told no loss: must call report(loss) for each, or yield it")
        if len(self.losses) > self.accumulate or untold < 0:
            raise ToldError(f"{name} has told {len(self.losses)} losses of {self.ahead} batches: must tell one of each")

    def take_state(self, kept: list[torch.Tensor]) -> None:
        """Also lets a loop that looks ahead use up what it has fetched: what it holds then is of where the data stand now."""
        steps = -(-self.ahead // self.accumulate)
        self.again = steps * self.accumulate - self.ahead  # so that as many new ones are fetched as it holds
        for _ in range(steps):
            self.step()
        super().take_state(kept)

    def state(self) -> list[torch.Tensor]:
        self.require_own_tensors()
        return super().state()

    def require_own_tensors(self) -> None:
        have, must = len(tensors_of(self.replica.model)), len(self.weights)
        if have != must:
            raise ToldError(f"{self.where}: the loop has changed the model: it had {must} tensors, and has {have}")

    def quiesce(self) -> None:
        super().quiesce()
        self.session.watch_stop_signals()
        for name, value in surroundings().items():
            if value != self.before[name]:
                raise ToldError(
                    f"{self.where}: the loop has {name} at {value} while it fetches, and all other arms have {self.before[name]}:"
                    " must be set and put back between two fetches"
                )

    def close(self) -> None:
        """Ends the loop. What it raises behind its last batch is shown, and harms no measurement."""
        try:
            with alarm(MOST_SECONDS_AT_ITS_END, "has not ended behind its data"):
                super().close()
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            sys.stderr.write(f"behind its last batch: {line_of(error, path_of(self.where))}\n")

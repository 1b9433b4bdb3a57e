"""A training loop of the user's own ([loops] of an experiment), stepped at its loader (stepped.py).

The loop is a function that takes what it needs by name (NAMES) and tells the loss of each batch: report(loss), or what it yields.
Its model and optimizer are those of the launch, or made by itself and told by report.trains(model, optimizer).
"""

import inspect
import itertools
import sys
import traceback
from typing import Any

import greenlet
import torch
from torch import nn

from ddpbench_arms.loop_guard import LoopTimeoutError, alarm, surroundings
from ddpbench_arms.loop_marks import TrainingMarks
from ddpbench_arms.models import compile_in_place
from ddpbench_arms.output import ToldError
from ddpbench_arms.own_file import asked_by, line_of, line_of_code, named, path_of, place_in
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request
from ddpbench_arms.stepped import Batches, LoopEndedError, SteppedArm, SteppedLoop

MOST_AHEAD = 64  # batches that a loop may hold whose loss it has not told
MOST_SECONDS_AT_ITS_END = 20
PLAIN_FORM = "train(model, loader, optimizer, report)"
OF_THE_LOOP = (Exception, SystemExit, LoopTimeoutError)  # what it may raise

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


def function_of(where: str) -> Any:
    """Returns the user's function. Raises where there is none."""
    try:
        function = named(where, inspect.isfunction, "functions")
    except OF_THE_LOOP as error:
        raise ToldError(line_of(error, path_of(where))) from error
    if not inspect.isfunction(function):
        raise ToldError(f"{where} is {type(function).__name__}: must be a function, {PLAIN_FORM}")
    return function


def tensors_of(model: nn.Module) -> list[torch.Tensor]:
    return [*model.parameters(), *model.buffers()]


class Loader(Batches):
    """Gives the launch's batches, on the launch's device, and answers what loops ask of a DataLoader."""

    leave = greenlet.GreenletExit  # what stands behind the loop, as a checkpoint, is not run
    batch_size = 0  # of a rank
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

    def to(self, device: Any) -> "Loader":
        """Returns itself: its batches are on the launch's device."""
        return self


class Report:
    """Is what a loop tells its losses to."""

    def __init__(self, arm: "LoopArm") -> None:
        self.arm = arm

    def __call__(self, loss: torch.Tensor | float) -> None:
        """Tells the loss of a batch: a tensor with one number, which nobody reads before the step's end, or a number."""
        if not isinstance(loss, torch.Tensor):
            try:
                loss = torch.tensor(float(loss))
            except (TypeError, ValueError):
                raise ToldError(
                    f"{type(loss).__name__} was told as a loss: must be a tensor with one number, or a number"
                ) from None
        elif loss.numel() != 1:
            raise ToldError(f"a tensor of {loss.numel()} numbers was told as a loss: must be one")
        self.arm.loss = loss
        self.arm.told += 1

    def trains(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Tells, before the first batch, the model (not wrapped) and the optimizer that the loop made by itself."""
        self.arm.take_training(model, optimizer)


class LoopArm(SteppedArm):
    """Steps the user's loop. Data and h2d are the loader's phases, TrainingMarks knows others, the rest is the wrapper's."""

    seconds_to_first_fetch = 0  # 0: any; a check sets it

    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.where = request.own_code["loop"][request.value_of("loop")]
        self.loss: torch.Tensor | None = None  # told last
        self.told = 0  # losses since the last step
        self.ahead = 0  # batches fetched and not used up by a step
        self.training_marks = TrainingMarks(self.marks)
        self.steps = 0  # since a block's end
        self.weights = request.weights
        self.before: dict[str, Any] | None = surroundings()  # as the harness left them before the last steps
        self.last_batch: tuple[torch.Tensor, torch.Tensor] | None = None
        self.again = 0  # so often the last batch is given once more
        self.train = function_of(self.where)
        self.asked = asked_by(self.train, self.where, NAMES, PLAIN_FORM)
        self.require_asked()
        self.is_told = False  # what it trains
        self.given = self._given()
        self.loop = None
        self.loop = self._begun()
        self.quiesce()
        if not self.is_told:
            raise ToldError(
                f"{self.where}: takes neither model nor network, and did not call report.trains(model, optimizer) before its"
                f" first batch: must do one of the two, as in {PLAIN_FORM}"
            )

    def asks_for(self, *names: str) -> bool:
        return any(name in self.asked for name in names)

    def require_asked(self) -> None:
        """Raises where the function does not take what the launch asks of its steps: nothing would tell whether it does it."""
        scaler = self.request.precision.scaler(self.device) is not None
        wanted = {"clip_norm": self.clip_norm > 0, "accumulate": self.accumulate > 1, "scaler": scaler}
        missing = [name for name, is_wanted in wanted.items() if is_wanted and not self.asks_for(name)]
        if missing:
            raise ToldError(
                f"{self.line()}: {self.train.__name__}() must take {' and '.join(missing)}, which this launch asks for"
            )
        if self.asks_for("no_sync") and not self.asks_for("model"):
            raise ToldError(f"{self.line()}: {self.train.__name__}() takes no_sync without model, which it is of")

    def line(self) -> str:
        return line_of_code(self.train, self.where)

    def _given(self) -> dict[str, Any]:
        """Returns what the function asks for, but for the loader."""
        model, optimizer = self.replica.model, self.replica.optimizer
        wrapped = self.strategy.wrap(model, optimizer) if self.asks_for("model") else model
        scaler = self.request.precision.scaler(self.device)
        if self.asks_for("scaler"):
            self.take_scaler(scaler)
        if self.asks_for("model", "network"):
            self.training_marks.mark(wrapped if self.asks_for("model") else model, optimizer)
            self.is_told = True
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
        except OF_THE_LOOP as error:
            raise self._told(error) from error

    def _run(self, loader: Batches) -> None:
        loader.batch_size = self.request.batch_size
        given = self.given | ({"loader": loader} if self.asks_for("loader") else {})
        losses = self.train(**given)
        if inspect.isgenerator(losses):
            report = Report(self)
            for loss in losses:
                report(loss)

    def _told(self, error: BaseException) -> ToldError:
        if isinstance(error, LoopEndedError):
            return ToldError(f"{self.line()}: {self.train.__name__}() has ended by itself: must fetch on, for its data never end")
        if isinstance(error, greenlet.error):
            place = place_in(path_of(self.where), error)
            return ToldError(f"{place}: a batch is fetched on another thread: must be fetched on the loop's own")
        return ToldError(line_of(error, path_of(self.where)))

    def take_training(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Takes what the loop trains: with the launch's weights, and with marks around its forward, zero_grad and step."""
        call = "report.trains(model, optimizer)"
        if self.is_told or self.loop is not None:
            raise ToldError(
                f"{call}: must be called once, before the first batch, by a function that takes no model and no network"
            )
        if "step" in vars(optimizer):
            raise ToldError(f"{call}: must come before a scheduler is made of the optimizer")
        have = [list(tensor.shape) for tensor in tensors_of(model)]
        must = [(name, list(weight.shape)) for name, weight in self.weights]
        for own, (name, shape) in itertools.zip_longest(have, must, fillvalue=("nothing", "nothing")):
            if own != shape:
                raise ToldError(
                    f"{call}: the model has {own} where {self.request.network} of this workload has {name}, {shape}:"
                    " all arms of a launch train equal models"
                )
        with torch.no_grad():
            for tensor, (_, weight) in zip(tensors_of(model), self.weights, strict=True):
                tensor.copy_(weight)
        if self.request.is_compiled:
            compile_in_place(model)
        self.replica.model, self.replica.optimizer = model, optimizer
        self.training_marks.mark(model, optimizer)
        self.is_told = True

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        self.ahead += 1
        if self.again > 0:
            self.again -= 1
        else:
            self.last_batch = super().batch()
        return self.last_batch

    def advance(self) -> None:
        """Runs the loop from fetch to fetch. Its own Tensor.backward() is marked meanwhile, and nobody else's."""
        if self.before is None:
            self.before = surroundings()  # in the first step of a block, which nobody times
        self.training_marks.begin()
        try:
            self.loop.advance()
        except OF_THE_LOOP as error:
            raise self._told(error) from error
        finally:
            self.training_marks.end()

    def step(self) -> torch.Tensor:
        with self.marks.wrapper:
            while self.told < self.accumulate:
                self.advance()
                if self.told != 1 or self.ahead > MOST_AHEAD:  # of most loops never: a call is not free
                    self.require_losses()
        self.end_step()
        self.ahead -= self.told
        self.told = 0
        self.steps += 1
        loss, self.loss = self.loss, None
        return loss

    def require_losses(self) -> None:
        """Raises where too many losses were told, or too few."""
        untold = self.ahead - self.told
        name = f"{self.line()}: {self.train.__name__}()"
        if untold > MOST_AHEAD:
            raise ToldError(f"{name} has told no loss of {untold} of its batches: must call report(loss) for each, or yield it")
        if self.told > self.accumulate or untold < 0:
            raise ToldError(f"{name} has told {self.told} losses of {self.ahead} batches: must tell one of each")

    def take_state(self, kept: list[torch.Tensor]) -> None:
        """Also lets a loop that looks ahead use up what it has fetched: what it holds then is of where the data stand now."""
        self.renew_loader()
        steps = -(-self.ahead // self.accumulate)
        self.again = steps * self.accumulate - self.ahead  # so that as many new ones are fetched as it holds
        with torch.enable_grad():  # who puts a state back needs none
            for _ in range(steps):
                self.step()
        self.strategy.take_state(self.replica, kept)  # no more of the loader: the loop holds its first batches

    def state(self) -> list[torch.Tensor]:
        self.require_own_tensors()
        return super().state()

    def require_own_tensors(self) -> None:
        """Raises where the loop trains in another way than its reference, so that no comparison of tensors would say why."""
        have, must = len(tensors_of(self.replica.model)), len(self.weights)
        if have != must:
            raise ToldError(f"{self.line()}: the loop has changed the model: it had {must} tensors, and has {have}")
        rate = self.request.hyperparameters["lr"]
        for group in self.replica.optimizer.param_groups:
            if float(group["lr"]) != rate:
                raise ToldError(
                    f"{self.line()}: the loop trains with a learning rate of {float(group['lr']):g}, its reference with {rate:g}:"
                    " must be the same; a scheduler that keeps it costs as much (LambdaLR(optimizer, lambda step: 1.0))"
                )

    def quiesce(self) -> None:
        super().quiesce()
        self.session.watch_stop_signals()  # the loop may have put handlers of its own in their place
        self.require_whole_steps()
        before, self.before = self.before, None
        for name, value in ({} if before is None else surroundings()).items():
            if value != before[name]:
                raise ToldError(
                    f"{self.line()}: the loop has {name} at {value} while it fetches, and all other arms have {before[name]}:"
                    " must be set and put back between two fetches"
                )

    def require_whole_steps(self) -> None:
        """Raises where a step of the block went without its backward or its update: no comparison at the start would tell."""
        marks = self.training_marks
        backwards, updates, steps = marks.backwards, marks.updates, self.steps
        marks.backwards = marks.updates = self.steps = 0
        may_skip = self.replica.scaler is not None
        if backwards < steps * self.accumulate or (updates < steps and not may_skip):
            made = f"in {steps} steps the loop called backward() {backwards} times and step() of its optimizer {updates} times"
            raise ToldError(f"{self.line()}: {made}: must do both in each, with the optimizer that it was given or told")

    def close(self) -> None:
        """Ends the loop. What it raises behind its last batch is shown, and harms no measurement."""
        try:
            with alarm(MOST_SECONDS_AT_ITS_END, "has not ended behind its data"):
                super().close()
        except OF_THE_LOOP as error:
            traceback.print_exc()
            sys.stderr.write(f"behind its last batch: {line_of(error, path_of(self.where))}\n")

"""Hugging Face's Trainer, whose loop is stepped (stepped.py)."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import greenlet
import torch
from transformers import PrinterCallback, ProgressCallback, Trainer, TrainingArguments

from ddpbench_arms.accelerated import environment_for, set_gradient_state_apart
from ddpbench_arms.arm import Arm
from ddpbench_arms.output import leave_advice_out
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Marks, Replica, Request
from ddpbench_arms.stepped import Batches, SteppedArm, SteppedLoop

NEVER = Batches.LENGTH  # steps

leave_advice_out("transformers")


def by_names(batch: Any) -> dict[str, torch.Tensor]:
    """Returns a batch as Trainer takes it: by the names of a model's arguments."""
    inputs, labels = batch
    return {"inputs": inputs, "labels": labels}


class Loader(Batches):
    leave = greenlet.GreenletExit  # behind the end of its data Trainer makes empty updates until max_steps

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        while True:
            yield by_names(next(self))


class MarkedTrainer(Trainer):
    """Is what a user writes for Trainer: data and loss. The marks stand where it calls them."""

    def __init__(self, replica: Replica, marks: Marks, **arguments: Any) -> None:
        self.loss_of = replica.loss
        self.marks = marks
        self.batches: Any = None  # its loader
        self.last_loss: torch.Tensor | None = None
        super().__init__(model=replica.model, **arguments)

    def get_train_dataloader(self) -> Any:
        return self.batches

    def compute_loss(self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None) -> Any:
        with self.marks.forward:
            logits = model(inputs["inputs"])
            loss = self.loss_of(logits, inputs["labels"])
        if return_outputs:
            return loss, {"logits": logits}
        self.last_loss = loss
        return loss

    def _prepare_inputs(self, inputs: Any) -> Any:
        with self.marks.h2d:
            return super()._prepare_inputs(inputs)


class IntoFile:
    """Shows what a callback of Trainer's shows as ever, in a file in place of the launch's terminal."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.file = open(path, "w", encoding="utf-8")  # noqa: SIM115  # as long as the callback

    def on_train_begin(self, *arguments: Any, **named_arguments: Any) -> None:
        with contextlib.redirect_stderr(self.file):  # a bar keeps the stream that it finds
            super().on_train_begin(*arguments, **named_arguments)

    def on_log(self, *arguments: Any, **named_arguments: Any) -> None:
        with contextlib.redirect_stdout(self.file):
            super().on_log(*arguments, **named_arguments)


class BarInFile(IntoFile, ProgressCallback):
    pass


class LinesInFile(IntoFile, PrinterCallback):
    pass


def marked(mark: contextlib.AbstractContextManager, call: Callable) -> Callable:
    @functools.wraps(call)
    def within(*arguments: Any, **named_arguments: Any) -> Any:
        with mark:
            return call(*arguments, **named_arguments)

    return within


class UpdateMark:
    """Marks an update from the norm of its gradients, where one is taken, to its end."""

    def __init__(self, mark: contextlib.AbstractContextManager) -> None:
        self.mark = mark
        self.is_open = False

    def begin(self) -> None:
        if not self.is_open:
            self.mark.__enter__()
        self.is_open = True

    def begun_by(self, call: Callable) -> Callable:
        @functools.wraps(call)
        def beginning(*arguments: Any, **named_arguments: Any) -> Any:
            self.begin()
            return call(*arguments, **named_arguments)

        return beginning

    def ended_by(self, call: Callable) -> Callable:
        @functools.wraps(call)
        def ending(*arguments: Any, **named_arguments: Any) -> Any:
            self.begin()
            result = call(*arguments, **named_arguments)
            self.mark.__exit__(None, None, None)
            self.is_open = False
            return result

        return ending


class OfHfTrainer(Arm):
    """Holds what the Trainer of an arm gets, by its features."""

    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.folder = Path(request.scratch) / "frameworks" / request.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log_every_n_steps = int(request.value_of("logging_steps")) if request.has("logging_steps") else NEVER

    def make_trainer(self, make: type[MarkedTrainer], arguments: TrainingArguments, schedule: Any = None, **more: Any) -> Any:
        """Makes one of that class; call it in environment_for() the ranks."""
        trainer = make(self.replica, self.marks, args=arguments, optimizers=(self.replica.optimizer, schedule), **more)
        for handler in self.strategy.accelerate().get("kwargs_handlers", []):
            trainer.accelerator.ddp_handler = handler  # TrainingArguments has not all options of DistributedDataParallel
        trainer.remove_callback(PrinterCallback)
        if self.request.has("bar"):
            trainer.add_callback(BarInFile(self.folder / f"bar.{self.ranks.rank}.txt"))
        elif self.request.has("logging_steps"):
            trainer.add_callback(LinesInFile(self.folder / f"log.{self.ranks.rank}.txt"))
        return trainer

    def arguments(self, **more: Any) -> TrainingArguments:
        """Returns those of every Trainer of the arm, and `more`."""
        arguments = TrainingArguments(
            output_dir=str(self.folder),
            use_cpu=self.device.type == "cpu",
            bf16=self.request.precision.accelerate == "bf16",
            fp16=self.request.precision.accelerate == "fp16",
            gradient_accumulation_steps=self.accumulate,
            max_grad_norm=self.clip_norm,
            lr_scheduler_type="linear" if self.request.has("linear_schedule") else "constant",
            logging_strategy="steps" if self.request.has("logging_steps") else "no",
            logging_nan_inf_filter=self.request.has("nan_inf_filter"),
            report_to=[],
            disable_tqdm=True,
            **more,
        )
        arguments._n_gpu = min(1, arguments.n_gpu)  # else one process takes all GPUs that it sees, by DataParallel
        return arguments

    def mark(self, trainer: MarkedTrainer) -> None:
        """Puts marks around what Trainer calls beside the user's own code. When its training begins all of it is made."""
        marks = self.marks
        accelerator, optimizer, model = trainer.accelerator, trainer.optimizer, trainer.model_wrapped
        accelerator.backward = marked(marks.backward, accelerator.backward)
        update = UpdateMark(marks.optimizer)
        accelerator.clip_grad_norm_ = update.begun_by(accelerator.clip_grad_norm_)
        optimizer.step = update.ended_by(optimizer.step)
        model.zero_grad = marked(marks.zero_grad, model.zero_grad)


class HfTrainerArm(OfHfTrainer, SteppedArm):
    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        with environment_for(ranks):
            arguments = self.arguments(max_steps=NEVER, logging_steps=NEVER, save_strategy="no")
            self.trainer = self.make_trainer(MarkedTrainer, arguments)
            self.loop = SteppedLoop(self._fit, self.next_batch, Loader)
            set_gradient_state_apart(self.trainer.accelerator, self.trainer.optimizer)
        self.strategy.require_wrapped(self.replica.model, self.trainer.model_wrapped)
        self.take_scaler(self.trainer.accelerator.scaler)
        self.mark(self.trainer)

    def _fit(self, batches: Batches) -> None:
        self.trainer.batches = batches
        self.trainer.train()

    def step(self) -> torch.Tensor:
        with self.marks.wrapper:
            for _ in range(self.accumulate):
                self.loop.advance()
        self.end_step()
        return self.loss_kept_by(self.trainer)

    def periodic_work(self) -> list[tuple[str, int, str]]:
        return [("logging", self.log_every_n_steps, "step_that_logs")] if self.log_every_n_steps < NEVER else []

    def step_that_logs(self) -> None:
        self.trainer.state.logging_steps = 1
        self.step()
        self.trainer.state.logging_steps = NEVER

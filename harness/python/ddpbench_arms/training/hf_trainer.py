"""A training by Hugging Face's Trainer: train, with validation and a checkpoint at each epoch's end, and predict."""

import logging
import math
from collections.abc import Iterator
from typing import Any

import torch
from transformers import EarlyStoppingCallback, EvalPrediction, TrainerCallback

from ddpbench_arms.accelerated import environment_for
from ddpbench_arms.hf_trainer import MarkedTrainer, OfHfTrainer, by_names
from ddpbench_arms.training.parts import BOUNDARY, CHECKPOINT, METRIC, TEST, VALIDATION
from ddpbench_arms.training.plan import SCHEDULE_FACTOR, HeldOut, Plan
from ddpbench_arms.training.whole_training import EpochOfBatches, WholeTraining

# It warns of EarlyStoppingCallback that the best model is not loaded at the end: no arm does.
logging.getLogger("transformers.trainer_callback").setLevel(logging.ERROR)


class NamedBatches(EpochOfBatches):
    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        return map(by_names, super().__iter__())


class NamedHeldOut:
    """Gives held-out batches by names, and begins the clock's metric behind the last of them where it validates."""

    def __init__(self, training: "HfTraining", batches: HeldOut) -> None:
        self.training = training
        self.batches = batches

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        yield from map(by_names, self.batches)
        if self.training.parts.part == VALIDATION:
            self.training.parts.to(METRIC)


class TrainedWhole(MarkedTrainer):
    """Adds what a user writes around the steps: loaders of held-out images, and all ranks' buffers alike for them."""

    training: "HfTraining"

    def get_eval_dataloader(self, eval_dataset: Any = None) -> NamedHeldOut:
        return self.eval_dataset

    def get_test_dataloader(self, test_dataset: Any) -> NamedHeldOut:
        return test_dataset

    def evaluate(self, *arguments: Any, **named_arguments: Any) -> dict[str, float]:
        parts, loss = self.training.parts, self.last_loss.detach() / self.args.gradient_accumulation_steps
        parts.to(VALIDATION)
        self.training.share_buffers(self.model)
        metrics = super().evaluate(*arguments, **named_arguments)
        parts.to(BOUNDARY)
        self.training.end_epoch(self.model, loss, metrics["eval_loss"], metrics["eval_accuracy"])
        return metrics

    def _save_checkpoint(self, *arguments: Any, **named_arguments: Any) -> None:
        with self.training.parts.within(CHECKPOINT):
            super()._save_checkpoint(*arguments, **named_arguments)


class EndOfSteps(TrainerCallback):
    """Tells the clock where an epoch's steps end."""

    def __init__(self, training: "HfTraining") -> None:
        self.training = training

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        self.training.arm.mark(self.training.trainer)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step % self.training.plan.steps == 0:
            self.training.end_steps(self.training.arm)

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: dict[str, float], **_: Any) -> None:
        """Ends a training that has diverged, where one may end early: Trainer's own callback goes on counting."""
        if self.training.plan.patience > 0 and not math.isfinite(metrics["eval_loss"]):
            control.should_training_stop = True


def accuracy(prediction: EvalPrediction) -> dict[str, float]:
    right = prediction.predictions.argmax(axis=1) == prediction.label_ids
    return {"accuracy": float(right.mean())}


class HfTraining(WholeTraining):
    arm: OfHfTrainer
    trainer: TrainedWhole

    def train(self) -> None:
        self.arm = OfHfTrainer(self.request, self.ranks)
        self.arm.folder = self.folder  # goes with the training
        with environment_for(self.ranks):
            self.trainer = self.make_trainer()
            self.trainer.train()
            with self.parts.within(TEST):
                self.share_buffers(self.trainer.model)
                self.test_accuracy = self.trainer.predict(NamedHeldOut(self, self.test)).metrics["test_accuracy"]
        self.arm.close()

    def make_trainer(self) -> TrainedWhole:
        arm, early = self.arm, self.plan.patience > 0
        arguments = arm.arguments(
            num_train_epochs=self.plan.epochs,
            logging_steps=arm.log_every_n_steps,
            eval_strategy="epoch",
            save_strategy="epoch",
            save_total_limit=1,
            metric_for_best_model="loss" if early else None,
            label_names=["labels"],  # else it looks for them among the arguments of the model's forward
            per_device_eval_batch_size=self.request.batch_size,
        )
        trainer = arm.make_trainer(
            TrainedWhole,
            arguments,
            schedule_by_steps(self.plan, arm.replica.optimizer),
            eval_dataset=NamedHeldOut(self, self.validation),
            compute_metrics=accuracy,
            callbacks=[EndOfSteps(self), *([EarlyStoppingCallback(self.plan.patience)] if early else [])],
        )
        trainer.training = self
        trainer.batches = NamedBatches(self, arm)
        return trainer


def schedule_by_steps(plan: Plan, optimizer: torch.optim.Optimizer) -> torch.optim.lr_scheduler.LambdaLR:
    """Returns the plan's schedule in steps: Trainer makes one of a schedule at every update."""
    steps = plan.epochs_of_a_rate * plan.steps
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: SCHEDULE_FACTOR ** (step // steps))

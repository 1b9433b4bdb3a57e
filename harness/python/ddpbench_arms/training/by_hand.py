"""The training that a user writes by hand, around any loop that makes one step at a time."""

import gc
import os
import time
import warnings
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from ddpbench_arms import table
from ddpbench_arms.arm import Arm
from ddpbench_arms.output import ToldError
from ddpbench_arms.training.parts import CHECKPOINT, METRIC, RESUME, STEPS, TEST, VALIDATION
from ddpbench_arms.training.plan import HeldOut, IsEnough, stop_if_asked
from ddpbench_arms.training.whole_training import WholeTraining


class TrainingByHand(WholeTraining):
    arm: Arm
    schedule: Any
    enough: IsEnough
    steps_made: int  # of all epochs

    def train(self) -> None:
        self.begin()
        is_over = False
        while not is_over and self.steps_made < self.plan.epochs * self.plan.steps:
            loss = self.take_steps()
            arm = self.arm
            require_rate_of(self.schedule, arm.replica.optimizer)
            self.end_steps(arm)
            validation_loss, accuracy = self.evaluated(arm, self.validation, VALIDATION)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a loop that keeps the optimizer's step() as it found it: no call of it is seen
                self.schedule.step()
            is_over = self.enough.after(validation_loss)
            self.save()
            self.end_epoch(arm.replica.model, loss, validation_loss, accuracy)
            del arm
            if self.steps_made == self.plan.resume_step and not is_over:
                self.resume()
        self.test_accuracy = self.evaluated(self.arm, self.test, TEST)[1]
        self.arm.close()

    def begin(self) -> None:
        self.arm = table.made_by(table.ARMS[self.request.base])(self.request, self.ranks)
        self.schedule = self.plan.schedule(self.arm.replica.optimizer)
        self.enough = IsEnough(self.plan.patience)
        self.steps_made = 0

    def resume(self) -> None:
        """Makes everything anew, and takes the state of the last checkpoint, as a job does that goes on with an earlier one's."""
        self.parts.to(RESUME)
        self.arm.close()
        del self.arm, self.schedule
        gc.collect()  # the old one's memory is the new one's
        self.begin()
        kept, replica = torch.load(self.path, map_location="cpu", weights_only=True), self.arm.replica
        replica.model.load_state_dict(kept["model"])
        replica.optimizer.load_state_dict(kept["optimizer"])
        self.schedule.load_state_dict(kept["schedule"])
        self.enough.take_state(kept["patience"])
        if replica.scaler:
            replica.scaler.load_state_dict(kept["scaler"])
        self.steps_made = kept["step"]
        self.request.session.seek(self.steps_made * self.arm.accumulate)

    def take_steps(self) -> torch.Tensor:
        """Makes an epoch's steps; returns the loss of the last one."""
        self.arm.replica.model.train()
        delay = time.sleep if self.request.has("wait") else spin
        self.parts.begin_epoch()
        while True:
            stop_if_asked(self.request)
            loss = self.arm.step().detach()  # its graph would hold the old training while a new one is made
            if self.plan.injected_s > 0:
                delay(self.plan.injected_s)
            self.steps_made += 1
            if self.steps_made % self.plan.steps == 0:
                return loss
            if self.steps_made == self.plan.resume_step:
                self.save()
                self.resume()
                self.parts.to(STEPS)

    @torch.no_grad()
    def evaluated(self, arm: Arm, batches: HeldOut, part: str) -> tuple[float, float]:
        """Returns the mean loss and the accuracy over the batches of all ranks."""
        model, device = arm.replica.model, arm.device
        with self.parts.within(part):
            model.eval()
            self.share_buffers(model)
            sums = torch.zeros(3, dtype=torch.float64, device=device)  # of losses, of right answers, of samples
            for inputs, labels in batches:
                inputs, labels = inputs.to(device, non_blocking=True), labels.to(device, non_blocking=True)
                with arm.marks.forward, arm.request.precision.autocast(device)():
                    logits = model(inputs)
                    loss = arm.replica.loss(logits, labels)
                right = (logits.argmax(dim=1) == labels).sum()
                sums += torch.stack([loss.double() * len(labels), right.double(), torch.full_like(loss, len(labels)).double()])
            with self.parts.within(METRIC) if part == VALIDATION else self.parts.within(part):
                if self.ranks.has_group:
                    dist.all_reduce(sums)
                losses, right, samples = sums.tolist()
            model.train()
        return losses / samples, right / samples

    @property
    def path(self) -> Path:
        return self.folder / "last.pt"

    def save(self) -> None:
        """Writes all that a training needs to go on, on rank zero; the last good one stays until this one is whole."""
        with self.parts.within(CHECKPOINT):
            if self.ranks.rank == 0:
                self.write()
            if self.ranks.has_group:
                dist.barrier()  # the others wait for it here, as in frameworks, and not in their next step

    def write(self) -> None:
        unfinished, replica = self.folder / "last.pt.part", self.arm.replica
        state = {
            "step": self.steps_made,
            "model": replica.model.state_dict(),
            "optimizer": replica.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "patience": self.enough.state(),
            "scaler": replica.scaler.state_dict() if replica.scaler else None,
        }
        torch.save(state, unfinished)
        os.replace(unfinished, self.path)


def require_rate_of(schedule: Any, optimizer: torch.optim.Optimizer) -> None:
    """Raises where a loop of the user's own has set a learning rate: other arms train with the schedule's."""
    must = schedule.get_last_lr()
    have = [float(group["lr"]) for group in optimizer.param_groups]
    if have != must:
        raise ToldError(
            f"the loop has set the learning rate to {have[0]:g} where the schedule of the training has {must[0]:g}: must leave it"
            " as it is, for a whole training changes it by a schedule of its own"
        )


def spin(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

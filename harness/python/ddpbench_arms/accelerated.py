"""Hugging Face Accelerate: the user's loop, on what its prepare() gives back."""

import contextlib
import os
from collections.abc import Iterator

import torch
from accelerate import Accelerator
from accelerate.optimizer import AcceleratedOptimizer
from accelerate.state import GradientState

from ddpbench_arms.arm import Arm
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request

# Where any of these is set, Accelerate sets up a process group, also for a training without one.
LAUNCHER_VARIABLES = ("LOCAL_RANK", "WORLD_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE")


@contextlib.contextmanager
def environment_for(ranks: Ranks) -> Iterator[None]:
    """Sets the variables that `accelerate launch` would set, and puts the process's own back at the end."""
    kept = dict(os.environ)
    try:
        if ranks.has_group:
            os.environ |= {
                "RANK": str(ranks.rank),
                "LOCAL_RANK": str(ranks.local_rank),
                "WORLD_SIZE": str(ranks.world_size),
                "LOCAL_WORLD_SIZE": str(ranks.ranks_per_node),
                "MASTER_ADDR": "127.0.0.1",  # asked for, and not used: the process group is there
            }
        else:
            for name in LAUNCHER_VARIABLES:
                os.environ.pop(name, None)
        os.environ["OMP_NUM_THREADS"] = str(torch.get_num_threads())  # else it sets the number of threads by itself
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def set_gradient_state_apart(accelerator: Accelerator, optimizer: AcceleratedOptimizer) -> None:
    """Gives each training its own gradient state; Accelerate keeps one for a process, with the micro-batches of a step."""
    own = dict(vars(accelerator.gradient_state))
    accelerator.gradient_state.__dict__ = own
    optimizer.gradient_state.__dict__ = own
    GradientState._reset_state()


class AccelerateArm(Arm):
    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.gathers = request.has("gather")
        with environment_for(ranks):
            self.accelerator = Accelerator(
                cpu=request.device == "cpu",
                mixed_precision=request.precision.accelerate,
                gradient_accumulation_steps=self.accumulate,
                **self.strategy.accelerate(),
            )
            self.model, self.optimizer = self.accelerator.prepare(self.replica.model, self.replica.optimizer)
            set_gradient_state_apart(self.accelerator, self.optimizer)
        self.strategy.require_wrapped(self.replica.model, self.model)
        self.take_scaler(self.accelerator.scaler)

    def micro_batch(self) -> torch.Tensor:
        inputs, labels = self.batch()
        with self.marks.forward:
            logits = self.model(inputs)
            loss = self.replica.loss(logits, labels)
        with self.marks.backward:
            self.accelerator.backward(loss)
        if self.gathers:
            self.gathered = self.accelerator.gather_for_metrics((logits.detach().argmax(dim=1), labels))
        return loss

    def step(self) -> torch.Tensor:
        with self.marks.other:
            for _ in range(self.accumulate):
                with self.accelerator.accumulate(self.model) if self.accumulate > 1 else contextlib.nullcontext():
                    loss = self.micro_batch()
                    with self.marks.optimizer:
                        if self.clip_norm > 0 and self.accelerator.sync_gradients:
                            self.accelerator.clip_grad_norm_(self.model.parameters(), self.clip_norm)
                        self.optimizer.step()
                    with self.marks.zero_grad:
                        self.optimizer.zero_grad()
            self.end_step()
            return loss / self.accumulate if self.accumulate > 1 else loss  # Accelerate divides in backward()

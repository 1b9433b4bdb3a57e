"""What the harness calls of an arm (harness/python/python_arm.hpp)."""

from typing import Any

import torch

from ddpbench_arms.loaded import LoadedBatches
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Marks, Replica, Request


class Arm:
    """Makes one optimizer step at a time, on a replica of its own."""

    def __init__(self, request: Request, ranks: Ranks) -> None:
        self.request = request
        self.ranks = ranks
        self.session = request.session
        self.strategy = request.strategy
        self.device = torch.device(request.device)
        self.replica = self.make_replica(request)
        self.marks = Marks(request.session)
        self.accumulate = request.session.accumulate
        self.clip_norm = request.session.clip_norm
        self.loaded = self._loaded()
        self.next_batch = (self.loaded or self.replica).next_batch
        self.is_updated = False  # in this step; kept where there is a scaler
        self.once: list[tuple[str, float]] = []  # what happens once, and in how many seconds

    @staticmethod
    def make_replica(request: Request) -> Replica:
        if not request.module:
            return Replica(request)
        from ddpbench_arms.own_module import OwnReplica  # imports Lightning

        return OwnReplica(request)

    def _loaded(self) -> LoadedBatches | None:
        """Returns the loader of the arm's own batches, where it has one."""
        if self.request.has("loader"):
            from ddpbench_arms.own_loader import OwnSource

            return LoadedBatches(self.session, OwnSource(self.request, self.ranks.rank, self.ranks.world_size))
        if self.request.has("dataloader"):
            from ddpbench_arms.dataloader import LaunchSource

            return LoadedBatches(self.session, LaunchSource(self.request, int(self.request.value_of("dataloader"))))
        return None

    def take_scaler(self, scaler: torch.amp.GradScaler | None) -> None:
        """Keeps the framework's scaler, before the first step, and from then on notes steps without an update."""
        self.replica.scaler = scaler
        if scaler is not None:
            self.replica.optimizer.register_step_post_hook(self._note_update)

    def _note_update(self, *_: object) -> None:
        self.is_updated = True

    def end_step(self) -> None:
        """Ends a step; the last call of every step."""
        if self.replica.scaler is not None and not self.is_updated:
            self.session.note_skipped_step()
        self.is_updated = False

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the next batch, brought to the device as a loop by hand does it."""
        inputs, labels = self.next_batch()
        with self.marks.h2d:
            return inputs.to(self.device, non_blocking=True), labels.to(self.device, non_blocking=True)

    def step(self) -> torch.Tensor:
        """Runs exactly one optimizer step; returns the loss of its last micro-batch, unread."""
        raise NotImplementedError

    def state(self) -> list[torch.Tensor]:
        return self.strategy.state(self.replica)

    def take_state(self, kept: list[torch.Tensor]) -> None:
        self.renew_loader()
        self.strategy.take_state(self.replica, kept)

    def replicated_state(self) -> list[torch.Tensor]:
        return self.strategy.replicated_state(self.replica)

    def quiesce(self) -> None:
        """Waits, at a block's end, until no work of this arm is left to be billed to the next one."""
        self.replica.check()
        self.rest()

    def rest(self) -> None:
        """Lets a loader of the arm's own end what it makes ahead; its next batch is where the launch's data stand then."""
        if self.loaded:
            self.loaded.rest()

    def renew_loader(self) -> None:
        """Lets a loader of the arm's own begin as in a new process: arms that do so at equal positions get equal batches."""
        if self.loaded:
            self.loaded.renew()

    def periodic_work(self) -> list[tuple[str, int, str]]:
        """Returns the work of every n-th step, which step() leaves out: name, n, and the method of a step with the work in it."""
        return []

    def run_whole_trainings(self) -> None:
        """Runs trainings of the framework's own from beginning to end, for what happens once."""

    def once_rows(self, first_step_s: float) -> list[tuple[str, float]]:
        """Returns what happened once, with its seconds; the first step where torch.compile works in it."""
        compiled = [("compile", first_step_s)] if self.request.is_compiled else []
        loader = [("loader_start", self.loaded.first_batch_s)] if self.loaded else []
        return self.once + compiled + loader

    def function_calls(self, counter: Any, steps: int) -> int:
        """Returns how many calls of functions in Python so many steps make."""
        self.step()  # in which what rests between blocks, as a loader's workers, begins anew
        counter.reset()
        counter.begin()
        for _ in range(steps):
            self.step()
        counter.end()
        return counter.calls

    def close(self) -> None:
        """Called behind the last step of the launch."""
        if self.loaded:
            self.loaded.close()

"""What the harness calls of an arm (harness/python/python_arm.hpp)."""

import torch

from ddpbench_arms.replica import Marks, Replica, Request


class Arm:
    """One optimizer step at a time, on a replica of its own."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.session = request.session
        self.replica = Replica(request)
        self.marks = Marks(request.session)
        self.accumulate = request.session.accumulate
        self.clip_norm = request.session.clip_norm
        self.once: list[tuple[str, float]] = []  # what happens once, and in how many seconds

    def step(self) -> torch.Tensor:
        """Exactly one optimizer step. The loss of its last micro-batch, unread."""
        raise NotImplementedError

    def state(self) -> list[torch.Tensor]:
        return self.replica.state()

    def replicated_state(self) -> list[torch.Tensor]:
        return self.replica.replicated_state()

    def quiesce(self) -> None:
        """At a block's end: no work of this arm is left to be billed to the next one."""

    def periodic_work(self) -> list[tuple[str, int, str]]:
        """Work of every n-th step only, which step() leaves out: name, n, and the method that is a step with the work in it."""
        return []

    def run_whole_trainings(self) -> None:
        """Trainings of the framework's own from beginning to end, for what happens once."""

    def close(self) -> None:
        """Behind the last step of the launch."""

"""A loop that somebody else owns, one batch at a time: it runs in a greenlet, and its loader hands control back at every fetch.

Between two switches lies exactly one batch, from fetch to fetch. At the fetch no autocast, grad mode or inference mode of the
loop's is open: such state belongs to the thread, and would leak into the other arms from anywhere inside the step.
"""

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from greenlet import getcurrent, greenlet

from ddpbench_arms.arm import Arm

MOST_EXITS = 10  # a loop that stays behind so many is left where it stands


is_forked = False  # this process was, by one that had imported this; a step pays nothing for it
os.register_at_fork(after_in_child=lambda: globals().update(is_forked=True))


class LoopEndedError(RuntimeError):
    pass


class SteppedLoop:
    """Runs `loop(batches)` as far as its first fetch now, then one batch at each advance()."""

    def __init__(
        self, loop: Callable[["Batches"], None], next_batch: Callable[[], Any], make_batches: type["Batches"] | None = None
    ) -> None:
        self.caller = getcurrent()
        self.process = os.getpid()
        self.is_ending = False
        self.is_left = False  # where it stands: it did not leave
        self.batches = (make_batches or Batches)(self, next_batch)
        self.greenlet = greenlet(lambda: self._run(loop))
        self.advance()

    def _run(self, loop: Callable[["Batches"], None]) -> None:
        try:
            loop(self.batches)
        finally:
            self.require_own_process()

    def require_own_process(self) -> None:
        """Ends a process that the loop forked and that comes back as if it were the rank."""
        if os.getpid() != self.process:
            sys.stderr.write("a process that the training loop forked came back into the loop, and was ended\n")
            sys.stderr.flush()
            os._exit(1)

    def advance(self) -> None:
        """Runs one batch, from fetch to fetch; raises what the loop raises."""
        if self.greenlet.dead:
            raise LoopEndedError("the training loop has ended by itself")
        self.greenlet.switch()
        if self.greenlet.dead and not self.is_ending:
            raise LoopEndedError("the training loop has ended by itself")

    def begin_inside(self, begin: Callable[[], None]) -> None:
        """Calls `begin` in the loop's own frames, once, at the next advance(): what profiles this thread misses them else."""
        next_batch = self.batches.next_batch

        def begin_once() -> Any:
            self.batches.next_batch = next_batch
            begin()
            return next_batch()

        self.batches.next_batch = begin_once

    def end(self) -> None:
        """Ends the loader: the loop leaves as it does at the end of its data, or as Batches.leave says. Raises what it raises."""
        self.is_ending = True
        while not (self.greenlet.dead or self.is_left):
            self.greenlet.switch()


class Batches:
    """Is the loader that a loop is given: longer than any launch."""

    LENGTH = 10**9
    leave: type[BaseException] = StopIteration  # what it raises at its end

    def __init__(self, loop: SteppedLoop, next_batch: Callable[[], Any]) -> None:
        self.loop = loop
        self.next_batch = next_batch
        self.ends = 0

    def __len__(self) -> int:
        return self.LENGTH

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        loop = self.loop
        if not loop.is_ending:
            if is_forked:
                loop.require_own_process()
            loop.caller.switch()
        if not loop.is_ending:
            return self.next_batch()
        self.ends += 1
        if self.ends > MOST_EXITS:
            loop.is_left = True
            loop.caller.switch()
        raise self.leave


class SteppedArm(Arm):
    """An arm whose loop is somebody else's: its class makes `loop`."""

    loop: SteppedLoop

    def function_calls(self, counter: Any, steps: int) -> int:
        self.loop.begin_inside(counter.begin)
        self.step()
        return super().function_calls(counter, steps)

    def close(self) -> None:
        try:
            self.loop.end()
        finally:
            super().close()

    def loss_kept_by(self, user: Any) -> torch.Tensor:
        """Takes the loss of the last micro-batch, which the user's code kept; frameworks divide it behind that code."""
        loss, user.last_loss = user.last_loss, None
        if loss is None:
            raise RuntimeError(f"the framework called nothing of {type(user).__name__} that has a loss")
        return loss / self.accumulate if self.accumulate > 1 else loss

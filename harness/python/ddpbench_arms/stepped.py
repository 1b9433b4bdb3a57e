"""A loop that a framework owns, one batch at a time: it runs in a greenlet, and its loader hands control back at every fetch.

Between two switches lies exactly one batch, from fetch to fetch. At the fetch no autocast, grad mode or inference mode of the
framework is open: such state belongs to the thread, and would leak into the other arms from anywhere inside the step.
"""

from collections.abc import Callable, Iterator
from typing import Any

from greenlet import getcurrent, greenlet


class LoopEndedError(RuntimeError):
    pass


class SteppedLoop:
    """Runs `loop(batches)` as far as its first fetch now, then one batch at each advance()."""

    def __init__(self, loop: Callable[["Batches"], None], next_batch: Callable[[], Any]) -> None:
        self.caller = getcurrent()
        self.is_ending = False
        self.batches = Batches(self, next_batch)
        self.greenlet = greenlet(lambda: loop(self.batches))
        self.advance()

    def advance(self) -> None:
        """Runs one batch, from fetch to fetch; raises what the loop raises."""
        if self.greenlet.dead:
            raise LoopEndedError("the framework's loop has ended by itself")
        self.greenlet.switch()
        if self.greenlet.dead and not self.is_ending:
            raise LoopEndedError("the framework's loop has ended by itself")

    def begin_inside(self, begin: Callable[[], None]) -> None:
        """Calls `begin` in the loop's own frames, once, at the next advance(): what profiles this thread misses them else."""
        next_batch = self.batches.next_batch

        def begin_once() -> Any:
            self.batches.next_batch = next_batch
            begin()
            return next_batch()

        self.batches.next_batch = begin_once

    def end(self) -> None:
        """Ends the loader: the loop leaves as it does at the end of its data."""
        self.is_ending = True
        while not self.greenlet.dead:
            self.greenlet.switch()


class Batches:
    """Is the loader that a framework is given: longer than any launch."""

    LENGTH = 10**9

    def __init__(self, loop: SteppedLoop, next_batch: Callable[[], Any]) -> None:
        self.loop = loop
        self.next_batch = next_batch

    def __len__(self) -> int:
        return self.LENGTH

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self.loop.caller.switch()
        if self.loop.is_ending:
            raise StopIteration
        return self.next_batch()

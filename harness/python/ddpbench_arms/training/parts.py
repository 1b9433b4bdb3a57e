"""Where the time of a whole training goes: each instant belongs to one part of one epoch."""

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

HEAD, STEPS, BOUNDARY, VALIDATION, METRIC, CHECKPOINT, RESUME, TAIL, TEST = PARTS = (
    "head",  # before the first batch is fetched
    "steps",  # from an epoch's first fetch to the end of its last step
    "boundary",  # what stands between epochs and is none of the others
    "validation",  # its batches
    "metric",  # from its last batch until all ranks have its values
    "checkpoint",
    "resume",  # all is made anew from a checkpoint: from behind its step to the next fetch
    "tail",  # as boundary, behind the last epoch
    "test",  # of the trained network, at the very end
)
VALIDATED = "validated"  # no part: all from the training's beginning until the epoch's validation is done
SHORTEST_CALL_S = 1e-4


class Parts:
    """Is the clock of one training. `wait`: for the device, so that its work is told in the part that asked for it."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter, wait: Callable[[], None] = lambda: None) -> None:
        self.clock = clock
        self.wait = wait
        self.part = HEAD
        self.since = clock()
        self.epochs: list[dict[str, float]] = [defaultdict(float)]
        self.calls: list[dict[tuple[str, str], float]] = [defaultdict(float)]
        self.validated: dict[int, float] = {}  # by epoch, from 1
        self.is_begun = False

    def to(self, part: str) -> None:
        """Ends the present part, and begins another."""
        self.wait()
        now = self.clock()
        self.epochs[-1][self.part] += now - self.since
        if self.part == METRIC:
            self.validated[len(self.epochs)] = sum(sum(parts.values()) for parts in self.epochs)
        self.part, self.since = part, now

    def begin_epoch(self) -> None:
        """Ends an epoch, if there was one, and begins the next with its steps."""
        self.to(STEPS)
        if self.is_begun:
            self.epochs.append(defaultdict(float))
            self.calls.append(defaultdict(float))
        self.is_begun = True

    def end(self) -> None:
        """Ends the training."""
        self.to(TAIL)
        last = self.epochs[-1]
        last[TAIL] += last.pop(BOUNDARY, 0.0)

    @contextlib.contextmanager
    def within(self, part: str) -> Iterator[None]:
        """Holds in the part what stands inside, then goes back to the one before."""
        before = self.part
        self.to(part)
        try:
            yield
        finally:
            self.to(before)

    @contextlib.contextmanager
    def left_out(self) -> Iterator[None]:
        """Leaves out what stands inside: it is our own work."""
        self.to(self.part)
        try:
            yield
        finally:
            self.since = self.clock()

    def spent_in(self, part: str) -> float:
        """Returns the time of a part in this epoch so far."""
        return self.epochs[-1][part] + (self.clock() - self.since if part == self.part else 0)

    def add_call(self, name: str, part: str, seconds: float) -> None:
        """Notes that a call of the user's or of a callback took so much of the part."""
        self.calls[-1][part, name] += seconds

    def rows(self) -> list[tuple[int, str, str, float]]:
        """Returns epoch (from 1), part or VALIDATED, call ("": the part itself) and seconds."""
        found = []
        for epoch, (parts, calls) in enumerate(zip(self.epochs, self.calls, strict=True), start=1):
            found += [(epoch, part, "", parts[part]) for part in PARTS if part in parts]
            found += [(epoch, VALIDATED, "", self.validated[epoch])] if epoch in self.validated else []
            for (part, call), seconds in calls.items():
                if seconds >= SHORTEST_CALL_S:
                    found.append((epoch, TAIL if part == BOUNDARY and TAIL in parts else part, call, seconds))
        return found

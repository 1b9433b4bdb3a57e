"""Batches by a loader of the arm's own, in the place of the launch's."""

import time
from collections.abc import Iterator
from typing import Any, Protocol


class Source(Protocol):
    """Is where an arm's batches come from: a loader whose epochs can be ended anywhere."""

    def begin(self, position: int) -> Iterator[Any]:
        """Begins an epoch with the batch at that position of the launch."""

    def end(self, epoch: Iterator[Any]) -> None:
        """Ends it, and waits for what is made ahead."""

    def renew(self) -> None:
        """Forgets, between two epochs, what the epochs before have changed."""

    def close(self) -> None:
        """Ends the loader's workers."""


class LoadedBatches:
    """Gives an arm's batches.

    A block of steps is an epoch of the loader: between them its workers have nothing to do, and take no time of other arms.
    """

    def __init__(self, session: Any, source: Source) -> None:
        self.session = session
        self.source = source
        self.mark = session.phase("data")
        self.epoch: Iterator[Any] | None = None
        self.first_batch_s = 0.0  # of the first epoch, which starts the workers; 0: none yet

    def next_batch(self) -> Any:
        with self.mark:
            if self.epoch is None:
                return self._first_of_epoch()
            self.session.skip_batch()
            return next(self.epoch)

    def _first_of_epoch(self) -> Any:
        began = time.perf_counter()
        self.epoch = self.source.begin(self.session.skip_batch())
        batch = next(self.epoch)
        if self.first_batch_s == 0:
            self.first_batch_s = time.perf_counter() - began
        return batch

    def rest(self) -> None:
        """Ends the epoch. What was made ahead is thrown away: the next one begins as empty as a loader that is waited for."""
        if self.epoch is not None:
            self.source.end(self.epoch)
        self.epoch = None

    def renew(self) -> None:
        """Lets the next epoch be as the first one of a new process that begins at the same position."""
        self.rest()
        self.source.renew()

    def close(self) -> None:
        self.rest()
        self.source.close()

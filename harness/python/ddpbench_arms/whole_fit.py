"""A fit of Lightning's from its beginning to its end, for what happens once or once an epoch."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import Callback, ModelCheckpoint

EPOCHS = 2
TRAIN_BATCHES = 4  # of an epoch
VALIDATION_BATCHES = 2


class Loader:
    """Gives so many batches an epoch, each stamped as it is fetched."""

    def __init__(self, length: int, next_batch: Callable[[], Any], stamps: "Stamps | None" = None) -> None:
        self.length = length
        self.next_batch = next_batch
        self.stamps = stamps

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.length):
            if self.stamps is not None:
                self.stamps.fetches.append(time.perf_counter())
            yield self.next_batch()


class TimedCheckpoint(ModelCheckpoint):
    """Saves as Lightning's does, and times each save."""

    def __init__(self, stamps: "Stamps", **arguments: Any) -> None:
        super().__init__(**arguments)
        self.stamps = stamps

    def _save_checkpoint(self, trainer: Trainer, filepath: str) -> None:
        begin = time.perf_counter()
        super()._save_checkpoint(trainer, filepath)
        self.stamps.add("checkpoint", begin)


class Stamps(Callback):
    """Holds when what happened. Batches are stamped by their fetch; the other times are Lightning's hooks."""

    def __init__(self) -> None:
        self.fetches: list[float] = []
        self.spans: list[tuple[str, float, float]] = []  # name, begin, end
        self.epoch_ends: list[float] = []
        self.begin = 0.0

    def add(self, name: str, begin: float) -> None:
        self.spans.append((name, begin, time.perf_counter()))

    def on_sanity_check_start(self, trainer: Any, pl_module: Any) -> None:
        self.begin = time.perf_counter()

    def on_sanity_check_end(self, trainer: Any, pl_module: Any) -> None:
        self.add("sanity_check", self.begin)

    def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
        if not trainer.sanity_checking:
            self.begin = time.perf_counter()

    def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
        if not trainer.sanity_checking:
            self.add("validation", self.begin)

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        if batch_idx == TRAIN_BATCHES - 1:
            self.epoch_ends.append(time.perf_counter())


def spent_in(spans: list[tuple[str, float, float]], begin: float, end: float) -> float:
    return sum(stop - start for _, start, stop in spans if start >= begin and stop <= end)


def once_of(stamps: Stamps, began: float, ended: float) -> list[tuple[str, float]]:
    """Returns the parts of one fit, in seconds. Head, boundary and tail are what is left of them without the named parts."""
    fetches, spans = stamps.fetches, stamps.spans
    parts = [(name, end - begin) for name, begin, end in spans]
    boundary = stamps.epoch_ends[0], fetches[TRAIN_BATCHES]
    tail = stamps.epoch_ends[-1], ended
    return [
        ("head", fetches[0] - began - spent_in(spans, began, fetches[0])),
        ("first_step", fetches[1] - fetches[0]),
        ("epoch_boundary", boundary[1] - boundary[0] - spent_in(spans, *boundary)),
        ("tail", tail[1] - tail[0] - spent_in(spans, *tail)),
        *parts,
    ]

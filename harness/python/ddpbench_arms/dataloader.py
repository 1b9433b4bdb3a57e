"""Batches of the launch by PyTorch's DataLoader, for arms that ask for it (dataloader=WORKERS)."""

import ctypes
import signal
import time
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, Sampler, default_collate

from ddpbench_arms.replica import Request

PR_SET_PDEATHSIG = 1


class RecordSet(Dataset):
    """Gives one sample at a time, as torchvision's data sets with ToTensor and Normalize do."""

    def __init__(self, images: torch.Tensor, labels: torch.Tensor, mean: torch.Tensor, deviation: torch.Tensor) -> None:
        self.images, self.labels, self.mean, self.deviation = images, labels, mean, deviation  # harness/api/batch.hpp: Records

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, number: int) -> tuple[torch.Tensor, int]:
        image = self.images[number]
        if image.dtype == torch.uint8:
            image = image.to(torch.float32).div_(255).sub_(self.mean).div_(self.deviation)
        return image, int(self.labels[number])


class Order(Sampler):
    """Gives the records of the launch's batches from a position on, until it is ended."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.position = 0
        self.is_ended = True

    def __iter__(self) -> Iterator[list[int]]:
        while not self.is_ended:
            yield self.session.records_at(self.position)
            self.position += 1


def end_with_the_rank(_: int) -> None:
    """Lets the system kill a worker whose rank has died, where torch asks for that every five seconds only."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class LoadedBatches:
    """Gives an arm's batches, each that of the launch at its position.

    A block of steps is an epoch of the loader: between them its workers have nothing to do, and take no time of other arms.
    """

    def __init__(self, request: Request, workers: int) -> None:
        self.session = request.session
        self.mark = self.session.phase("data")
        self.order = Order(self.session)
        self.iterator: Iterator[Any] | None = None
        self.first_batch_s = 0.0  # of the first epoch, which starts the workers; 0: none yet
        format_ = torch.channels_last if request.workload_options.get("channels_last") == "true" else torch.contiguous_format

        def collated(samples: list[Any]) -> list[torch.Tensor]:
            images, labels = default_collate(samples)
            return [images.contiguous(memory_format=format_), labels]

        images, labels, mean, deviation = self.session.records()
        pinned = images.is_pinned()  # the launch's own batch, which stays the same
        records = RecordSet(images.clone() if pinned else images, labels, mean, deviation)  # workers read no pinned memory
        pinned |= request.workload_options.get("pin_memory") == "true" and request.device.startswith("cuda")
        self.loader = DataLoader(
            records,
            batch_sampler=self.order,
            num_workers=workers,
            persistent_workers=workers > 0,
            collate_fn=collated,
            pin_memory=pinned,
            prefetch_factor=int(request.workload_options.get("prefetch", 2)) if workers > 0 else None,
            worker_init_fn=end_with_the_rank,
        )

    def next_batch(self) -> list[torch.Tensor]:
        with self.mark:
            if self.iterator is None:
                return self._first_of_epoch()
            self.session.skip_batch()
            return next(self.iterator)

    def _first_of_epoch(self) -> list[torch.Tensor]:
        began = time.perf_counter()
        self.order.position = self.session.position
        self.order.is_ended = False
        self.iterator = iter(self.loader)
        self.session.skip_batch()
        batch = next(self.iterator)
        if self.first_batch_s == 0:
            self.first_batch_s = time.perf_counter() - began
        return batch

    def rest(self) -> None:
        """Ends the epoch. What was made ahead is thrown away: the next one begins as empty as a loader that is waited for."""
        self.order.is_ended = True
        if self.iterator is not None:
            for _ in self.iterator:
                pass
        self.iterator = None

    def close(self) -> None:
        """Ends the workers."""
        self.rest()
        self.loader = None

"""Batches of the launch by PyTorch's DataLoader, for arms that ask for it (dataloader=WORKERS)."""

import ctypes
import signal
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


class LaunchSource:
    """Gives, by PyTorch's DataLoader, the launch's batches from a position on (loaded.Source)."""

    def __init__(self, request: Request, workers: int) -> None:
        self.order = Order(request.session)
        format_ = torch.channels_last if request.workload_options.get("channels_last") == "true" else torch.contiguous_format

        def collated(samples: list[Any]) -> list[torch.Tensor]:
            images, labels = default_collate(samples)
            return [images.contiguous(memory_format=format_), labels]

        images, labels, mean, deviation = request.session.records()
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

    def begin(self, position: int) -> Iterator[Any]:
        self.order.position = position
        self.order.is_ended = False
        return iter(self.loader)

    def end(self, epoch: Iterator[Any]) -> None:
        self.order.is_ended = True
        for _ in epoch:
            pass

    def renew(self) -> None:
        """Does nothing: its epochs leave nothing behind."""

    def close(self) -> None:
        self.loader = None

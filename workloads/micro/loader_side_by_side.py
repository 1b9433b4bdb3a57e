#!/usr/bin/env python3
"""The loader beside torchvision's transforms in PyTorch's DataLoader: processor time of an image, interleaved on this machine.

    cmake --build build --target ddpbench-micro
    .venv/bin/python workloads/micro/loader_side_by_side.py [--pairs N] [--micro PATH]

Both sides make batches of 128 of CIFAR-10's images in a shuffled order, augmented alike: RandomCrop(32, padding=4),
RandomHorizontalFlip, ToTensor, Normalize. Python's data set holds its images in memory and hands them over as torchvision's
CIFAR10 does; its DataLoader runs without workers, which costs it the least processor time. Times are processor time of all
threads. A ratio is the median over the pairs with its 95 % interval.
"""

import argparse
import json
import time
from pathlib import Path

import numpy
import pairs
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

BATCH_SIZE = 128
BATCHES = 40
LOADERS = ("files", "host", "host_plain")
COPY = "copy_of_bytes"


class Cifar(Dataset):
    """As torchvision.datasets.CIFAR10 holds and hands over its images; random ones, for their values cost nothing."""

    def __init__(self, augment: bool) -> None:
        self.data = numpy.random.default_rng(1).integers(0, 256, (50_000, 32, 32, 3), dtype=numpy.uint8)
        self.targets = [i % 10 for i in range(len(self.data))]
        random = [transforms.RandomCrop(32, padding=4), transforms.RandomHorizontalFlip()] if augment else []
        normalize = transforms.Normalize((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616))
        self.transform = transforms.Compose([*random, transforms.ToTensor(), normalize])

    def __getitem__(self, index: int):
        return self.transform(Image.fromarray(self.data[index])), self.targets[index]

    def __len__(self) -> int:
        return len(self.data)


def endless(loader: DataLoader):
    while True:
        yield from loader


def python_seconds(batches) -> float:
    """Processor time of an image."""
    begin = time.process_time()
    for _ in range(BATCHES):
        next(batches)
    return (time.process_time() - begin) / (BATCHES * BATCH_SIZE)


def our_seconds(micro: Path, name: str) -> float:
    filtered = [f"--benchmark_filter=^loader/{name}/", "--benchmark_format=json", "--benchmark_min_time=0.5"]
    (result,) = json.loads(pairs.output_of([micro, *filtered], OMP_NUM_THREADS="1"))["benchmarks"]
    return 1 / result["items_per_second"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=9, help="pairs of each comparison (default %(default)s)")
    default = pairs.DDPBENCH.with_name("ddpbench-micro")
    parser.add_argument("--micro", type=Path, default=default, help="the program (default %(default)s)")
    arguments = parser.parse_args()
    pairs.print_machine()
    torch.set_num_threads(1)
    for name in LOADERS:
        batches = endless(DataLoader(Cifar(augment="plain" not in name), BATCH_SIZE, shuffle=True))
        python_seconds(batches)
        measured = pairs.interleaved(
            arguments.pairs, lambda name=name: our_seconds(arguments.micro, name), lambda batches=batches: python_seconds(batches)
        )
        pairs.report(f"loader/{name}, processor time of an image", "us", 1e6, measured)
        times = pairs.Ratio([(other, mine) for mine, other in measured])
        print(f"  images per second and core: {1 / times.theirs:,.0f}, {times} times Python's", flush=True)
    for name in LOADERS:
        measured = pairs.interleaved(
            arguments.pairs, lambda name=name: our_seconds(arguments.micro, name), lambda: our_seconds(arguments.micro, COPY)
        )
        print(f"loader/{name}: {pairs.Ratio(measured)} times the processor time of copying the images' bytes", flush=True)


if __name__ == "__main__":
    main()

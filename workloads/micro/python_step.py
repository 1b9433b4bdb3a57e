"""A workload's raw step in Python, for the side-by-side scripts: the same wheel, model, optimizer, batch and thread count.

As a rank of torchrun (DistributedDataParallel over gloo) or, without torchrun's variables, as a single process. Rank 0 prints one
JSON line: seconds from STARTED_UNIX_NS to the end of the first step, and the medians of the timed steps and of their phases, s.
"""

import argparse
import json
import os
import statistics
import time

import torch
from torch import nn

PHASES = ("forward", "backward", "optimizer")


class ConvNet(nn.Module):
    """PyTorch's CIFAR tutorial network, as workloads/models/convnet.cpp."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(nn.functional.relu(self.conv1(x)))
        x = self.pool(nn.functional.relu(self.conv2(x)))
        x = nn.functional.relu(self.fc1(torch.flatten(x, 1)))
        return self.fc3(nn.functional.relu(self.fc2(x)))


def make_model(name: str) -> nn.Module:
    torch.manual_seed(1)
    if name == "null":
        return nn.Sequential(nn.Flatten(1), nn.Linear(3072, 10))
    if name == "convnet_cifar10":
        return ConvNet()
    import torchvision  # only here: the null model needs none of it  # noqa: PLC0415

    return getattr(torchvision.models, name.removesuffix("_cifar10"))(num_classes=10)


def make_step(model: nn.Module, batch_size: int):
    """One step; returns the seconds of PHASES. zero_grad counts to the optimizer, the loss to forward, as in ddpbench."""
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5, momentum=0.9)
    images = torch.randn(batch_size, 3, 32, 32)
    labels = torch.arange(batch_size) % 10

    def step() -> tuple[float, float, float]:
        begin = time.perf_counter()
        optimizer.zero_grad()
        zeroed = time.perf_counter()
        loss = nn.functional.cross_entropy(model(images), labels)
        forward = time.perf_counter()
        loss.backward()
        backward = time.perf_counter()
        optimizer.step()
        end = time.perf_counter()
        return forward - zeroed, backward - forward, zeroed - begin + end - backward

    return step


def timed(step, count: int) -> dict[str, float]:
    phases, steps = [], []
    begin = time.perf_counter()
    for _ in range(count):
        phases.append(step())
        end = time.perf_counter()
        steps.append(end - begin)
        begin = end
    medians = {f"{name}_s": statistics.median(column) for name, column in zip(PHASES, zip(*phases, strict=True), strict=True)}
    return {"step_s": statistics.median(steps), **medians}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workload", default="null")
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--warmup-steps", type=int, default=0)
    parser.add_argument("--steps", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = make_model(arguments.workload)
    distributed = "WORLD_SIZE" in os.environ
    if distributed:
        torch.distributed.init_process_group("gloo")
        model = nn.parallel.DistributedDataParallel(model)
    step = make_step(model, arguments.batch_size)
    step()
    measured = {"seconds_to_first_step": (time.time_ns() - int(os.environ["STARTED_UNIX_NS"])) / 1e9}
    if arguments.steps:
        timed(step, arguments.warmup_steps)
        measured |= timed(step, arguments.steps)
    if os.environ.get("RANK", "0") == "0":
        print(json.dumps(measured), flush=True)
    if distributed:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()

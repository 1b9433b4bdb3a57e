"""The null workload in Python, with which side_by_side.py compares: the same wheel, model, optimizer, batch and thread count.

As a rank of torchrun (DistributedDataParallel over gloo) or, without torchrun's variables, as a single process. Rank 0 prints one
JSON line: seconds from SIDE_BY_SIDE_STARTED_UNIX_NS to the end of the first step, and the median seconds of the timed steps.
"""

import json
import os
import statistics
import time

import torch
from torch import nn

WARMUP_STEPS = 200


def make_model() -> nn.Module:
    torch.manual_seed(1)
    return nn.Sequential(nn.Flatten(1), nn.Linear(3072, 10))


def make_step(model: nn.Module, batch_size: int):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5, momentum=0.9)
    images = torch.randn(batch_size, 3, 32, 32)
    labels = torch.arange(batch_size) % 10

    def step() -> None:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()

    return step


def timed(step, count: int) -> float:
    seconds = []
    for _ in range(count):
        begin = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def main() -> None:
    torch.set_num_threads(1)
    model = make_model()
    distributed = "WORLD_SIZE" in os.environ
    if distributed:
        torch.distributed.init_process_group("gloo")
        model = nn.parallel.DistributedDataParallel(model)
    step = make_step(model, int(os.environ["SIDE_BY_SIDE_BATCH_SIZE"]))
    step()
    first = (time.time_ns() - int(os.environ["SIDE_BY_SIDE_STARTED_UNIX_NS"])) / 1e9
    count = int(os.environ["SIDE_BY_SIDE_STEPS"])
    if count:
        timed(step, WARMUP_STEPS)
    median = timed(step, count) if count else None
    if os.environ.get("RANK", "0") == "0":
        print(json.dumps({"seconds_to_first_step": first, "step_s": median}), flush=True)
    if distributed:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()

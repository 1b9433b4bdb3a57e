"""The ranks of a launch, met, and torch.distributed on top of what they met by."""

import functools
from dataclasses import dataclass
from typing import Any

import torch.distributed as dist

BACKEND = "ddpbench"


@dataclass
class Ranks:
    """Holds a launch's ranks; harness/python/python_runtime.cpp fills it."""

    rank: int
    local_rank: int
    world_size: int
    ranks_per_node: int
    nodes: int
    device: str
    store: Any
    backend: Any
    backend_name: str  # of what it measures: "gloo"
    has_group: bool


def join(ranks: Ranks) -> None:
    """Makes the default process group on the collectives that the launch measures: a framework's are seen, and can be ideal."""
    if not ranks.has_group:
        return

    def backend_of_launch(store, rank, size, timeout):
        return ranks.backend

    device = ranks.device.partition(":")[0]
    dist.Backend.register_backend(BACKEND, backend_of_launch, devices=[device])
    store = dist.PrefixStore("python", ranks.store)
    dist.init_process_group(BACKEND, store=store, rank=ranks.rank, world_size=ranks.world_size)
    tell_backend(ranks.backend_name)


def tell_backend(name: str) -> None:
    """Lets frameworks that ask which backend there is hear that of the launch: some do other work over gloo or NCCL."""
    get_backend = dist.get_backend

    @functools.wraps(get_backend)
    def told(*arguments: Any, **named_arguments: Any) -> str:
        backend = get_backend(*arguments, **named_arguments)
        return name if backend == BACKEND else backend

    dist.get_backend = told

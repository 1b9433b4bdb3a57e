"""The ranks of a launch, met, and torch.distributed on top of what they met by."""

import contextlib
import functools
import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch.distributed as dist
from torch.distributed.distributed_c10d import GroupMember, _update_default_pg

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


class BackendOfLaunch(str):
    """Is BACKEND, and is shown by the name of what it measures."""

    shown: str

    def __format__(self, how: str) -> str:
        return format(self.shown, how)


JOINS = itertools.count(1)


@contextlib.contextmanager
def without_group(ranks: Ranks) -> Iterator[BackendOfLaunch]:
    """Takes the default process group away, so that a framework makes one inside, as it does in a process of its own.

    Gives the backend to make it of, which is the launch's, as the ranks' meeting place is. Behind it the group is back. The
    one that was made stays, unused: to destroy it would end the backend that both have.
    """
    kept, init = GroupMember.WORLD, dist.init_process_group
    addresses = {name: os.environ.get(name) for name in ("MASTER_ADDR", "MASTER_PORT")}  # frameworks set them
    backend = BackendOfLaunch(BACKEND)
    backend.shown = ranks.backend_name
    _update_default_pg(None)
    dist.init_process_group = functools.partial(init, store=dist.PrefixStore(f"joined.{next(JOINS)}", ranks.store))
    try:
        yield backend
    finally:
        dist.init_process_group = init
        _update_default_pg(kept)
        for name, value in addresses.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def tell_backend(name: str) -> None:
    """Lets frameworks that ask which backend there is hear that of the launch: some do other work over gloo or NCCL."""
    get_backend = dist.get_backend

    @functools.wraps(get_backend)
    def told(*arguments: Any, **named_arguments: Any) -> str:
        backend = get_backend(*arguments, **named_arguments)
        return name if backend == BACKEND else backend

    dist.get_backend = told

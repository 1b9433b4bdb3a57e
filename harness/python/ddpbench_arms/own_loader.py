"""A loader of the user's own ([loaders] of an experiment): how it is made, and how it is begun at each block of steps."""

import functools
import inspect
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, RandomSampler, SequentialSampler

from ddpbench_arms.dataloader import end_with_the_rank
from ddpbench_arms.output import ToldError
from ddpbench_arms.own_file import asked_by, line_of_code, named, telling_its_line
from ddpbench_arms.replica import Request

SEED = 1  # of what is drawn while the user's code is made, the same on all ranks
PLAIN_FORM = "make_loader(batch_size, rank, world_size)"
NAMES = ("batch_size", "rank", "world_size")  # what the function may ask for; the batch size is a rank's


def seed(number: int) -> None:
    """Seeds what the user's code draws from in this process; DataLoader seeds its workers from that."""
    random.seed(number)
    numpy.random.seed(number)
    torch.manual_seed(number)


def maker_of(where: str) -> Any:
    """Returns the user's function or class. Raises where there is none."""
    maker = named(where, lambda value: inspect.isfunction(value) or inspect.isclass(value), "functions and classes")
    if not callable(maker):
        raise ToldError(f"{where} is {type(maker).__name__}: must be a function, {PLAIN_FORM}, or a class")
    return maker


def make(where: str, **given: int) -> Any:
    """Returns the user's loader, each time a new one: that which the function gives, or a LightningModule's or its data's."""
    maker = maker_of(where)
    taken = {name: given[name] for name in asked_by(maker, where, NAMES, PLAIN_FORM)}
    seed(SEED)
    made = maker(**taken)
    if isinstance(made, tuple) or hasattr(made, "train_dataloader"):
        made = loader_of_lightning(made)
    if not hasattr(made, "__iter__"):
        raise ToldError(
            f"{line_of_code(maker, where)}: {maker.__name__}() gave {type(made).__name__}: must be a loader, as torch's"
            " DataLoader, that can be iterated over again and again"
        )
    if isinstance(made, DataLoader):
        take_over(made, given["rank"], given["world_size"], is_shared="rank" in taken)
    return made


def loader_of_lightning(made: Any) -> Any:
    from ddpbench_arms.own_module import attached, loader_of

    return loader_of(attached(made[1] if isinstance(made, tuple) and len(made) == 2 else made))


def take_over(loader: DataLoader, rank: int, world_size: int, is_shared: bool) -> None:
    """Keeps the loader's workers from epoch to epoch, and shares its samples among the ranks as Lightning and Accelerate do.

    DataLoader lets none of this be set once it is made.
    """

    def put(name: str, value: Any) -> None:
        object.__setattr__(loader, name, value)

    put("worker_init_fn", functools.partial(begin_worker, loader.worker_init_fn))
    put("persistent_workers", loader.num_workers > 0)
    sampler = loader.sampler
    is_plain = type(sampler) in (RandomSampler, SequentialSampler) and type(loader.batch_sampler) in (BatchSampler, type(None))
    if world_size > 1 and is_plain and not is_shared:
        shuffles = type(sampler) is RandomSampler
        put("sampler", DistributedSampler(loader.dataset, world_size, rank, shuffle=shuffles, drop_last=loader.drop_last))
        if loader.batch_sampler is not None:
            put("batch_sampler", BatchSampler(loader.sampler, loader.batch_size, loader.drop_last))


def begin_worker(own: Callable[[int], None] | None, worker: int) -> None:
    end_with_the_rank(worker)
    if own is not None:
        own(worker)


class OwnSource:
    """Gives the batches of the user's loader (loaded.Source), over and over within an epoch of ours.

    Of equal positions all arms get equal batches, as far as the loader draws from what `seed` seeds.
    """

    def __init__(self, request: Request, rank: int, world_size: int) -> None:
        self.where = request.own_code["loader"][request.value_of("loader")]
        self.batch_size = request.batch_size
        self.make = functools.partial(make, self.where, batch_size=self.batch_size, rank=rank, world_size=world_size)
        self.iterator: Iterator[Any] | None = None  # the user's
        self.is_of_module = bool(request.module)  # of which every batch is legal
        self.example = () if self.is_of_module else request.session.next_batch()
        self.renew()

    def renew(self) -> None:
        """Makes the loader anew: what it draws may depend on what it has drawn before."""
        self.loader = None  # ends its workers before others begin
        with telling_its_line(self.where):
            self.loader = self.make()

    def begin(self, position: int) -> Iterator[Any]:
        seed(position)
        return self._batches(position)

    def _batches(self, position: int) -> Iterator[Any]:
        begun = 0  # epochs of the user's
        given = -1
        while given != 0:
            sampler = getattr(self.loader, "sampler", None)
            if hasattr(sampler, "set_epoch"):
                sampler.set_epoch(position + begun)
            begun += 1
            given = 0
            for batch in self._epoch():
                is_first = given == 0 and begun == 1
                if self.is_of_module or self.is_whole(batch, is_first):
                    given += 1
                    yield batch
        raise ToldError(f"{self.where}: the loader gives no batch")

    def _epoch(self) -> Iterator[Any]:
        """Goes once over the user's loader."""
        with telling_its_line(self.where):
            self.iterator = iter(self.loader)
            yield from self.iterator

    def is_whole(self, batch: Any, is_first: bool) -> bool:
        """Says whether the workload can train on the batch. A smaller one, as the last of an epoch may be, is left out."""
        if is_first or not (isinstance(batch, list | tuple) and len(batch) == 2):
            self.require_legal(batch)
        return len(batch[1]) == self.batch_size

    def require_legal(self, batch: Any) -> None:
        must = " and ".join(told(tensor) for tensor in self.example)
        have = " and ".join(told(part) for part in batch) if isinstance(batch, list | tuple) else type(batch).__name__
        if have != must:
            raise ToldError(f"{self.where}: the loader gave {have}: must be a pair of {must}, as the workload's batches")

    def end(self, epoch: Iterator[Any]) -> None:
        """Ends an epoch wherever it is. Of a DataLoader what its workers were asked for is waited for."""
        iterator, self.iterator = self.iterator, None
        epoch.close()
        if isinstance(self.loader, DataLoader) and hasattr(iterator, "_sampler_iter"):
            iterator._sampler_iter = iter(())  # asks for no more
            with telling_its_line(self.where):
                for _ in iterator:
                    pass

    def close(self) -> None:
        self.loader = None


def told(part: Any) -> str:
    """Returns a tensor's type and shape: "float32 [4, 3, 32, 32]"."""
    if not isinstance(part, torch.Tensor):
        return type(part).__name__
    return f"{str(part.dtype).removeprefix('torch.')} {list(part.shape)}"

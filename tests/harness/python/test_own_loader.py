"""Loaders of the user's own: equal batches for all arms, workers that rest between blocks, mistakes with their line."""

import os
import re
from pathlib import Path

import pytest
from conftest import Session
from test_own_module import HEAD

LOADERS = """
import os, random
import numpy, torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset

class Random(Dataset):
    def __len__(self):
        return 9
    def __getitem__(self, number):
        drawn = torch.randn(3, 32, 32) + random.random() + float(numpy.random.random())
        return drawn, number

class Endless(IterableDataset):
    def __iter__(self):
        while True:
            yield torch.randn(3, 32, 32), 1

def in_process(batch_size):
    return DataLoader(Random(), batch_size=batch_size, shuffle=True)

def by_workers(batch_size):
    return DataLoader(Random(), batch_size=batch_size, shuffle=True, num_workers=2)

def by_spawned_workers(batch_size):
    return DataLoader(Random(), batch_size=batch_size, num_workers=1, multiprocessing_context="spawn", worker_init_fn=begin)

def begin(worker):
    pass

def of_iterable(batch_size, rank, world_size):
    return DataLoader(Endless(), batch_size=batch_size, num_workers=2)

class Again:
    def __init__(self):
        self.generator = torch.Generator().manual_seed(7)  # of its own, and never put back
    def __iter__(self):
        for number in range(3):
            yield torch.randn(4, 3, 32, 32, generator=self.generator), torch.full((4,), number)

def of_generator():
    return Again()

def raises():
    loader = in_process(4)
    loader.dataset.__class__ = Raises
    return loader

class Raises(Random):
    def __getitem__(self, number):
        raise KeyError("mine")

def of_wrong_shape(batch_size):
    return DataLoader(TensorDataset(torch.zeros(8, 3, 8, 8), torch.zeros(8)), batch_size=batch_size)

def of_wrong_size():
    return DataLoader(Random(), batch_size=3)

def of_no_batch():
    return []

def no_loader():
    return 7

def asks(batch_size, path):
    return []

nothing = 3
"""
MAKERS = ["in_process", "by_workers", "by_spawned_workers", "of_iterable", "of_generator"]
BASES = ["py_raw", "py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer", "py_loop=by_name", "py_loop=ahead"]
AHEAD = """
def train(model, loader, optimizer, report, loss_function):
    batches = iter(loader)
    held = [next(batches), next(batches)]
    for batch in batches:
        held.append(batch)
        images, labels = held.pop(0)
        optimizer.zero_grad()
        loss = loss_function(model(images), labels)
        loss.backward()
        optimizer.step()
        report(loss)
"""


@pytest.fixture
def make_with(make_arm, tmp_path):
    """make_with(arm, function) as make_arm: an arm with that loader of LOADERS."""
    path = loaders_in(tmp_path)
    path.write_text(LOADERS, encoding="utf-8")
    (tmp_path / "ahead.py").write_text(AHEAD, encoding="utf-8")
    loops = {"by_name": f"{tmp_path / 'everything_by_name.py'}:train", "ahead": f"{tmp_path / 'ahead.py'}:train"}

    def make(base, function, **options):
        return make_arm(f"{base}+loader=mine", own_code={"loop": loops, "loader": {"mine": f"{path}:{function}"}}, **options)

    return make


def loaders_in(folder):
    return folder / f"loaders_of_{re.sub('[^a-z0-9]', '_', folder.name)}.py"  # a module's name is a process's


def children():
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split())


def work_after(arm, kept, position):
    """The losses of four steps from a state and a position, as the equal-work check takes them."""
    arm.session.drawn = position
    arm.take_state(kept)
    return [arm.step().item() for _ in range(4)]


@pytest.mark.parametrize("function", MAKERS)
def test_every_arm_gets_equal_batches_of_equal_positions(make_with, function):
    reference = make_with("py_raw", function, network="convnet")
    reference.step()  # makes the optimizer's state
    kept = [tensor.detach().clone() for tensor in reference.state()]
    losses = work_after(reference, kept, 3)
    assert len(set(losses)) > 2
    for number, base in enumerate(BASES if function == "by_workers" else BASES[3:], start=1):
        arm = make_with(base, function, network="convnet")
        for _ in range(number):  # whatever it has done before
            arm.step()
            arm.quiesce()
        assert work_after(arm, kept, 3) == losses, base
        (seconds,) = (seconds for name, seconds in arm.once_rows(0.0) if name == "loader_start")
        assert seconds > 0, base
        arm.close()


def test_workers_stay_from_block_to_block_do_nothing_between_and_end(make_with):
    before = children()
    arm = make_with("py_raw", "of_iterable")
    arm.step()
    workers = children() - before
    assert len(workers) == 2
    arm.quiesce()
    assert arm.loaded.source.loader._iterator._tasks_outstanding == 0
    arm.step()
    assert children() - before == workers
    arm.take_state([tensor.detach().clone() for tensor in arm.state()])
    assert children() & workers == set(), "others begin with the state"
    arm.step()
    arm.close()
    assert children() == before


def test_ranks_share_the_samples_as_frameworks_do_it(make_with, tmp_path):
    from ddpbench_arms.own_loader import make

    def labels_of(function, rank):
        loader = make(f"{loaders_in(tmp_path)}:{function}", batch_size=2, rank=rank, world_size=2)
        return [label for batch in loader for label in batch[1].tolist()]

    loaders_in(tmp_path).write_text(LOADERS, encoding="utf-8")
    first, second = labels_of("in_process", 0), labels_of("in_process", 1)
    assert set(first) | set(second) == set(range(9)) and len(first) == len(second) == 5
    assert labels_of("by_spawned_workers", 0) == [0, 2, 4, 6, 8], "what is not shuffled stays so"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("raises", "py:50: KeyError: 'mine'"),
        ("of_wrong_shape", "the loader gave float32 [4, 3, 8, 8] and float32 [4]: must be a pair of float32 [4, 3, 32, 32] and"),
        ("of_wrong_size", "the loader gave float32 [3, 3, 32, 32] and int64 [3]: must be a pair of float32 [4, 3, 32, 32]"),
        ("of_no_batch", "py:of_no_batch: the loader gives no batch"),
        ("no_loader", "no_loader() gave int: must be a loader, as torch's DataLoader"),
        ("asks", "asks() asks for path: must be some of batch_size, rank, world_size, as in make_loader("),
        ("nothing", "nothing is int: must be a function, make_loader(batch_size, rank, world_size), or a class"),
        ("missing", "no 'missing' in"),
    ],
)
def test_a_mistake_is_told_with_its_place(make_with, function, words):
    from ddpbench_arms.output import ToldError

    with pytest.raises(ToldError) as told:
        make_with("py_raw", function).step()
    assert words in str(told.value)


def test_a_module_trains_on_the_loader_of_another(make_arm, tmp_path):
    path = tmp_path / "module.py"
    path.write_text(HEAD, encoding="utf-8")
    own_code = {"module": {"mine": f"{path}:Plain"}, "loader": {"its": f"{path}:Plain"}}
    raw, lightning = (
        make_arm(f"{base}=mine+loader=its", network="module", own_code=own_code, session=Session())
        for base in ("py_raw", "py_lightning")
    )
    for arm in (raw, lightning):
        arm.step()
    kept = [tensor.detach().clone() for tensor in raw.state()]
    losses = work_after(raw, kept, 5)
    assert work_after(lightning, kept, 5) == losses
    assert len(set(losses)) == 4
    assert raw.replica.batches is None

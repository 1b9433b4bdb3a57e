"""The sampler's indices are torch.utils.data.distributed.DistributedSampler's; a byte's value is torchvision's."""

import os
import random
import subprocess
from typing import NamedTuple

import pytest
import torch
from PIL import Image
from torch.utils.data.distributed import DistributedSampler
from torchvision import transforms


class Setting(NamedTuple):
    size: int
    world_size: int
    rank: int
    seed: int
    epoch: int
    shuffle: bool
    drop_last: bool


def ask(lines: list[str]) -> list[str]:
    program = os.environ["DDPBENCH_SAMPLER_PROGRAM"]
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def ours(settings: list[Setting]) -> list[list[int]]:
    answers = ask([" ".join(["indices", *(str(int(value)) for value in setting)]) for setting in settings])
    return [[int(index) for index in answer.split()] for answer in answers]


def theirs(setting: Setting) -> list[int]:
    sampler = DistributedSampler(
        range(setting.size),
        num_replicas=setting.world_size,
        rank=setting.rank,
        shuffle=setting.shuffle,
        seed=setting.seed,
        drop_last=setting.drop_last,
    )
    sampler.set_epoch(setting.epoch)
    return list(sampler)


def check(settings: list[Setting]) -> None:
    found = ours(settings)
    assert len(found) == len(settings)
    for setting, indices in zip(settings, found, strict=True):
        assert indices == theirs(setting), setting


def test_any_setting():
    draw = random.Random(1)
    settings = []
    for _ in range(500):
        world_size = draw.randint(1, 17)
        settings.append(
            Setting(
                size=draw.choice([draw.randint(1, 40), draw.randint(1, 3000)]),
                world_size=world_size,
                rank=draw.randrange(world_size),
                seed=draw.choice([0, 1, draw.randrange(2**31), draw.randrange(2**53)]),
                epoch=draw.choice([0, 1, draw.randrange(1000)]),
                shuffle=draw.random() < 0.7,
                drop_last=draw.random() < 0.5,
            )
        )
    check(settings)


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
def test_sets_about_as_large_as_the_world(shuffle, drop_last):
    check(
        [
            Setting(size, world_size, rank, 3, 2, shuffle, drop_last)
            for size in range(1, 11)
            for world_size in (1, 2, 3, 5, 9)
            for rank in range(world_size)
        ]
    )


def test_a_whole_cifar_set_on_three_ranks():
    check([Setting(50_000, 3, rank, 2**53 - 1, epoch, True, False) for rank in range(3) for epoch in range(2)])


NORMALIZE = {
    "cifar10": transforms.Normalize((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)),
    "cifar100": transforms.Normalize((0.5071, 0.4865, 0.4409), (0.2673, 0.2564, 0.2762)),
    "mnist": transforms.Normalize((0.1307,), (0.3081,)),
}


@pytest.mark.parametrize("dataset", NORMALIZE)
def test_every_byte_has_torchvisions_value_bit_for_bit(dataset):
    mode = "L" if dataset == "mnist" else "RGB"
    every_byte = bytes(value for value in range(256) for _ in mode)
    image = Image.frombytes(mode, (16, 16), every_byte)
    expected = transforms.Compose([transforms.ToTensor(), NORMALIZE[dataset]])(image)
    (answer,) = ask([f"values {dataset}"])
    found = torch.tensor([float(value) for value in answer.split()], dtype=torch.float64).float()
    assert torch.equal(found, expected.flatten())

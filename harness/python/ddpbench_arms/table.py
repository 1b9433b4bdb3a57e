"""Every arm in Python: where it is made, and the packages it needs. Read without importing any of them."""

import importlib
from dataclasses import dataclass
from importlib import metadata
from typing import Any


@dataclass(frozen=True)
class Entry:
    module: str
    name: str
    needs: tuple[str, ...] = ()  # distributions, beside torch
    strategy: str = ""  # its own, in the place of the launch's


ARMS = {
    "py_raw": Entry("ddpbench_arms.raw", "Raw"),
    "py_raw_again": Entry("ddpbench_arms.raw", "Raw"),
    "py_raw_item": Entry("ddpbench_arms.raw", "RawItem"),
    "py_injected": Entry("ddpbench_arms.raw", "Raw"),  # the delay is the harness's
    "py_fabric": Entry("ddpbench_arms.fabric", "FabricArm", ("lightning",)),
    "py_accelerate": Entry("ddpbench_arms.accelerated", "AccelerateArm", ("accelerate",)),
    "py_lightning": Entry("ddpbench_arms.trainer", "LightningArm", ("lightning", "greenlet")),
    "py_hf_trainer": Entry("ddpbench_arms.hf_trainer", "HfTrainerArm", ("transformers", "accelerate", "greenlet")),
    "py_loop": Entry("ddpbench_arms.loop", "LoopArm", ("greenlet",)),
}

BY_HAND = Entry("ddpbench_arms.training.by_hand", "TrainingByHand")
# Whole trainings by these arms. Where the user's own loop makes the steps, he writes the rest by hand.
TRAININGS = dict.fromkeys(ARMS, BY_HAND) | {
    "py_lightning": Entry("ddpbench_arms.training.lightning", "LightningTraining"),
    "py_hf_trainer": Entry("ddpbench_arms.training.hf_trainer", "HfTraining"),
}

# Of arms that train a module of the user's own; the others' classes do that themselves.
OF_OWN_MODULES = dict.fromkeys(["py_raw", "py_raw_again", "py_injected"], Entry("ddpbench_arms.own_raw", "OwnRaw"))

# Of features beside those of their arms.
FEATURES = {
    "module": ("lightning",),
    "accuracy": ("torchmetrics",),
    "tensorboard": ("tensorboard",),
}

# Of the twins of some workloads (models.py).
WORKLOADS = dict.fromkeys(
    [f"{model}_{data}" for model in ("resnet18", "resnet50", "resnet101") for data in ("cifar10", "cifar100")], ("torchvision",)
)

# Those that bootstrap.sh installs (cmake/requirements.txt has the same versions).
PINNED = {
    "lightning": "2.6.6",
    "accelerate": "1.15.0",
    "transformers": "5.24.0",
    "torchmetrics": "1.9.0",
    "greenlet": "3.5.6",
    "tensorboard": "2.21.0",
}


def made_by(entry: Entry) -> Any:
    """Imports the entry's class."""
    return getattr(importlib.import_module(entry.module), entry.name)


def wanted_version(package: str) -> str:
    """Returns the version for the line that installs it. torchvision's is bound to torch's: 0.(N + 15) for torch 2.N."""
    if package != "torchvision":
        return PINNED[package]
    minor, patch = version_of("torch").partition("+")[0].split(".")[1:3]
    return f"0.{int(minor) + 15}.{patch}"


def packages_of(base: str, features: list[str]) -> list[str]:
    """Returns what an arm imports beside torch; nothing of an arm that is not in the table."""
    needs = list(ARMS[base].needs) if base in ARMS else []
    return needs + [package for feature in features for package in FEATURES.get(feature.partition("=")[0], ())]


def version_of(package: str) -> str:
    """Returns the installed version; "" where there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def installed() -> dict[str, str]:
    """Returns the versions of the packages that are there, torch's too."""
    versions = {package: version_of(package) for package in ("torch", "torchvision", *PINNED)}
    return {package: version for package, version in versions.items() if version}

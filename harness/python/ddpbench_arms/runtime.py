"""What the harness asks of Python (harness/python/python_runtime.hpp): a process group, arms, facts."""

import gc
import hashlib
import importlib
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import torch

from ddpbench_arms import table
from ddpbench_arms.arm import Arm
from ddpbench_arms.ranks import Ranks, join
from ddpbench_arms.replica import Request


class Runtime:
    def __init__(self) -> None:
        self.ranks: Ranks | None = None
        self.arms: list[Arm] = []
        self.modules: dict[str, str] = {}  # of the user's own, that arms train

    @property
    def facts(self) -> dict[str, str]:
        facts = {"python": platform.python_version(), "python_gc": gc_setting()}
        return facts | {f"python_{name}": version for name, version in table.installed().items()}

    def versions_of(self, base: str, features: list[str]) -> list[str]:
        """Returns the versions of Python, of what the arm needs (nothing, for the harness's), and of the user's module."""
        versions = {"python": platform.python_version()}
        versions |= {package: table.version_of(package) for package in table.packages_of(base, features)}
        modules = [name for name in self.modules if f"module={name}" in features]
        versions |= {name: f"sha256:{digest_of(self.modules[name])}" for name in modules}
        return [f"{name}={version}" for name, version in versions.items()]

    def meet(self, ranks: dict[str, Any]) -> None:
        # Frameworks that find none choose a number of threads by themselves.
        os.environ.setdefault("OMP_NUM_THREADS", str(torch.get_num_threads()))
        self.ranks = Ranks(**ranks)
        join(self.ranks)

    def make_arm(self, request: dict[str, Any]) -> Arm:
        base = request["base"]
        entry = table.ARMS[base]
        asked = Request.of(request, entry.strategy)
        if asked.module:
            entry = table.OF_OWN_MODULES.get(base, entry)
            self.modules |= {asked.module: asked.modules[asked.module]}
        is_first = bool(entry.needs) and not any(package in sys.modules for package in ("lightning", "accelerate"))
        begin = time.perf_counter()
        make = getattr(importlib.import_module(entry.module), entry.name)
        imported = time.perf_counter()
        with asked.strategy.setting_up():
            arm = make(asked, self.ranks)
        if is_first:  # what a second framework imports is there in part
            arm.once.append(("import", imported - begin))
        arm.once.append(("setup", time.perf_counter() - imported))
        self.arms.append(arm)
        return arm


def digest_of(where: str) -> str:
    """Returns a digest of the file of "FILE.py:Class": it tells which of its versions an arm ran."""
    return hashlib.sha256(Path(where.rpartition(":")[0]).read_bytes()).hexdigest()[:12]


def gc_setting() -> str:
    return ",".join(map(str, gc.get_threshold())) if gc.isenabled() else "off"

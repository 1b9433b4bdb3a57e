"""What the harness asks of Python (harness/python/python_runtime.hpp): a process group, arms, facts."""

import gc
import os
import platform
import sys
import time
from typing import Any

import torch

from ddpbench_arms import table
from ddpbench_arms.arm import Arm
from ddpbench_arms.own_file import digest_of
from ddpbench_arms.ranks import Ranks, join
from ddpbench_arms.replica import Request
from ddpbench_arms.training.plan import Plan


class Runtime:
    def __init__(self) -> None:
        self.ranks: Ranks | None = None
        self.arms: list[Arm] = []
        self.own_code: dict[str, str] = {}  # of the user's own, that arms take: "module=NAME" -> "FILE.py:Class"

    @property
    def facts(self) -> dict[str, str]:
        facts = {"python": platform.python_version(), "python_gc": gc_setting()}
        return facts | {f"python_{name}": version for name, version in table.installed().items()}

    def versions_of(self, base: str, features: list[str]) -> list[str]:
        """Returns the versions of Python, of what the arm needs (nothing, for the harness's), and of the user's own code."""
        versions = {"python": platform.python_version()}
        versions |= {package: table.version_of(package) for package in table.packages_of(base, features)}
        own = {feature: where for feature, where in self.own_code.items() if feature in features}
        versions |= {feature.partition("=")[2]: f"sha256:{digest_of(where)}" for feature, where in own.items()}
        return [f"{name}={version}" for name, version in versions.items()]

    def meet(self, ranks: dict[str, Any]) -> None:
        # Frameworks that find none choose a number of threads by themselves.
        os.environ.setdefault("OMP_NUM_THREADS", str(torch.get_num_threads()))
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # else a pool of processes, as large as the host
        self.ranks = Ranks(**ranks)
        join(self.ranks)

    def make_arm(self, request: dict[str, Any]) -> Arm:
        base = request["base"]
        entry = table.ARMS[base]
        asked = Request.of(request, entry.strategy)
        if asked.module:
            entry = table.OF_OWN_MODULES.get(base, entry)
        self.own_code |= asked.own_code_in_force()
        is_first = bool(entry.needs) and not any(package in sys.modules for package in ("lightning", "accelerate"))
        begin = time.perf_counter()
        make = table.made_by(entry)
        imported = time.perf_counter()
        with asked.strategy.setting_up():
            arm = make(asked, self.ranks)
        if is_first:  # what a second framework imports is there in part
            arm.once.append(("import", imported - begin))
        arm.once.append(("setup", time.perf_counter() - imported))
        self.arms.append(arm)
        return arm

    def train(self, request: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
        """Runs a whole training of an arm; returns what it took and what it led to (WholeTraining.result)."""
        base = request["base"]
        asked = Request.of(request, table.ARMS[base].strategy)
        table.made_by(table.ARMS[base])  # imported, as its packages, before the clock runs
        make = table.made_by(table.TRAININGS[base])
        training = make(asked, self.ranks, Plan(**plan))
        try:
            with asked.strategy.setting_up():
                training.train()
            training.parts.end()
            return training.result()
        finally:
            training.close()
            del training
            gc.collect()  # what it leaves in circles is no later training's


def gc_setting() -> str:
    return ",".join(map(str, gc.get_threshold())) if gc.isenabled() else "off"

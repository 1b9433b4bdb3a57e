"""The process of a rank: imports torch, then the harness, and never returns."""

import ctypes
import faulthandler
import importlib
import json
import os
import re
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from ddpbench_arms.releases import put_first, wanted_by

CANNOT_RUN = 3
STACK_SIGNAL = signal.SIGURG  # suite/contract/processes/stack_signal.hpp
LAYOUT = Path(__file__).parents[2] / "layout.json"


def newest(libraries: list[Path]) -> Path | None:
    """Returns the newest library by the release at the end of its real name, libstdc++.so.6.0.30; of equal ones the first."""
    there = [(path, [int(number) for number in re.findall("[0-9]+", path.resolve().name)]) for path in libraries if path.exists()]
    return max(there, key=lambda one: one[1])[0] if there else None


def load_compiler_runtime() -> None:
    """Loads the newest libstdc++ before torch, which would load the system's: too old for a harness of a newer compiler."""
    built_with = json.loads(LAYOUT.read_text(encoding="utf-8")).get("compiler_runtime", "") if LAYOUT.exists() else ""
    if not built_with:
        return
    own = Path(sys.base_prefix, "lib", "libstdc++.so.6")  # of a conda environment
    ctypes.CDLL(str(newest([Path(built_with), own]) or built_with), mode=ctypes.RTLD_GLOBAL)


def load_harness() -> ModuleType:
    load_compiler_runtime()
    # In this order: the harness's module links torch's libraries.
    importlib.import_module("torch")
    return importlib.import_module("ddpbench_harness")


def say_where_when_asked() -> None:
    """Writes the stack of the main thread to stderr at the signal that the driver sends where a launch hangs."""
    faulthandler.register(STACK_SIGNAL, all_threads=False)


def main(tokens: list[str]) -> NoReturn:
    say_where_when_asked()
    try:
        put_first(wanted_by(tokens))
        harness = load_harness()
    except (ImportError, OSError) as error:
        sys.stderr.write(f"ddpbench_arms: {sys.executable} cannot host arms: {error}\n")
        sys.stderr.flush()
        os._exit(CANNOT_RUN)
    from ddpbench_arms.output import tell_whose
    from ddpbench_arms.runtime import Runtime

    tell_whose(harness.arm_in_python)
    harness.leave(harness.run(tokens, Runtime()))

"""The process of a rank: imports torch, then the harness, and never returns."""

import importlib
import os
import sys
from typing import NoReturn

from ddpbench_arms.releases import put_first, wanted_by

CANNOT_RUN = 3


def main(tokens: list[str]) -> NoReturn:
    try:
        put_first(wanted_by(tokens))
        # In this order: the harness's module links torch's libraries.
        importlib.import_module("torch")
        harness = importlib.import_module("ddpbench_harness")
    except ImportError as error:
        sys.stderr.write(f"ddpbench_arms: {sys.executable} cannot host arms: {error}\n")
        sys.stderr.flush()
        os._exit(CANNOT_RUN)
    from ddpbench_arms.host import Host
    from ddpbench_arms.output import tell_whose

    tell_whose(harness.arm_in_python)
    harness.leave(harness.run(tokens, Host()))

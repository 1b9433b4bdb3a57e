"""Whether the user's own modules of a launch can be made and driven, asked once before any launch begins."""

import os
import sys
from pathlib import Path
from typing import NoReturn

from ddpbench_arms.releases import put_first, wanted_by

OF_THE_CALLER = 2


def modules_in(tokens: list[str]) -> list[str]:
    """FILE.py:Class of each `--module NAME=FILE.py:Class`."""
    return [value.partition("=")[2] for flag, value in zip(tokens, tokens[1:], strict=False) if flag == "--module"]


def line_of(error: BaseException, path: Path) -> str:
    """The error in one line, with the line of the user's file that it came through."""
    from ddpbench_arms.own_module import place_in

    place, words = place_in(path, error), " ".join(str(error).split())
    is_told = place == str(path) or words.startswith(str(path))
    return words if is_told else f"{place}: {type(error).__name__}: {words}"


def main(tokens: list[str]) -> NoReturn:
    """Leaves as a rank does: a thread that the user's file began keeps nothing from ending."""
    code = 0
    put_first(wanted_by(tokens))
    from ddpbench_arms import own_module

    for where in modules_in(tokens):
        try:
            own_module.require_drivable(own_module.make(where).module)
        except (Exception, SystemExit) as error:
            sys.stderr.write(f"ddpbench_arms: {line_of(error, Path(where.rpartition(':')[0]))}\n")
            code = OF_THE_CALLER
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)

"""Starts commands in hostile surroundings: variables, streams, limits, folders, paths, planted files. One situation per case."""

from __future__ import annotations

import os

from case import Case
from situations import SITUATIONS
from small_run import make_undisturbed

WEIGHTED = [name for name, (_, weight) in SITUATIONS.items() for _ in range(weight)]


def prepare(case: Case) -> None:
    make_undisturbed(case, with_page=True, launches=2, super_blocks=2)
    for folder in (case.setting.shared, case.setting.shared.parent):
        os.chmod(folder, 0o755)  # another user comes by


def run_case(case: Case) -> None:
    """The first cases are one of each."""
    kinds = list(SITUATIONS)
    case.sort = kinds[case.number] if case.number < len(kinds) else case.random.choice(WEIGHTED)
    SITUATIONS[case.sort][0](case)

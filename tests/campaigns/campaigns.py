"""The table of campaigns. One more: a file with `prepare` and `run_case`, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import damage
import experiments
import hangs
import kills
import surroundings
from case import Case


@dataclass(frozen=True)
class Campaign:
    name: str
    prepare: Callable[[Case], None]  # once: fills the folder that all cases share
    run_case: Callable[[Case], None]
    small: int  # cases in CI, of seconds
    large: int  # cases of a proof
    help: str


CAMPAIGNS = (
    Campaign("kills", kills.prepare, kills.run_case, 5, 1_000, "driver, ranks or all die by a signal, then --resume"),
    Campaign("hangs", hangs.prepare, hangs.run_case, 5, 100, "ranks are stopped at any stage of a launch"),
    Campaign("bytes", damage.prepare, damage.run_byte, 200, 10_000, "one altered byte of any file of a results folder"),
    Campaign("damage", damage.prepare, damage.run_case, 60, 10_000, "any other damage of a results folder"),
    Campaign("experiments", experiments.prepare, experiments.run_case, 150, 10_000, "hostile TOML, --set, constraints and flags"),
    Campaign(
        "surroundings", surroundings.prepare, surroundings.run_case, 27, 2_500, "variables, streams, limits, paths, planted files"
    ),
)


def named(name: str) -> Campaign:
    """KeyError where there is none."""
    return {campaign.name: campaign for campaign in CAMPAIGNS}[name]

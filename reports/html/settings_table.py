"""Two values of one setting against each other, all else equal: a group per comparison, a row per clock, worst first."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reports.html.overhead_table import SIGNS
from reports.plots.quantities import count_range, estimate, number, probability
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import NOT_RESOLVED, Results, verdict_badness
from reports.plots.wording import clock_name, left_out, verdict_word

MAX_COMPARISONS = 100  # each has a row per clock: as many rows as other tables show


@dataclass(frozen=True)
class SettingLine:
    clock: str
    us: str
    percent: str
    reference_step_ms: str
    repetitions: int
    p: str
    p_holm: str  # empty where p was not measured
    resolved: bool
    sign: str
    key: str  # of the verdict, as the table has it
    verdict: str
    reason: str


@dataclass(frozen=True)
class SettingGroup:
    """Holds what was compared: "bucket_cap_mb: 1 against 25" in this cell."""

    values: str
    cell: str
    lines: list[SettingLine]


@dataclass(frozen=True)
class SettingsTable:
    interval: str
    n: str
    groups: list[SettingGroup]
    note: str  # what was left out


def settings_table(results: Results) -> SettingsTable:
    """Makes the table; without groups where no two cells differ in one setting alone, as in most experiments."""
    found = _worst_first(results)
    shown = found[:MAX_COMPARISONS]
    confidence = float(results.summary.get("confidence_percent") or 95)
    repetitions = [row.repetitions for row in results.settings]
    return SettingsTable(
        f"{confidence:g} % t-interval over repetitions",
        f"n = {count_range(repetitions)} repetition{'' if set(repetitions) == {1} else 's'}",
        [_group(results, rows) for rows in shown],
        left_out(len(shown), len(found), "comparisons", "tables/settings.csv"),
    )


def _worst_first(results: Results) -> list[list[Row]]:
    """The rows of each comparison; the worst of its clocks is where it stands."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in results.settings:
        found.setdefault((row.setting, row.cell_id, row.reference_cell_id), []).append(row)
    return sorted(found.values(), key=lambda rows: min(verdict_badness(row.verdict, row.difference_percent) for row in rows))


def _group(results: Results, rows: list[Row]) -> SettingGroup:
    first = rows[0]
    order = {clock: place for place, clock in enumerate(results.clocks())}
    return SettingGroup(
        f"{first.setting}: {first.value} against {first.reference_value}",
        results.label_of(first.cell_id),
        [_line(row) for row in sorted(rows, key=lambda row: order.get(row.clock, len(order)))],
    )


def _line(row: Row) -> SettingLine:
    return SettingLine(
        clock=clock_name(row.clock),
        us=estimate(row.difference_us, row.difference_us_lo, row.difference_us_hi),
        percent=estimate(row.difference_percent, row.difference_percent_lo, row.difference_percent_hi),
        reference_step_ms=number(row.reference_step_us / 1000),
        repetitions=row.repetitions,
        p=probability(row.p),
        p_holm=f"{probability(row.p_holm)} ({row.comparisons:,})" if math.isfinite(row.p_holm) else "",
        resolved=row.verdict not in NOT_RESOLVED,
        sign=SIGNS.get(row.verdict, "–"),
        key=row.verdict,
        verdict=verdict_word(row),
        reason=row.reason,
    )

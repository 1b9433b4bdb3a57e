"""The overhead table as the report shows it: one per clock, the primary one first, cells in their order."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reports.plots.quantities import NOT_MEASURED, estimate, interval, number, probability
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import NOT_RESOLVED, Results
from reports.plots.wording import clock_title, interval_kind, left_out, p_kind, pairs_and_launches, verdict_text

# A sign beside each verdict: colour alone says nothing to some, and nothing on paper.
SIGNS = {"SLOWER": "▲", "FASTER": "▼", "EQUIVALENT": "=", "AMBIGUOUS": "?", "UNMEASURABLE": "?"}


MOST_CELLS_PRIMARY, MOST_CELLS = 1000, 50  # of the primary clock, of every other


@dataclass(frozen=True)
class Line:
    arm: str
    control: bool
    us: str
    percent: str
    us_of_means: str
    resolution: str  # the smallest difference that could be told from none, us; empty: not measured
    largest_rank: str  # "rank 3: +10 [+8, +12]"; empty: not compared rank by rank
    reference_step_ms: str
    pairs: int
    launches: int
    p: str
    p_holm: str  # with the size of its family; empty where p was not measured
    resolved: bool
    sign: str
    key: str  # of the verdict, as overhead.csv has it
    verdict: str
    budget: str
    reason: str
    periodic: str = ""  # work of every n-th step, us per step; empty where the arm has none


@dataclass(frozen=True)
class Group:
    """Holds the lines of one cell that share a reference, and what else they share."""

    cell_id: str
    label: str
    aa: str
    injected: str
    lines: list[Line]


@dataclass(frozen=True)
class ClockTable:
    clock: str
    title: str
    interval: str
    p_kind: str
    n: str
    groups: list[Group]
    note: str  # what was left out


def overhead_tables(results: Results) -> list[ClockTable]:
    return [_table(results, clock) for clock in results.clocks()]


def _table(results: Results, clock: str) -> ClockTable:
    unlisted = dict.fromkeys(row.cell_id for row in results.overhead if row.cell_id not in results.labels)
    cell_ids = [cell_id for cell_id in [*results.labels, *unlisted] if results.overhead_of(cell_id, clock)]
    most = MOST_CELLS_PRIMARY if clock == results.clocks()[0] else MOST_CELLS
    shown = cell_ids[:most]
    groups = [group for cell_id in shown for group in _groups(results, cell_id, clock, results.label_of(cell_id))]
    rows = [row for row in results.overhead if row.clock == clock]
    confidence = float(results.summary.get("confidence_percent") or 95)
    return ClockTable(
        clock,
        clock_title(clock),
        interval_kind(rows, confidence),
        p_kind(rows),
        pairs_and_launches(rows),
        groups,
        left_out(len(shown), len(cell_ids), "cells", "overhead.csv"),
    )


def _groups(results: Results, cell_id: str, clock: str, label: str) -> list[Group]:
    """One for each reference: its arms share the A/A interval and the control."""
    families: dict[str, list[Row]] = {}
    for row in results.overhead_of(cell_id, clock):
        families.setdefault(row.reference, []).append(row)
    order = {arm: place for place, arm in enumerate(results.arms_worst_first(cell_id))}
    return [
        Group(
            cell_id,
            label + results.against(reference),
            _with_unit(interval(rows[0].aa_us_lo, rows[0].aa_us_hi)),
            _injected(rows[0]),
            [_line(results, row) for row in sorted(rows, key=lambda row: order[row.arm])],
        )
        for reference, rows in families.items()
    ]


def _line(results: Results, row: Row) -> Line:
    return Line(
        arm=row.arm,
        control=results.facts_of(row.arm).is_control,
        us=estimate(row.overhead_us, row.overhead_us_lo, row.overhead_us_hi),
        percent=estimate(row.overhead_percent, row.overhead_percent_lo, row.overhead_percent_hi),
        us_of_means=estimate(row.overhead_us_of_means, row.overhead_us_of_means_lo, row.overhead_us_of_means_hi),
        resolution=f"±{number(row.seen_us)}" if math.isfinite(row.seen_us) else "",
        largest_rank=_largest_rank(row),
        reference_step_ms=number(row.reference_step_us / 1000),
        pairs=row.pairs,
        launches=row.launches,
        p=probability(row.p_value),
        p_holm=_adjusted(row),
        resolved=row.verdict not in NOT_RESOLVED,
        sign=SIGNS.get(row.verdict, "–"),
        key=row.verdict,
        verdict=verdict_text(row),
        budget=f"budget {row.budget_percent:g} %: {row.budget_verdict}" if row.budget_verdict else "",
        reason="; ".join(part for part in (row.reason, row.qualified) if part),
        periodic=_periodic(row),
    )


def _largest_rank(row: Row) -> str:
    text = estimate(row.largest_rank_us, row.largest_rank_us_lo, row.largest_rank_us_hi)
    return "" if text == NOT_MEASURED else f"rank {row.largest_rank:.0f}: {text}"


def _periodic(row: Row) -> str:
    text = estimate(row.periodic_us, row.periodic_us_lo, row.periodic_us_hi)
    return "" if text == NOT_MEASURED else f"{text} every n-th"


def _adjusted(row: Row) -> str:
    return f"{probability(row.p_holm)} ({row.comparisons:,})" if math.isfinite(row.p_holm) else ""


def _injected(row: Row) -> str:
    found, truth = number(row.injected_us), number(row.injected_true_us)
    if NOT_MEASURED in (found, truth):
        return NOT_MEASURED
    return f"{found} µs found of {truth} µs"


def _with_unit(text: str) -> str:
    return text if text == NOT_MEASURED else f"{text} µs"

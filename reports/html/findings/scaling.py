"""Throughput, speed-up and efficiency over the number of ranks."""

from __future__ import annotations

import math

from reports.html.findings.efficiency import bounds, percent
from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, interval, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Ranks", lambda row: str(row.world_size), True),
        Column("Samples per second", _throughput, True),
        Column("Mode", lambda row: row.mode or "–"),
        Column("Speed-up", _speedup, True),
        Column("Efficiency", _efficiency, True),
        Column("n: super-blocks / launches", lambda row: f"{row.super_blocks:,} / {row.launches}", True),
    ]
    caption = (
        "From the median step of the slowest rank; bounds over launches: with fewer than five, by the scatter of all sizes; of"
        " one launch none."
        " Speed-up and efficiency against the smallest number of ranks that differs in nothing else."
    )
    head = Head("scaling", "Throughput and scaling", caption, "scale", 20)
    return [plain_table(head, columns, results.in_order(results.scaling), "scaling.csv")]


def _throughput(row: Row) -> str:
    text = interval(row.samples_per_s_lo, row.samples_per_s_hi).replace("+", "")
    return f"{number(row.samples_per_s)} {text if text != NOT_MEASURED else '[no interval]'}"


def _speedup(row: Row) -> str:
    if not math.isfinite(row.speedup):
        return ""
    text = interval(row.speedup_lo, row.speedup_hi, 2).replace("+", "")
    return f"{row.speedup:.2f} {text if text != NOT_MEASURED else '[no interval]'}"


def _efficiency(row: Row) -> str:
    if not math.isfinite(row.efficiency):
        return ""
    return f"{percent(row.efficiency)} {bounds(row.efficiency_lo, row.efficiency_hi)}"

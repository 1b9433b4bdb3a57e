"""What else was measured of a launch or an arm, with units and digits that a person reads."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

SMALLEST_PLAIN = 1e-4  # below it the decimals of a plain number run out
# Settings rather than findings: the experiment asks for them.
SETTINGS = ("deterministic", "cudnn_benchmark")
# unit -> what it is written as, and how many of the unit one is, the largest first
SCALES = {
    "s": (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)),
    "B": (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)),
    "MiB": (("GiB", 1024.0), ("MiB", 1.0)),
}


def readable(value: float, unit: str) -> str:
    """0.000112, "s" -> "112 µs"; without a unit ("1") the number alone."""
    if not math.isfinite(value):
        return NOT_MEASURED
    if value == 0:
        return "0" if unit == "1" else f"0 {unit}"
    names = SCALES.get(unit, (("" if unit == "1" else unit, 1.0),))
    name, scale = next((entry for entry in names if abs(value) >= entry[1]), names[-1])
    return f"{_digits(value / scale)} {name}".rstrip().replace("-", "−")


def _digits(value: float) -> str:
    """Whole numbers whole; of others what counts."""
    if value == round(value):
        return f"{value:,.0f}"
    return number(value) if abs(value) >= SMALLEST_PLAIN else f"{value:.2e}"


def tables(results: Results) -> list[PlainTable]:
    found = (row for row in results.metrics if row.metric not in SETTINGS)
    rows = results.in_order(sorted(found, key=lambda row: row.metric))
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Metric", lambda row: row.metric),
        Column("Arm", lambda row: row.arm),
        Column("Median", lambda row: readable(row.median, row.unit), True),
        Column("Smallest to largest", _range, True),
        Column("Values", lambda row: f"{row.values:,}", True),
    ]
    caption = "Over launches and ranks; without an arm: of the launch as a whole. ddpbench list metrics says what each is."
    head = Head("metrics", "Other measurements", caption, "where", 50)
    return [plain_table(head, columns, rows, "tables/metrics.csv", "No metric was recorded.")]


def _range(row: Row) -> str:
    if row.smallest == row.largest:
        return ""
    return f"{readable(row.smallest, row.unit)} to {readable(row.largest, row.unit)}"

"""How well sizes are predicted that were measured, each from the others: what `ddpbench predict` is worth."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number, with_bounds
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FILE = "tables/held_out.csv"


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Held out", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Mode", lambda row: row.mode),
        Column("Ranks", lambda row: f"{row.world_size:,}", True),
        Column("Step (ms)", lambda row: number(row.step_ms), True),
        Column("Predicted (ms)", _predicted, True),
        Column("Missed by", _error, True),
        Column("In its interval", _inside),
        Column("Compute + skew + exposed (ms)", _parts, True),
        Column("n: sizes", lambda row: str(row.sizes), True),
        Column("Not predicted", lambda row: row.reason, long=True),
    ]
    caption = (
        "Each measured size, predicted from the other sizes alone: compute by batch, what the slowest rank has more, and exposed"
        " communication by the α–β model; 95 % intervals (Student's, with what such models miss elsewhere). ddpbench predict"
        " gives the same for sizes that were not measured."
    )
    controls = {arm for arm in {row.arm for row in results.held_out} if results.facts_of(arm).is_control}
    rows = results.in_order(row for row in results.held_out if row.arm not in controls)
    why = "Three sizes that differ in the number of ranks alone were not measured."
    head = Head("held-out", "Prediction of sizes that were held out", caption, "scale", 30)
    return [plain_table(head, columns, rows, FILE, why)]


def _predicted(row: Row) -> str:
    return with_bounds(row.predicted_ms, row.predicted_ms_lo, row.predicted_ms_hi)


def _error(row: Row) -> str:
    return f"{number(row.error_percent, 1, signed=True)} %" if math.isfinite(row.error_percent) else ""


def _inside(row: Row) -> str:
    if row.reason:
        return ""
    return "yes" if row.is_inside else "▲ no"


def _parts(row: Row) -> str:
    if not math.isfinite(row.compute_ms):
        return ""
    return f"{number(row.compute_ms)} + {number(row.skew_ms)} + {number(row.exposed_ms)}"

"""What each arm's step goes into, with intervals, and what would make it shorter."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number, with_bounds
from reports.plots.tables.results import Results

FILE = "tables/step_parts.csv"


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Part", lambda row: f"{row.part} (rank {row.slowest_rank} is slow)" if row.slowest_rank else row.part),
        Column("Bottleneck", lambda row: "yes" if row.is_bottleneck else ""),
        Column("Time (ms)", lambda row: with_bounds(row.ms, row.ms_lo, row.ms_hi), True),
        Column("Of the step", lambda row: f"{100 * row.share:.1f} %" if math.isfinite(row.share) else "", True),
        Column("Could be saved, at most (ms)", lambda row: with_bounds(row.saves_ms, row.saves_ms_lo, row.saves_ms_hi), True),
        Column("Measured by", lambda row: row.measured_by),
        Column("n: launches", lambda row: number(row.launches, 0), True),
    ]
    caption = (
        "Mean wall time of a step over ranks; the parts of an arm add up to it. Interval: t over launches, of one launch over its"
        " blocks. Could be saved: by doing away with the part, of compute by doing away with all others;"
        " measured by the arm with an ideal network or by the loop by hand, else the part itself."
    )
    head = Head("step-parts", "What keeps the step from being shorter, with intervals", caption, "where", 5)
    why = "Neither phases and waits were stamped, nor an arm with an ideal network measured."
    return [plain_table(head, columns, results.in_order(results.step_parts), FILE, why)]

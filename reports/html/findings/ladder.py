"""The ladder: what a feature costs on top of the others, and what the whole saves without it."""

from __future__ import annotations

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import estimate, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import LADDER_KINDS, capitalize_first, short_clock


def tables(results: Results) -> list[PlainTable]:
    clock = next(iter(results.clocks()), "")
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("What", lambda row: LADDER_KINDS.get(row.kind, row.kind)),
        Column("Feature", lambda row: row.feature),
        Column("Arm less reference", lambda row: f"{row.arm} − {row.reference}"),
        Column("Cost (µs per step)", lambda row: estimate(row.cost_us, row.cost_us_lo, row.cost_us_hi), True),
        Column("n: pairs / launches", lambda row: f"{row.pairs:,} / {row.launches}", True),
        Column("Not closed (µs)", _remainder, True),
    ]
    caption = (
        f"{capitalize_first(short_clock(clock))}; the other clocks are in the file. A rung is an arm less the rung below it,"
        " paired within super-blocks; the total says what the rungs leave of it. Leave-one-out: the whole less the whole"
        " without that feature. Interaction: the total less all leave-one-out figures."
    )
    rows = results.in_order(row for row in results.ladder if row.clock == clock)
    head = Head("ladder", "Ladder of features", caption, "where", 10)
    return [plain_table(head, columns, rows, "tables/ladder.csv", "No two arms of a cell differ by features alone.")]


def _remainder(row: Row) -> str:
    return number(row.remainder_us, signed=True) if row.kind == "total" else ""

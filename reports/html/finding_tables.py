"""The tables beyond the overhead, in the order of the report."""

from __future__ import annotations

from reports.html.batch_memory_table import batch_memory_table
from reports.html.check_tables import audit_table, carry_over_table
from reports.html.collective_tables import collective_tables
from reports.html.counts_table import counts_table
from reports.html.efficiency_tables import efficiency_table, scaling_table
from reports.html.held_out_table import held_out_table
from reports.html.instructions_table import instructions_table
from reports.html.law_table import laws_table
from reports.html.metrics_table import metrics_table
from reports.html.node_table import nodes_table
from reports.html.plain_table import Column, PlainTable, plain_table
from reports.html.training_table import training_table
from reports.plots.quantities import estimate, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import LADDER_KINDS, capitalize_first, short_clock


def finding_tables(results: Results) -> list[PlainTable]:
    return [
        laws_table(results),
        _ladder(results),
        instructions_table(results),
        counts_table(results),
        efficiency_table(results),
        training_table(results),
        scaling_table(results),
        held_out_table(results),
        batch_memory_table(results),
        *collective_tables(results),
        nodes_table(results),
        carry_over_table(results),
        audit_table(results),
        metrics_table(results),
    ]


# --- the ladder ---------------------------------------------------------------------------------------------------


def _ladder(results: Results) -> PlainTable:
    labels = {cell.cell_id: cell.label for cell in results.cells}
    clock = next(iter(results.clocks()), "")
    columns = [
        Column("Cell", lambda row: labels.get(row.cell_id, row.cell_id)),
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
    return plain_table(
        ("ladder", "Ladder of features", caption),
        columns,
        rows,
        "tables/ladder.csv",
        "No two arms of a cell differ by features alone.",
    )


def _remainder(row: Row) -> str:
    return number(row.remainder_us, signed=True) if row.kind == "total" else ""

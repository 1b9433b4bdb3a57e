"""What arms and rungs do beyond their references, in instructions: where noise hides it from every clock."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, estimate
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import LADDER_KINDS


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("What", lambda row: LADDER_KINDS.get(row.kind, row.kind)),
        Column("Feature", lambda row: row.feature),
        Column("Arm less reference", lambda row: f"{row.arm} − {row.reference}"),
        Column("More instructions (thousands per step)", _thousands, True),
        Column("of the reference's (%)", _percent, True),
        Column("n: pairs / launches", lambda row: f"{row.pairs:,} / {row.launches}", True),
        Column("Verdict", lambda row: row.verdict),
        Column("Why", lambda row: row.reason, long=True),
    ]
    caption = (
        "Instructions of the rank's main thread (and of autograd's threads) in user space, mean over the ranks, paired within"
        " super-blocks. Noise of the host hardly moves them: they order arms that time leaves open. They are work and no time:"
        " the verdicts about time stand above."
    )
    rows = results.in_order(results.instructions)
    head = Head("instructions", "Counted in instructions", caption, "where", 20)
    return [plain_table(head, columns, rows, "tables/instructions.csv", _why_none(results))]


def _thousands(row: Row) -> str:
    return estimate(row.extra / 1000, row.extra_lo / 1000, row.extra_hi / 1000)


def _percent(row: Row) -> str:
    text = estimate(row.extra_percent, row.extra_percent_lo, row.extra_percent_hi)
    return text if math.isfinite(row.extra_percent) else NOT_MEASURED


def _why_none(results: Results) -> str:
    said = results.environment.get("launches") or {}
    whys = sorted({str(facts.get("instruction_counter", "")) for facts in said.values() if isinstance(facts, dict)} - {""})
    whys = [why if why.startswith("none") else "the kernel lent the counter to other programs" for why in whys]
    return "No instructions were counted" + (f" ({'; '.join(whys)})." if whys else ".")

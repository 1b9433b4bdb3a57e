"""Whether the arm that ran before changes what an arm costs."""

from __future__ import annotations

from reports.html.plain_table import MAX_ROWS, Column, Head, PlainTable, plain_table
from reports.plots.quantities import estimate, probability
from reports.plots.tables.results import Results
from reports.plots.wording import clock_name

SUREST_ROWS = 10  # of those that are within chance: the rest of them would bury what stands out


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("After", lambda row: row.previous),
        Column("Clock", lambda row: clock_name(row.clock)),
        Column("Effect (µs)", lambda row: estimate(row.effect_us, row.effect_us_lo, row.effect_us_hi), True),
        Column("n: after it / else", lambda row: f"{row.super_blocks:,} / {row.others:,}", True),
        Column("p", lambda row: probability(row.p), True),
        Column("p by Holm", lambda row: probability(row.p_holm), True),
        Column("", lambda row: "▲ stands out" if row.stands_out else "–"),
    ]
    caption = (
        "Whether the arm that ran before changes an arm's paired difference to the reference: its super-blocks after that arm"
        " against all others, 20 % trimmed means with a t-interval (Yuen); p adjusted by Holm over all rows of the file."
        " What stands out comes first, then the surest."
    )
    rows = sorted(results.carry_over, key=lambda row: (-row.stands_out, row.p_holm, row.p))
    standing_out = sum(row.stands_out for row in rows)
    head = Head("carry-over", "Carry-over", caption, "trust", 20)
    why = "No launch knows the order of its blocks."
    return [plain_table(head, columns, rows, "tables/carry_over.csv", why, min(MAX_ROWS, standing_out + SUREST_ROWS))]

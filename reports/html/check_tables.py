"""What was checked beside the estimates: carry-over, what differs between launches, and how designs fare in simulation."""

from __future__ import annotations

import math
from pathlib import Path

from reports.html.plain_table import MAX_ROWS, Column, PlainTable, plain_table
from reports.plots.quantities import estimate, number, probability
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import clock_name

# Kept, for the simulation is the same whatever was measured; tests/suite/estimates/designs_table_test.py makes and checks it.
DESIGNS = Path(__file__).parent / "designs.csv"

SUREST_ROWS = 10  # of those that are within chance: the rest of them would bury what stands out

DESIGN_WORDS = {"words": "what is done", "rmse_percent": "RMSE"}
SEVERITY_SIGNS = {"error": "✖", "warning": "▲", "asked_for": "="}


def carry_over_table(results: Results) -> PlainTable:
    labels = {cell.cell_id: cell.label for cell in results.cells}
    columns = [
        Column("Cell", lambda row: labels.get(row.cell_id, row.cell_id)),
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
    return plain_table(
        ("carry-over", "Carry-over", caption),
        columns,
        rows,
        "tables/carry_over.csv",
        "No launch knows the order of its blocks.",
        min(MAX_ROWS, standing_out + SUREST_ROWS),
    )


def audit_table(results: Results) -> PlainTable:
    columns = [
        Column("What", lambda row: row.what),
        Column("Severity", _severity),
        Column("Values", lambda row: row.values, long=True),
        Column("Differs", lambda row: "within a cell" if row.within_a_cell else "between cells"),
        Column("n: launches / cells", lambda row: f"{row.launches} / {row.cells}", True),
    ]
    return plain_table(
        ("audit", "What differs between launches", "From the facts of each launch in environment.json; errors first."),
        columns,
        results.audit,
        "tables/audit.csv",
        "Nothing, of what each launch recorded." if "tables/audit.csv" not in results.missing else "Not recorded.",
    )


def _severity(row: Row) -> str:
    words = f"asked for by {row.asked_for}" if row.severity == "asked_for" else row.severity
    return f"{SEVERITY_SIGNS.get(row.severity, '?')} {words}"


def audit_lines(results: Results) -> list[str]:
    """Returns what was not asked for, for the box at the top."""
    return [
        f"{_severity(row)}: {row.what} differs {'within a cell' if row.within_a_cell else 'between cells'}: {row.values}"
        for row in results.audit
        if row.severity != "asked_for"
    ]


def designs_table(designs: list[dict[str, str]]) -> PlainTable:
    """Shows every column that the table has."""
    names = list(designs[0]) if designs else []
    columns = [_design_column(designs, name) for name in names]
    caption = (
        "The same simulated host (drift, stalls, a neighbour) measured in several ways, so many campaigns each (n): how often"
        " identical code is called different (nominal: 5 %) and how far its estimate is from 0, how often the 95 % interval of a"
        " true 0.5 % holds it, how often that is found. Shares, without an interval."
    )
    return plain_table(("designs", "What naive designs do", caption), columns, designs, DESIGNS.name)


def _design_column(designs: list[dict[str, str]], name: str) -> Column:
    texts = [row[name] for row in designs if row[name]]
    if not all(map(_is_number, texts)):
        return Column(_title(name), lambda row: row[name].replace("_", " "), long=any(" " in text for text in texts))
    whole = all(text.isdecimal() for text in texts)
    return Column(_title(name), lambda row: row[name] if whole or not row[name] else number(float(row[name])), True)


def _title(name: str) -> str:
    words = DESIGN_WORDS.get(name, name.removesuffix("_percent").replace("_", " "))
    return f"{words[:1].upper()}{words[1:]}{' (%)' if name.endswith('_percent') else ''}"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False

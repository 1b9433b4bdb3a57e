"""How other ways of comparing two arms fare on a simulated host."""

from __future__ import annotations

import math
from pathlib import Path

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number

# Kept, for the simulation is the same whatever was measured; tests/suite/estimates/designs_table_test.py makes and checks it.
DESIGNS = Path(__file__).parent / "designs.csv"

DESIGN_WORDS = {"words": "what is done", "rmse_percent": "RMSE"}


def designs_table(designs: list[dict[str, str]]) -> PlainTable:
    """Shows every column that the table has."""
    names = list(designs[0]) if designs else []
    columns = [_design_column(designs, name) for name in names]
    caption = (
        "The same simulated host (drift, stalls, a neighbour) measured in several ways, so many campaigns each (n): how often"
        " identical code is called different (nominal: 5 %) and how far its estimate is from 0, how often the 95 % interval of a"
        " true 0.5 % holds it, how often that is found. Shares, without an interval."
    )
    return plain_table(Head("designs", "What naive designs do", caption), columns, designs, DESIGNS.name)


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

"""The page of a comparison of two builds or two folders: the answer, one picture, every figure, what differs."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from reports.html.page import render
from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.draw import DrawnFigure, encode
from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import comparison_changes
from reports.plots.quantities import NOT_MEASURED, estimate, interval, number
from reports.plots.style import report_style
from reports.plots.tables.comparison import GATES, figure_name
from reports.plots.tables.csv_table import BadTableError, Row, read_table
from reports.plots.tables.schema import schema_of
from reports.plots.whole_file import write_whole
from reports.plots.wording import clock_name

TEXT, TABLE, COUNTED, PAGE = "comparison.json", "comparison.csv", "comparison_instructions.csv", "comparison.html"


@dataclass
class ComparisonPage:
    """What the template shows."""

    title: str
    text: dict
    figure: DrawnFigure
    tables: list[PlainTable]


def write_comparison(folder: Path) -> str:
    """Writes comparison.html; why it has no figure, or "".

    Raises BadTableError for files that cannot be understood, OSError where the page cannot be written.
    """
    page = comparison_page(folder)
    write_whole(folder / PAGE, render("comparison.html.j2", page).encode("utf-8", "replace"))
    return page.figure.why_not


def comparison_page(folder: Path) -> ComparisonPage:
    text = _read_text(folder / TEXT)
    rows = read_table(folder / TABLE, text["tables"][TABLE])
    counted = read_table(folder / COUNTED, text["tables"][COUNTED]) if (folder / COUNTED).is_file() else []
    primary = sorted((row for row in rows if row.clock == text["primary_clock"]), key=_first)
    tables = [_table(text, primary, "figures", f"On the {clock_name(text['primary_clock'])}")]
    others = [row for row in rows if row.clock != text["primary_clock"]]
    if others:
        tables.append(_table(text, others, "others", "On other clocks: no exit code rests on them"))
    if counted:
        tables.append(_counted(text, counted))
    return ComparisonPage(f"{text['new']} against {text['base']}", text, _figure(text, primary), tables)


def _figure(text: dict, rows: list[Row]) -> DrawnFigure:
    name, title = "changes", "What changed"
    limits = comparison_changes.Limits(text["confidence_percent"], text["threshold_percent"], text["base_again"])
    try:
        with report_style():
            drawing = comparison_changes.draw_changes(rows, text["labels"], limits)
            return DrawnFigure(name, title, encode(drawing.figure, "png"), drawing.caption, drawing.alt)
    except NothingToDrawError as nothing:
        return DrawnFigure(name, title, why_not=str(nothing))


def _read_text(path: Path) -> dict:
    """The file that `compare` wrote, by the names that this page reads; `tables`: the columns of each."""
    kinds = {
        **dict.fromkeys(("base", "new", "how_sure", "primary_clock"), str),
        **dict.fromkeys(("sentences", "instructions", "damage", "differing"), list),
        "labels": dict,
        "base_again": bool,
        **dict.fromkeys(("confidence_percent", "threshold_percent"), (int, float)),
    }
    try:
        text = json.loads(path.read_text(encoding="utf-8", errors="replace"))
        wrong = [name for name, kind in kinds.items() if not isinstance(text[name], kind)]
        text["tables"] = schema_of(text)
        wrong += [file for file in (TABLE, COUNTED) if file not in text["tables"]]
    except (ValueError, KeyError, TypeError, FileNotFoundError) as error:
        raise BadTableError(f"{path}: not as `ddpbench compare` writes it ({type(error).__name__}: {error})") from None
    if wrong:
        raise BadTableError(f"{path}: {', '.join(wrong)}: not as `ddpbench compare` writes it")
    return text


def _first(row: Row) -> tuple:
    """What has to be looked at first; of one kind the largest change."""
    change = row.change_percent if math.isfinite(row.change_percent) else 0.0
    return (GATES.index(row.gate) if row.gate in GATES else len(GATES), -change)


def _table(text: dict, rows: list[Row], anchor: str, title: str) -> PlainTable:
    columns = [
        Column("Cell", lambda row: text["labels"].get(row.cell_id, row.cell_id)),
        Column("What", figure_name),
        Column("Clock", lambda row: clock_name(row.clock) if anchor == "others" else ""),
        Column("Base (µs)", lambda row: number(row.base_us), True),
        Column("New (µs)", lambda row: number(row.new_us), True),
        Column("Change (µs)", lambda row: estimate(row.change_us, row.change_us_lo, row.change_us_hi), True),
        Column("Change (% of the step)", _percent, True),
        Column("A/A (µs)", _aa, True),
        Column("n: launches", lambda row: f"{row.base_launches} / {row.new_launches}", True),
        Column("Gate", lambda row: comparison_changes.WORDS.get(row.gate, row.gate) if anchor == "figures" else ""),
        Column("Why", _why, long=True),
    ]
    caption = f"New less base; {text['confidence_percent']:g} % intervals. A cost is what an arm adds to its loop by hand."
    return plain_table(Head(anchor, title, caption), columns, rows, TABLE, "Nothing was compared.")


def _percent(row: Row) -> str:
    return estimate(row.change_percent, row.change_percent_lo, row.change_percent_hi)


def _aa(row: Row) -> str:
    if not (math.isfinite(row.aa_lo_us) and math.isfinite(row.aa_hi_us)):
        return ""
    return interval(row.aa_lo_us, row.aa_hi_us)


def _why(row: Row) -> str:
    would = f"; about {row.settle_launches:.0f} launches of each would tell" if math.isfinite(row.settle_launches) else ""
    return row.reason + would


def _counted(text: dict, rows: list[Row]) -> PlainTable:
    columns = [
        Column("Cell", lambda row: text["labels"].get(row.cell_id, row.cell_id)),
        Column("What", figure_name),
        Column("Base (thousands per step)", lambda row: number(row.base / 1000), True),
        Column("New (thousands per step)", lambda row: number(row.new / 1000), True),
        Column("Change (% of a step's)", _counted_percent, True),
        Column("Verdict", lambda row: row.verdict or "told only"),
    ]
    caption = "Instructions in user space, of main threads and autograd's: work, no time. No exit code rests on them."
    return plain_table(Head("instructions", "In instructions", caption), columns, rows, COUNTED)


def _counted_percent(row: Row) -> str:
    text = estimate(row.change_percent, row.change_percent_lo, row.change_percent_hi)
    return text if math.isfinite(row.change_percent) else NOT_MEASURED

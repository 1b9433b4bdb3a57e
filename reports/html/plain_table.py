"""A table of the report that is one row per finding: what it is called, its columns, its cells as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

MAX_ROWS = 200  # of a table that is not the overhead's: more is read in the file


@dataclass(frozen=True)
class Column:
    title: str
    text: Callable[[Any], str]  # of a row
    number: bool = False
    long: bool = False  # a sentence: it may be broken into lines, but not into words

    def css_class(self) -> str:
        return "number" if self.number else "reason" if self.long else ""


@dataclass(frozen=True)
class Head:
    """Says what a table is, and where the page has it."""

    anchor: str
    title: str
    caption: str
    question: str = ""  # its anchor in questions.py
    place: int = 0  # among the tables of the question; a new one takes a number between two others


@dataclass(frozen=True)
class PlainTable(Head):
    columns: list[Column] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    note: str = ""  # what was left out, or why there is no row


def plain_table(
    head: Head,
    columns: list[Column],
    rows: Iterable,
    file: str,
    why_empty: str = "",
    most: int = MAX_ROWS,
) -> PlainTable:
    """Makes the table. `file` has the rows that are too many."""
    found = list(rows)
    shown = found[:most]
    note = f"Shown: {len(shown)} of {len(found):,} rows; the rest is in {file}." if len(shown) < len(found) else ""
    texts = [[column.text(row) for column in columns] for row in shown]
    filled = [place for place in range(len(columns)) if any(row[place] for row in texts)]  # the others have nothing to say here
    rows_ = [[row[place] for place in filled] for row in texts]
    return PlainTable(**vars(head), columns=[columns[place] for place in filled], rows=rows_, note=note if texts else why_empty)

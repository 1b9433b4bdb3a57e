"""Reads one CSV file into rows: a row has an attribute per column, of the type that the columns say."""

from __future__ import annotations

import contextlib
import csv
import re
import sys
from collections import namedtuple
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

Columns = dict[str, str]  # name -> type, as schema.json has it

GUARDED = re.compile(r"'+[=+\-@]")  # as the program writes a text that a spreadsheet would take for a formula
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NOT_A_NUMBER = float("nan")

csv.field_size_limit(sys.maxsize)  # a `reason` may hold a long message


class BadTableError(Exception):
    """A file of the results folder that cannot be understood: names file, line, column and value.

    The caller's mistake (exit 2).
    """


class Row:
    """One row of a table, with an attribute per column. An empty number is NaN: not measured, never 0."""

    __slots__ = ()
    _file = ""

    def __getattr__(self, column: str) -> Any:
        if column.startswith("__"):
            raise AttributeError(column)
        raise BadTableError(f"{self._file}: no column {column}: run `ddpbench report` of this version again")


def row_type(file: str, columns: Iterable[str]) -> type[Row]:
    """Makes the class of a file's rows. They are tuples: a large sweep has millions of them."""
    try:
        return type("Row", (Row, namedtuple("Columns", columns)), {"__slots__": (), "_file": file})
    except ValueError as error:
        raise BadTableError(f"{file}: a column has no possible name ({error})") from None


def _to_text(text: str) -> str:
    """One copy of what stands in many rows, without the apostrophe that keeps a spreadsheet from running it.

    What steers a terminal or turns the direction of writing is shown as a question mark; the program writes none.
    """
    return sys.intern(UNPRINTABLE.sub("?", text[1:] if GUARDED.match(text) else text))


def _to_integer(text: str) -> int:
    return int(text) if text else 0


def _to_number(text: str) -> float:
    return float(text) if text else NOT_A_NUMBER


def _to_flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError
    return text == "1"


# A column's type -> how a value is made of the text, and what that must be.
CONVERSIONS = {
    "text": (_to_text, "text"),
    "integer": (_to_integer, "an integer"),
    "number": (_to_number, "a number"),
    "flag": (_to_flag, "0 or 1"),
}


def _open(path: Path) -> TextIO:
    """What is no UTF-8 is shown as such: a name in a folder of an earlier version may be in any encoding."""
    return path.open(encoding="utf-8", errors="replace", newline="")


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except csv.Error as error:
        raise BadTableError(f"{path}: is not a CSV file ({error})") from None


def read_table(path: Path, columns: Columns, cells: Container[str] | None = None) -> list[Row]:
    """Every row of the file, or those of these cells. Further columns of the file are ignored.

    BadTableError where a column is missing, or a field is not of the column's type.
    """
    with _open(path) as file, _named(path):
        reader = csv.reader(file)
        header = next(reader, [])
        _check_columns(path, header, columns)
        make = row_type(str(path), columns)._make
        conversions = [(name, header.index(name), *CONVERSIONS[kind]) for name, kind in columns.items()]
        place = header.index("cell_id") if cells is not None else 0
        return [
            make(_convert(path, reader.line_num, record, conversions))
            for record in reader
            if record and (cells is None or place >= len(record) or record[place] in cells)
        ]


def cells_of(path: Path) -> set[str]:
    """Returns the cells that the table has rows of."""
    with _open(path) as file, _named(path):
        reader = csv.reader(file)
        header = next(reader, [])
        place = header.index("cell_id") if "cell_id" in header else len(header)
        return {record[place] for record in reader if place < len(record)}


def read_texts(path: Path) -> list[dict[str, str]]:
    """Reads every row as it stands, for a table that is shown and not drawn."""
    with _open(path) as file:
        return [{name: text or "" for name, text in record.items() if name} for record in csv.DictReader(file)]


def _check_columns(path: Path, found: list[str], wanted: Iterable[str]) -> None:
    missing = [name for name in wanted if name not in found]
    if missing:
        raise BadTableError(f"{path}: no column {', '.join(missing)} (columns found: {', '.join(found) or 'none'})")


def _convert(path: Path, line: int, record: list[str], conversions: list[tuple]) -> list:
    values = []
    for name, place, convert, wanted in conversions:
        if place >= len(record):
            raise BadTableError(f"{path}:{line}: too few fields, '{name}' is missing")
        text = record[place]
        try:
            values.append(convert(text))
        except ValueError:
            raise BadTableError(f"{path}:{line}: column {name}: '{text}' is not {wanted}") from None
    return values

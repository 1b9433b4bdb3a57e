"""Reads one CSV file into rows of a dataclass."""

from __future__ import annotations

import csv
import dataclasses
import sys
from pathlib import Path
from typing import TypeVar, get_type_hints

Row = TypeVar("Row")

csv.field_size_limit(sys.maxsize)  # a `reason` may hold a long message


class BadTableError(Exception):
    """A table that is not what reports/README.md says: names file, line, column and value.

    The caller's mistake (exit 2).
    """


def _to_integer(text: str) -> int:
    return int(text) if text else 0


def _to_number(text: str) -> float:
    return float(text) if text else float("nan")


CONVERSIONS = {str: str, int: _to_integer, float: _to_number}


def read_table(path: Path, row_type: type[Row]) -> list[Row]:
    """Every row of the file; BadTableError where a column is missing or a field is not of the column's type."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        conversions = {name: CONVERSIONS[kind] for name, kind in get_type_hints(row_type).items()}
        _check_columns(path, reader.fieldnames or [], [field.name for field in dataclasses.fields(row_type)])
        return [row_type(**_convert(path, reader.line_num, record, conversions)) for record in reader]


def read_texts(path: Path) -> list[dict[str, str]]:
    """Every row as it stands, for a table that is shown and not drawn."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: text or "" for name, text in record.items() if name} for record in csv.DictReader(file)]


def _check_columns(path: Path, found: list[str], wanted: list[str]) -> None:
    missing = [name for name in wanted if name not in found]
    if missing:
        raise BadTableError(f"{path}: no column {', '.join(missing)} (columns found: {', '.join(found) or 'none'})")


def _convert(path: Path, line: int, record: dict, conversions: dict) -> dict:
    values = {}
    for name, convert in conversions.items():
        text = record[name]
        if text is None:
            raise BadTableError(f"{path}, line {line}: too few fields, '{name}' is missing")
        try:
            values[name] = convert(text)
        except ValueError:
            raise BadTableError(f"{path}, line {line}, {name}: '{text}' is not a number") from None
    return values

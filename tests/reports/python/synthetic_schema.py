"""The tables as the program says that it writes them ($DDPBENCH_PROGRAM), and rows made by that."""

from __future__ import annotations

import csv
import functools
import json
import math
import os
import subprocess
from pathlib import Path

import pytest

from reports.plots.tables.csv_table import NOT_A_NUMBER, Row, row_type
from reports.plots.tables.results import is_read_here
from reports.plots.tables.schema import Schema, schema_of

EMPTY = {"text": "", "integer": 0, "number": NOT_A_NUMBER, "flag": False}


@functools.cache
def schema_text() -> str:
    program = os.environ.get("DDPBENCH_PROGRAM")
    if not program:
        pytest.skip("DDPBENCH_PROGRAM is not set: ctest sets it", allow_module_level=True)
    command = [program, "list", "tables", "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@functools.cache
def schema() -> Schema:
    return schema_of(json.loads(schema_text()))


def complete(file: str, values: dict) -> dict:
    """Returns the values, and the columns that are not among them as if nothing was measured."""
    return values | {name: EMPTY[kind] for name, kind in schema()[file].items() if name not in values}


@functools.cache
def _type_of(file: str) -> type[Row]:
    return row_type(file, schema()[file])


def row_of(file: str, **values: object) -> Row:
    return _type_of(file)(**complete(file, values))


def bounds(name: str, value: float, low: float, high: float) -> dict[str, float]:
    return {name: value, f"{name}_lo": low, f"{name}_hi": high}


def tables_of(**rows: list[Row]) -> dict[str, list[Row]]:
    """Returns every table of a results folder: these rows, and of the others none."""
    stems = [file.rpartition("/")[2].removesuffix(".csv") for file in schema() if is_read_here(file)]
    return {stem: [] for stem in stems} | rows


def _as_written(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return int(value) if isinstance(value, bool) else value


def write_table(folder: Path, name: str, rows: list[dict]) -> None:
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(complete(name, rows[0])), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _as_written(value) for key, value in complete(name, row).items()} for row in rows)

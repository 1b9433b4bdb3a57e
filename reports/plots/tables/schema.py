"""What the program says of the tables that it wrote: tables/schema.json of a results folder."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import get_type_hints

from reports.plots.tables.csv_table import BadTableError

SCHEMA = "tables/schema.json"

# A column's type in the schema -> the type of a row's field.
FIELD_TYPES = {"text": str, "integer": int, "number": float, "flag": bool}

ColumnTypes = dict[str, dict[str, str]]  # file -> column -> type


def column_types(schema: dict) -> ColumnTypes:
    return {table["file"]: {column["name"]: column["type"] for column in table["columns"]} for table in schema["tables"]}


def read_column_types(results_dir: Path) -> ColumnTypes:
    """Reads the schema; nothing for a folder of an earlier version. Raises BadTableError where the file cannot be understood."""
    path = results_dir / SCHEMA
    if not path.is_file():
        return {}
    try:
        return column_types(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadTableError(f"{path}: not the schema of a results folder ({type(error).__name__}: {error})") from None


def disagreements(row_type: type, types: dict[str, str]) -> list[str]:
    """A sentence per field of the row that is no column of the schema's table, or one of another type.

    A field with a default may be missing.
    """
    hints = get_type_hints(row_type)
    found = []
    for field in dataclasses.fields(row_type):
        said = types.get(field.name)
        if said is None:
            if field.default is dataclasses.MISSING:
                found.append(f"no column {field.name}")
        elif FIELD_TYPES.get(said) is not hints[field.name]:
            found.append(f"column {field.name} is of type {said}, read as {hints[field.name].__name__}")
    return found


def require_agreement(file: str, row_type: type, types: ColumnTypes) -> None:
    """Raises BadTableError where the schema knows the file and its columns are not what this side reads."""
    wrong = disagreements(row_type, types[file]) if file in types else []
    if wrong:
        raise BadTableError(f"{file}: {'; '.join(wrong)}: run `ddpbench report` of this version again")

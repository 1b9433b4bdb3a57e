"""What the program says of the tables that it wrote: tables/schema.json of a results folder."""

from __future__ import annotations

import json
from pathlib import Path

from reports.plots.tables.csv_table import CONVERSIONS, BadTableError, Columns

SCHEMA = "tables/schema.json"

Schema = dict[str, Columns]  # file -> its columns


def schema_of(text: dict) -> Schema:
    """Returns the columns of every file. ValueError for a type that this side does not know."""
    schema = {str(table["file"]): {column["name"]: column["type"] for column in table["columns"]} for table in text["tables"]}
    for file, columns in schema.items():
        for name, kind in columns.items():
            if kind not in CONVERSIONS:
                raise ValueError(f"{file}: column {name} is of type '{kind}', not {', '.join(CONVERSIONS)}")
    return schema


def read_schema(results_dir: Path) -> Schema:
    """Reads the schema; nothing where there is none. Raises BadTableError where the file cannot be understood."""
    path = results_dir / SCHEMA
    if not path.is_file():
        return {}
    try:
        return schema_of(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadTableError(f"{path}: not the schema of a results folder ({type(error).__name__}: {error})") from None

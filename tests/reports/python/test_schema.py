"""What this side reads of the tables is what the program writes, by the program's own word ($DDPBENCH_PROGRAM)."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest
from synthetic_results import CELLS, Folder

from reports.plots.tables.csv_table import BadTableError
from reports.plots.tables.results import TABLES, Results
from reports.plots.tables.schema import SCHEMA, column_types, disagreements


@pytest.fixture(scope="module")
def schema() -> dict:
    program = os.environ.get("DDPBENCH_PROGRAM")
    if not program:
        pytest.skip("DDPBENCH_PROGRAM is not set: ctest sets it")
    command = [program, "list", "tables", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return Folder(cells=CELLS[:1]).write(tmp_path)


@pytest.mark.parametrize("name", TABLES)
def test_every_field_is_a_column_of_its_type(schema: dict, name: str) -> None:
    file, row_type = TABLES[name]
    assert disagreements(row_type, column_types(schema)[file]) == []


def test_the_made_up_tables_have_no_column_that_the_program_does_not_write(schema: dict, written: Path) -> None:
    types = column_types(schema)
    for file in (str(path.relative_to(written)) for path in written.rglob("*.csv")):
        with (written / file).open(encoding="utf-8", newline="") as table:
            assert set(next(csv.reader(table))) <= set(types[file]), file


def test_every_column_is_explained_and_has_the_unit_that_its_name_ends_in(schema: dict) -> None:
    units = {"us": "us", "ms": "ms", "s": "s", "percent": "%", "mib": "MiB"}
    for table in schema["tables"]:
        for column in table["columns"]:
            assert column["help"], (table["file"], column["name"])
            named = [units[word] for word in column["name"].split("_")[1:] if word in units]
            if named and column["type"] == "number":
                assert column["unit"] in (*named, "images/s", "GB/s"), (table["file"], column["name"])


def with_schema(folder: Path, schema: dict) -> Path:
    (folder / SCHEMA).write_text(json.dumps(schema), encoding="utf-8")
    return folder


def test_a_folder_with_its_schema_is_read(schema: dict, written: Path) -> None:
    assert Results.read(with_schema(written, schema)).overhead


def test_a_column_of_another_type_is_named(schema: dict, written: Path) -> None:
    changed = json.loads(json.dumps(schema).replace('{"name": "pairs", "type": "integer"', '{"name": "pairs", "type": "number"'))
    with pytest.raises(BadTableError, match=r"overhead\.csv: column pairs is of type number, read as int"):
        Results.read(with_schema(written, changed))


def test_a_column_that_is_not_there_any_more_is_named(written: Path) -> None:
    lacking = {"tables": [{"file": "plan.csv", "columns": [{"name": "launch_id", "type": "text"}]}]}
    with pytest.raises(BadTableError, match=r"plan\.csv: no column arms"):
        Results.read(with_schema(written, lacking))


@pytest.mark.parametrize("text", ["{", "[]", '{"tables": [{}]}'])
def test_a_schema_that_is_none_is_named(written: Path, text: str) -> None:
    (written / SCHEMA).write_text(text, encoding="utf-8")
    with pytest.raises(BadTableError, match=r"schema\.json: not the schema of a results folder"):
        Results.read(written)

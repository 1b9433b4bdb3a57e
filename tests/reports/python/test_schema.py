"""What this side reads of the tables is what the program writes, by the program's own word ($DDPBENCH_PROGRAM)."""

from __future__ import annotations

import ast
import csv
import json
from pathlib import Path

import pytest
from synthetic_results import CELLS, Folder
from synthetic_schema import schema_text, tables_of

import reports
from reports.html.__main__ import main
from reports.plots.tables.csv_table import BadTableError
from reports.plots.tables.results import Results
from reports.plots.tables.schema import SCHEMA, schema_of

ROWS = ("row", "law", "cell", "point")  # what the sources call a row of a table
OF_JSON = {"get"}  # of a row of summary.json, which is a dict


@pytest.fixture(scope="module")
def schema() -> dict:
    return json.loads(schema_text())


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return Folder(cells=CELLS[:1]).write(tmp_path)


def columns_asked_for() -> dict[str, str]:
    """Column -> a file that reads it of a row."""
    sources = [path for folder in ("html", "plots") for path in (Path(reports.__file__).parent / folder).rglob("*.py")]
    nodes = [(path.name, node) for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    attributes = [(name, node) for name, node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return {node.attr: name for name, node in attributes if node.value.id in ROWS}


def test_every_column_that_is_asked_for_is_written(schema: dict) -> None:
    written = {column for columns in schema_of(schema).values() for column in columns}
    asked_for = columns_asked_for()
    assert len(asked_for) > 100
    assert {name: file for name, file in asked_for.items() if name not in written | OF_JSON} == {}


def test_no_table_has_the_name_of_something_else_of_the_results() -> None:
    assert not set(tables_of()) & set(dir(Results(Path("folder"))))


def test_the_made_up_tables_have_no_column_that_the_program_does_not_write(schema: dict, written: Path) -> None:
    types = schema_of(schema)
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
                assert column["unit"] in (*named, "samples/s", "GB/s"), (table["file"], column["name"])


def with_schema(folder: Path, schema: dict) -> Path:
    (folder / SCHEMA).write_text(json.dumps(schema), encoding="utf-8")
    return folder


def changed(schema: dict, file: str, column: str, kind: str) -> dict:
    """Gives a column another type; without one it is taken away."""
    copy = json.loads(json.dumps(schema))
    (table,) = [table for table in copy["tables"] if table["file"] == file]
    kept = [known for known in table["columns"] if known["name"] != column]
    table["columns"] = [*kept, {"name": column, "type": kind}] if kind else kept
    return copy


def test_a_folder_with_its_schema_is_read(schema: dict, written: Path) -> None:
    assert Results.read(with_schema(written, schema)).overhead


def test_a_column_is_read_as_the_type_that_the_schema_says(schema: dict, written: Path) -> None:
    pairs = [
        Results.read(with_schema(written, changed(schema, "overhead.csv", "pairs", kind))).overhead[0].pairs
        for kind in ("integer", "number", "text")
    ]
    assert pairs == [2000, 2000.0, "2000"]
    assert list(map(type, pairs)) == [int, float, str]


def test_a_column_of_an_unknown_type_is_named(schema: dict, written: Path) -> None:
    with pytest.raises(BadTableError, match=r"overhead\.csv: column pairs is of type 'whole', not text, integer, number, flag"):
        Results.read(with_schema(written, changed(schema, "overhead.csv", "pairs", "whole")))


def test_a_column_that_is_not_there_any_more_is_named(schema: dict, written: Path) -> None:
    results = Results.read(with_schema(written, changed(schema, "plan.csv", "arms", "")))
    with pytest.raises(BadTableError, match=r"plan\.csv: no column arms: run `ddpbench report` of this version again"):
        results.arms()
    assert main(["--results", str(written)]) == 2


def test_a_table_that_is_not_there_any_more_is_named(schema: dict, written: Path) -> None:
    fewer = {"tables": [table for table in schema["tables"] if table["file"] != "tables/skew.csv"]}
    results = Results.read(with_schema(written, fewer))
    with pytest.raises(BadTableError, match=r"schema\.json: no table skew: run `ddpbench report` of this version again"):
        results.skew  # noqa: B018


def test_without_a_schema_the_page_says_what_makes_it(written: Path) -> None:
    (written / SCHEMA).unlink()
    assert main(["--results", str(written)]) == 1
    html = (written / "report.html").read_text(encoding="utf-8")
    assert "(tables/schema.json missing): `ddpbench report` makes them" in html and "<img" not in html


def test_a_file_outside_the_folder_is_no_table(schema: dict, written: Path) -> None:
    outside = {"file": "tables/../../outside.csv", "columns": []}
    results = Results.read(with_schema(written, {"tables": [*schema["tables"], outside]}))
    assert "outside" not in results.tables


@pytest.mark.parametrize("text", ["{", "[]", '{"tables": [{}]}'])
def test_a_schema_that_is_none_is_named(written: Path, text: str) -> None:
    (written / SCHEMA).write_text(text, encoding="utf-8")
    with pytest.raises(BadTableError, match=r"schema\.json: not the schema of a results folder"):
        Results.read(written)

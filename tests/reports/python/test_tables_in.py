"""Reading the tables: what is empty, what is too much, and what is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from synthetic_results import Folder

from reports.plots.quantities import count_range, estimate, interval, number, probability
from reports.plots.tables.csv_table import BadTableError, read_table, row_type
from reports.plots.tables.results import Results

COLUMNS = {"cell_id": "text", "arm": "text", "phase": "text", "mean_s": "number", "share": "number", "in_sum": "flag"}
HEADER = "cell_id,arm,phase,mean_s,share,in_sum\n"


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "breakdown.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_empty_number_was_not_measured(tmp_path: Path) -> None:
    (row,) = read_table(table(tmp_path, HEADER + "c1,raw,data,,0.5,1\n"), COLUMNS)
    assert math.isnan(row.mean_s)
    assert (row.share, row.in_sum) == (0.5, 1)


def test_further_columns_are_ignored_and_order_is_free(tmp_path: Path) -> None:
    text = "new,in_sum,share,mean_s,phase,arm,cell_id\nx,0,0.5,0.25,comm_wait,raw,c1\n"
    (row,) = read_table(table(tmp_path, text), COLUMNS)
    assert row == row_type("breakdown.csv", COLUMNS)("c1", "raw", "comm_wait", 0.25, 0.5, 0)
    assert row.in_sum is False


def test_quoted_fields(tmp_path: Path) -> None:
    (row,) = read_table(table(tmp_path, HEADER + '"c,1","a ""b""",data,1,1,1\n'), COLUMNS)
    assert (row.cell_id, row.arm) == ("c,1", 'a "b"')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cell_id,arm\n", r"breakdown\.csv: no column phase, mean_s, share, in_sum"),
        ("", r"columns found: none"),
        (HEADER + "c1,raw,data,fast,0.5,1\n", r"breakdown\.csv:2: column mean_s: 'fast' is not a number"),
        (HEADER + "c1,raw,data,1,0.5,yes\n", r":2: column in_sum: 'yes' is not 0 or 1"),
        (HEADER + "c1,raw,data\n", r":2: too few fields, 'mean_s' is missing"),
    ],
)
def test_a_bad_table_is_named_with_its_line_and_column(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadTableError, match=message):
        read_table(table(tmp_path, text), COLUMNS)


def test_a_column_that_the_table_has_not_is_named_with_its_file_and_what_to_do(tmp_path: Path) -> None:
    (row,) = read_table(table(tmp_path, HEADER + "c1,raw,data,1,1,1\n"), COLUMNS)
    with pytest.raises(BadTableError, match=r"breakdown\.csv: no column comm_wait_s: run `ddpbench report`"):
        row.comm_wait_s  # noqa: B018


@pytest.mark.parametrize("name", ["a b", "class", "_hidden"])
def test_a_column_that_can_have_no_attribute_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadTableError, match=f"breakdown.csv: .*'{name}'"):
        read_table(table(tmp_path, f"{name}\n"), {name: "text"})


def test_a_text_that_a_spreadsheet_would_run_is_itself_again(tmp_path: Path) -> None:
    rows = read_table(table(tmp_path, HEADER + "'=c1,'-raw,'data,1,1,1\nc1,''@raw,-5,1,1,1\n"), COLUMNS)
    assert [(row.cell_id, row.arm, row.phase) for row in rows] == [("=c1", "-raw", "'data"), ("c1", "'@raw", "-5")]


def test_nested_json_is_named_and_no_crash(tmp_path: Path) -> None:
    Folder().write(tmp_path)
    (tmp_path / "environment.json").write_text('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", encoding="utf-8")
    with pytest.raises(BadTableError, match=r"environment\.json"):
        Results.read(tmp_path)


def test_not_a_results_folder(tmp_path: Path) -> None:
    with pytest.raises(BadTableError, match="not a results folder"):
        Results.read(tmp_path)


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_bad_json_is_named(tmp_path: Path, text: str) -> None:
    Folder().write(tmp_path)
    (tmp_path / "tables/summary.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadTableError, match=r"summary\.json"):
        Results.read(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (estimate(1.6234, 1.1, 2.15), "+1.62 [+1.10, +2.15]"),
        (estimate(-1124.3, -15819.2, 13570.0), "−1,124 [−15,819, +13,570]"),
        (estimate(0.00021, -0.0001, 0.0005), "+0.00021 [−0.00010, +0.00050]"),
        (estimate(math.nan, math.nan, math.nan), "not measured"),
        (estimate(3.0, math.nan, math.nan), "+3.00 [no interval]"),
        (interval(math.nan, 1.0), "not measured"),
        (interval(0.0, 0.0), "[+0.0, +0.0]"),
        (number(1312.4), "1,312"),
        (probability(0.0123), "0.012"),
        (probability(1e-9), "< 0.0001"),
        (probability(1.0), "1"),
        (probability(math.nan), "not measured"),
        (count_range([7, 2000, 400]), "7–2,000"),
        (count_range([5, 5]), "5"),
    ],
)
def test_numbers_as_text(text: str, expected: str) -> None:
    assert text == expected

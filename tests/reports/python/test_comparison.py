"""The page of a comparison: what stands first, what is drawn, what a damaged file says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synthetic_comparison import GREW, NAN, ON_WALL, OPEN, PASSED, TEXT, TOLD, folder_of

from reports.html.__main__ import main
from reports.html.comparison import comparison_page, write_comparison
from reports.plots.tables.csv_table import BadTableError


def test_what_got_worse_comes_first(tmp_path: Path) -> None:
    page = comparison_page(folder_of(tmp_path, [TOLD, PASSED, OPEN, GREW, ON_WALL]))
    figures, others = page.tables
    assert [row[1] for row in figures.rows] == ["py_lightning's cost", "trainer-loss's cost", "trainer's cost", "raw's step"]
    assert [row[-2] for row in figures.rows] == ["regression", "open", "pass", "told, not judged"]
    assert figures.rows[1][-1] == "neither; about 31 launches of each would tell"
    assert [row[1] for row in others.rows] == ["trainer's cost"] and others.rows[0][2].startswith("wall")
    assert "null: py_lightning's cost: +2.10 % [+1.70, +2.50], regression" in page.figure.alt


def test_the_page_says_what_the_terminal_says(tmp_path: Path) -> None:
    assert write_comparison(folder_of(tmp_path, [PASSED, GREW], counted=True, damage=["new: <runs.csv> is damaged"])) == ""
    html = (tmp_path / "comparison.html").read_text(encoding="utf-8")
    for said in (*TEXT["sentences"], "8 launches of each", "lightning: 2.5.1 | 2.6.6", "new: &lt;runs.csv&gt; is damaged"):
        assert said in html
    assert "raw&#39;s step grew" in html and "1,234" in html


def test_the_threshold_that_was_asked_for_is_drawn_and_named(tmp_path: Path) -> None:
    page = comparison_page(folder_of(tmp_path, [PASSED], threshold_percent=1))
    assert "Broken line: the threshold of 1 %." in page.figure.caption


def test_the_caption_says_what_the_aa_is_of(tmp_path: Path) -> None:
    assert "Hatched: the A/A, base measured again less base." in comparison_page(folder_of(tmp_path, [PASSED])).figure.caption
    once = comparison_page(folder_of(tmp_path, [PASSED], base_again=False))
    assert "Hatched: the A/A, the change of the A/A arm." in once.figure.caption


def test_a_gate_of_a_later_release_is_shown_as_it_stands(tmp_path: Path) -> None:
    page = comparison_page(folder_of(tmp_path, [PASSED._replace(gate="LATER")]))
    assert page.figure.png and page.figure.alt.endswith(", LATER")


def test_without_a_figure_the_page_says_so(tmp_path: Path) -> None:
    unmeasured = PASSED._replace(change_us=NAN, change_percent=NAN, change_percent_lo=NAN, change_percent_hi=NAN, gate="OPEN")
    assert main(["--comparison", str(folder_of(tmp_path, [unmeasured]))]) == 1
    assert "No figure could be drawn." in (tmp_path / "comparison.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "damage", ["", "[]", "{}", '{"base": 1}', json.dumps(TEXT | {"labels": []}), json.dumps(TEXT | {"tables": []})]
)
def test_a_damaged_file_is_named(tmp_path: Path, damage: str) -> None:
    folder_of(tmp_path, [PASSED])
    (tmp_path / "comparison.json").write_text(damage, encoding="utf-8")
    with pytest.raises(BadTableError, match="comparison.json"):
        comparison_page(tmp_path)


def test_a_column_is_read_as_the_program_says(tmp_path: Path) -> None:
    without = [{**table, "columns": [one for one in table["columns"] if one["name"] != "gate"]} for table in TEXT["tables"]]
    with pytest.raises(BadTableError, match=r"comparison\.csv: no column gate"):
        comparison_page(folder_of(tmp_path, [PASSED], tables=without))

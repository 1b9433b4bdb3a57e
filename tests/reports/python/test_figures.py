"""Every entry of the table of figures: a new one is tested the moment it is listed."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from drawn_text import drawn_texts, overlaps
from synthetic_results import CELLS, Folder

from reports.html.questions import QUESTIONS
from reports.plots import draw, figures
from reports.plots.draw import draw_all, encode
from reports.plots.drawing import FigureEntry, NothingToDrawError
from reports.plots.figures import FIGURES
from reports.plots.folder_modules import modules_in
from reports.plots.style import report_style
from reports.plots.tables.results import Results

each_figure = pytest.mark.parametrize("entry", FIGURES, ids=lambda entry: entry.name)

OTHER_TABLES = ("overhead.csv", "scaling.csv", "collectives.csv")  # beside tables/


def test_every_module_that_draws_is_in_the_table() -> None:
    modules = [
        importlib.import_module(f"reports.plots.figures.{module.name}") for module in pkgutil.iter_modules(figures.__path__)
    ]
    drawing = {module.draw for module in modules if callable(getattr(module, "draw", None))}
    assert drawing == {entry.draw for entry in FIGURES}


def test_names_are_unique() -> None:
    assert len({entry.name for entry in FIGURES}) == len(FIGURES)


def test_every_figure_answers_a_question_at_a_place_of_its_own() -> None:
    assert {entry.question for entry in FIGURES} <= {entry.anchor for entry in QUESTIONS}
    assert len({(entry.question, entry.place) for entry in FIGURES}) == len(FIGURES)


def test_a_file_in_a_folder_is_found_without_a_line_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "found_here").mkdir()
    for name in ("__init__", "second", "first"):
        (tmp_path / f"found_here/{name}.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    modules = modules_in("found_here", [str(tmp_path / "found_here")])
    assert [module.__name__ for module in modules] == ["found_here.first", "found_here.second"]


@each_figure
def test_png_and_svg_are_written(entry: FigureEntry, report: Path) -> None:
    png, svg = report / "plots" / f"{entry.name}.png", report / "plots" / f"{entry.name}.svg"
    assert png.read_bytes().startswith(b"\x89PNG\r\n") and png.stat().st_size > 10_000
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert len(list(ElementTree.parse(svg).getroot().iter())) > 100


@each_figure
@pytest.mark.parametrize("size", ["results", "many"])
def test_caption_and_alt_say_what_is_seen(entry: FigureEntry, size: str, request: pytest.FixtureRequest) -> None:
    drawing = entry.draw(request.getfixturevalue(size))
    assert "interval" in drawing.caption
    assert "n = " in drawing.caption
    assert len(drawing.alt) > 40
    assert ("Shown: " in drawing.caption) == (size == "many" or entry.name == "drift")


@each_figure
@pytest.mark.parametrize("size", ["results", "many"])
def test_no_text_overlaps_another_or_leaves_the_figure(
    entry: FigureEntry, size: str, request: pytest.FixtureRequest
) -> None:
    with report_style():
        texts, frame = drawn_texts(entry.draw(request.getfixturevalue(size)).figure)
    assert len(texts) > 5
    assert [text.text for text in texts if not text.inside(frame)] == []
    assert overlaps(texts) == []


@each_figure
def test_without_its_table_a_figure_says_which_one_is_missing(entry: FigureEntry, tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    for file in [*(tmp_path / "tables").glob("*.csv"), *(tmp_path / name for name in OTHER_TABLES)]:
        file.unlink()
    with pytest.raises(NothingToDrawError, match=r"\.csv"):
        entry.draw(Results.read(tmp_path))


@each_figure
def test_the_same_tables_give_the_same_files(entry: FigureEntry, two_cells: Results) -> None:
    with report_style():
        first, second = ([encode(entry.draw(two_cells).figure, kind) for kind in ("png", "svg")] for _ in range(2))
    assert first == second


def test_a_figure_of_an_earlier_report_is_removed_when_it_can_no_longer_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw, "FIGURES", [entry for entry in FIGURES if entry.name in ("loss", "overhead")])
    folder = Folder(cells=CELLS[:1]).write(tmp_path / "results")
    draw_all(Results.read(folder), tmp_path / "plots")
    (folder / "tables/loss.csv").unlink()
    drawn = {figure.name: figure for figure in draw_all(Results.read(folder), tmp_path / "plots")}
    assert "tables/loss.csv is missing" in drawn["loss"].why_not
    assert {path.name for path in (tmp_path / "plots").glob("loss.*")} == set()
    assert drawn["overhead"].png

"""Names of any kind are text: in every figure, on the page, in Markdown."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from drawn_text import drawn_texts
from hostile_names import hostile_cells
from synthetic_results import HOSTILE, Folder

from reports.html.page import page_of, render
from reports.plots.figures import FIGURES, FigureEntry
from reports.plots.style import report_style
from reports.plots.tables.results import Results


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return Results.read(Folder(cells=hostile_cells()).write(tmp_path_factory.mktemp("hostile")))


@pytest.mark.filterwarnings("ignore:Glyph:UserWarning")
@pytest.mark.parametrize("entry", FIGURES, ids=lambda entry: entry.name)
def test_every_figure_draws_them_as_they_are_and_inside(entry: FigureEntry, hostile: Results) -> None:
    with report_style():
        texts, frame = drawn_texts(entry.draw(hostile).figure)
    assert [text.text for text in texts if not text.inside(frame)] == []
    assert max(len(text.text) for text in texts) < 200


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.found.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


def test_the_page_shows_them_as_text(hostile: Results, tmp_path: Path) -> None:
    html = render("report.html.j2", page_of(hostile, [], ""))
    tags = Tags(html).found
    assert tags.count("script") == 1 and tags.count("img") == 0
    assert "\x1b" not in html and "\x07" not in html and "\u202e" not in html
    assert HOSTILE not in render("summary.md.j2", page_of(hostile, [], ""))

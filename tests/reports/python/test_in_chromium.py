"""The finished report in a real browser without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Chromium, find_chromium
from hostile_names import hostile_cells
from synthetic_comparison import GREW, ON_WALL, OPEN, PASSED, TOLD, folder_of
from synthetic_results import CELLS, Folder

from reports.html.comparison import write_comparison
from reports.html.page import page_of, render
from reports.html.report import write_report
from reports.plots.figures import FIGURES
from reports.plots.tables.results import Results

PROGRAM = find_chromium()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="Chromium is not installed (Debian: package chromium)")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(PROGRAM, tmp_path_factory.mktemp("profile")) as chromium:
        yield chromium


@pytest.fixture
def page(browser: Chromium, report: Path) -> Chromium:
    browser.complaints.clear()
    browser.requested.clear()
    browser.show_as()
    browser.open(report / "report.html")
    browser.evaluate("void document.querySelectorAll('main section > details').forEach(part => { part.open = true; })")
    return browser


def test_the_answer_line_is_seen_first(page: Chromium) -> None:
    assert "trainer costs 3.1 µs" in page.evaluate("document.getElementById('answer').textContent")
    assert page.evaluate("document.getElementById('answer').getBoundingClientRect().bottom") < 400


def test_the_first_screen_shows_the_answer_one_picture_and_the_verdicts(browser: Chromium, tmp_path: Path) -> None:
    Folder(cells=CELLS[:3]).write(tmp_path)
    (tmp_path / "tables/audit.csv").unlink()
    assert write_report(tmp_path, tmp_path) == ""
    browser.show_as(width=1280)
    browser.open(tmp_path / "report.html")
    bottom = "document.querySelector('SELECTOR').getBoundingClientRect().bottom"
    for seen in ("#answer", "#how-sure", "#figure-answer img", "#verdicts"):
        assert 0 < browser.evaluate(bottom.replace("SELECTOR", seen)) <= 800, seen


def test_the_filter_opens_what_holds_a_row_and_closes_it_again(browser: Chromium, report: Path) -> None:
    browser.show_as()
    browser.open(report / "report.html")
    is_open = "document.getElementById('overhead').open"
    assert not browser.evaluate(is_open)
    browser.evaluate(f"{FILTER}('null trainer slower')")
    assert browser.evaluate(is_open)
    browser.evaluate(f"{FILTER}('')")
    assert not browser.evaluate(is_open)


def test_every_image_decodes(page: Chromium) -> None:
    widths = page.evaluate("Promise.all([...document.images].map(i => i.decode().then(() => i.naturalWidth)))")
    assert len(widths) == len(FIGURES)
    assert all(width > 0 for width in widths)


def test_nothing_is_complained_about_and_nothing_fetched(page: Chromium) -> None:
    assert page.complaints == []
    assert [address for address in page.requested if not address.startswith(("file:///", "data:"))] == []
    assert sum(address.startswith("file:") for address in page.requested) == 1


def test_hostile_names_do_not_run(page: Chromium) -> None:
    assert page.evaluate("typeof window.hostileNameRan") == "undefined"
    assert page.evaluate("document.scripts.length") == 1  # the filter
    assert page.evaluate("document.querySelectorAll('[onerror]').length") == 0


def test_names_of_any_kind_leave_the_page_whole(browser: Chromium, tmp_path: Path) -> None:
    folder = Folder(cells=hostile_cells()).write(tmp_path)
    page = page_of(Results.read(folder), [], "")
    (tmp_path / "report.html").write_text(render("report.html.j2", page), encoding="utf-8")
    browser.complaints.clear()
    for width in (390, 1280):
        browser.show_as(width=width)
        browser.open(tmp_path / "report.html")
        assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert browser.evaluate("typeof window.hostileNameRan") == "undefined"
    assert browser.evaluate("document.scripts.length") == 1
    assert browser.complaints == []


FILTER = (
    "(words => { const field = document.getElementById('filter'); field.value = words;"
    " field.dispatchEvent(new Event('input'));"
    " return [...document.querySelectorAll('table.filtered tbody tr')].filter(row => row.checkVisibility()).length; })"
)


def test_the_filter_leaves_the_rows_that_hold_every_word(page: Chromium) -> None:
    everything = page.evaluate(f"{FILTER}('')")
    assert page.evaluate("document.getElementById('filter-box').checkVisibility()")
    assert 0 < page.evaluate(f"{FILTER}('null trainer slower')") < page.evaluate(f"{FILTER}('null')") < everything
    assert page.evaluate(f"{FILTER}('no such word')") == 0
    assert "0 of" in page.evaluate("document.getElementById('filter-said').textContent")
    assert page.evaluate(f"{FILTER}('')") == everything


def test_a_reason_is_found_hidden_and_counted_with_the_row_above_it(page: Chromium) -> None:
    page.evaluate(f"{FILTER}('5,400 pairs needed resnet50 trainer-fetch-loss')")
    rows = "[...document.querySelectorAll('#clock-1 + .scroll tbody tr')].filter(row => row.checkVisibility())"
    texts = page.evaluate(f"{rows}.map(row => row.innerText)")
    assert len(texts) == 3  # the heading of the cell, the row, its reason
    assert "trainer-fetch-loss" in texts[1] and "5,400 pairs needed" in texts[2]
    said = page.evaluate("document.getElementById('filter-said').textContent")
    everywhere = page.evaluate(f"{FILTER}('5,400 pairs needed resnet50 trainer-fetch-loss')")
    headings = page.evaluate("[...document.querySelectorAll('tr.group')].filter(row => row.checkVisibility()).length")
    assert said.startswith(f"{(everywhere - headings) // 2} of ")
    page.evaluate(f"{FILTER}('')")


def test_a_reason_has_the_width_of_its_table(page: Chromium) -> None:
    width = "document.querySelector('#clock-1 + .scroll SELECTOR').getBoundingClientRect().width"
    assert page.evaluate(width.replace("SELECTOR", "td.why")) > 0.8 * page.evaluate(width.replace("SELECTOR", "table"))


def test_the_complaints_are_heard(browser: Chromium, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text("<img src='http://example.invalid/x.png'><script>missing()</script>", encoding="utf-8")
    browser.complaints.clear()
    browser.requested.clear()
    browser.open(bad)
    assert browser.complaints
    assert "http://example.invalid/x.png" in browser.requested


def test_on_a_phone_a_verdict_and_the_caption_have_the_width_of_the_window(page: Chromium) -> None:
    page.show_as(width=390)
    widths = "[...document.querySelectorAll('#verdicts caption, #verdicts td.verdict')].map(e => e.getBoundingClientRect().width)"
    assert min(page.evaluate(widths)) > 300


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_never_wider_than_its_window(page: Chromium, width: int) -> None:
    page.show_as(width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_dark_and_light_differ_and_both_are_readable(page: Chromium) -> None:
    colors = {}
    for scheme in ("light", "dark"):
        page.show_as(scheme)
        colors[scheme] = page.evaluate(
            "(() => { const s = getComputedStyle(document.body);"
            " const l = c => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0);"
            " return [l(s.color), l(s.backgroundColor)]; })()"
        )
    text, page_color = colors["light"]
    assert text < 200
    assert page_color > 500
    text, page_color = colors["dark"]
    assert page_color < 200
    assert text > 500


def test_it_prints(page: Chromium) -> None:
    assert page.pdf().startswith(b"%PDF")


def test_the_page_without_a_finished_launch(browser: Chromium, tmp_path: Path) -> None:
    folder = Folder(report_needs="No launch finished: 2 failed.").write(tmp_path)
    assert write_report(folder, tmp_path)
    browser.complaints.clear()
    browser.open(tmp_path / "report.html")
    assert "No launch finished: 2 failed." in browser.evaluate("document.getElementById('why-not').innerText")
    assert browser.complaints == []


@pytest.mark.parametrize("table", ["clock-1", "settings"])
def test_a_table_of_verdicts_fits_a_window_of_1280(page: Chromium, table: str) -> None:
    scroll = f"document.querySelector('#{table} + .scroll')"
    assert page.evaluate(f"{scroll}.scrollWidth <= {scroll}.clientWidth")


def test_what_a_row_is_about_stays_in_sight_where_a_table_is_wider_than_the_window(page: Chromium) -> None:
    page.show_as(width=800)
    scroll = "document.querySelector('#clock-1 + .scroll')"
    place = f"{scroll}.querySelector('SELECTOR').getBoundingClientRect().left"
    page.evaluate(f"void ({scroll}.scrollLeft = 1e6)")
    assert page.evaluate(f"{scroll}.scrollLeft") > 50
    for selector in ("thead th", "tbody th[scope=row]", ".group div", "caption span"):
        assert 0 <= page.evaluate(place.replace("SELECTOR", selector)) < 60


def test_a_number_never_parts_from_its_interval_s_other_bound(page: Chromium) -> None:
    page.show_as(width=800)
    lines = "[...document.querySelectorAll('td.number')].map(cell => cell.innerText).filter(text => text.includes('['))"
    texts = page.evaluate(lines)
    assert texts and all(" " not in text.replace(" [", "[") for text in texts)


def test_two_settings_are_filtered_as_the_other_tables_are(page: Chromium) -> None:
    rows = "[...document.querySelectorAll('#settings + .scroll tbody tr')].filter(row => row.checkVisibility()).length"
    page.evaluate(f"{FILTER}('bucket_cap_mb resnet50')")
    assert page.evaluate(rows) == 1 + 2 * 2  # the heading, and two clocks with their reasons
    page.evaluate(f"{FILTER}('bucket_cap_mb resnet50 wall')")
    assert page.evaluate(rows) == 1 + 2
    page.evaluate(f"{FILTER}('')")


def test_the_page_of_a_comparison_is_shown_without_a_complaint(browser: Chromium, tmp_path: Path) -> None:
    write_comparison(folder_of(tmp_path, [PASSED, OPEN, GREW, TOLD, ON_WALL], counted=True))
    browser.complaints.clear()
    browser.show_as()
    browser.open(tmp_path / "comparison.html")
    assert browser.complaints == []
    assert browser.evaluate("document.querySelector('#figure-changes img').naturalWidth") > 1000
    assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

"""The section of two values of one setting: what stands in it, in which order, and when it is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from synthetic_results import CELLS, HOSTILE, Folder

from reports.html.page import page_of, render
from reports.html.settings_table import SettingLine, settings_table
from reports.plots.tables.results import Results


@pytest.fixture(scope="module")
def section(report: Path) -> str:
    html = (report / "report.html").read_text(encoding="utf-8")
    found = re.search(r'<section aria-labelledby="settings">.*?</section>', html, re.DOTALL)
    assert found and '<a href="#settings">' in html
    return found[0].replace("\u00a0", " ")


def lines_of(results: Results, cell: str) -> list[SettingLine]:
    return next(group.lines for group in settings_table(results).groups if cell in group.cell)


def test_what_got_worse_comes_first_and_every_clock_stands_beside_it(results: Results) -> None:
    groups = settings_table(results).groups
    assert [group.lines[0].verdict for group in groups] == ["slower", "open", "no verdict", "equal"]
    assert {group.values for group in groups} == {"bucket_cap_mb: 1 against 25"}
    assert [[line.clock for line in group.lines] for group in groups] == [["awaited time", "wall"]] * 4


def test_a_row_has_both_figures_with_their_intervals_its_step_and_its_p(results: Results) -> None:
    line = lines_of(results, "resnet50")[0]
    assert (line.us, line.percent) == ("+40.0 [+31.0, +49.0]", "+0.00305 [+0.00236, +0.00373]")
    assert (line.reference_step_ms, line.repetitions) == ("1,312", 5)
    assert (line.p, line.p_holm, line.verdict) == ("< 0.0001", "0.0043 (2)", "slower")
    assert line.reason == "beyond chance among all comparisons on this clock"


def test_one_repetition_bears_no_interval_and_says_so(results: Results) -> None:
    line = lines_of(results, "convnet")[0]
    assert (line.us, line.percent) == ("+1.50 [no interval]", "+0.0160 [no interval]")
    assert (line.p, line.p_holm, line.verdict) == ("not measured", "", "no verdict")
    assert line.reason == "one repetition: no interval"


def test_the_section_names_interval_n_margin_and_method(section: str) -> None:
    for part in (
        "Interval: 95 % t-interval over repetitions; n = 1–5 repetitions.",
        "Margin ±m: 0.5 % of the step, but never less than 2 µs.",
        "p: two-sided, of no difference (t test over repetitions); beneath it the same adjusted by Holm",
        '<td class="number">+40.0 [+31.0, +49.0]</td>',
        '<td class="number">&lt; 0.0001<br>0.0043 (2)</td>',
        '<span class="SLOWER">',
        '<span class="open">',
        '<table class="filtered">',
    ):
        assert part in section
    assert HOSTILE not in section


def test_the_summary_has_a_line_for_each(report: Path) -> None:
    text = (report / "summary.md").read_text(encoding="utf-8")
    assert (
        "| bucket_cap_mb: 1 against 25 | resnet50_cifar10 · ddp · gloo · fp32 · 1×2 ranks · batch 16 | wall"
        " | +40.0 [+31.0, +49.0]"
        r" | +0.00305 [+0.00236, +0.00373] | slower | 1,312 | 5 | \< 0.0001 | 0.0043 (2) | beyond chance among all comparisons on"
        " this clock |" in text
    )


@pytest.mark.parametrize("what", ["absent", "empty"])
def test_no_comparison_no_section(tmp_path: Path, what: str) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    table = tmp_path / "tables/settings.csv"
    header = table.read_text(encoding="utf-8").splitlines()[0]
    table.write_text(header + "\n", encoding="utf-8") if what == "empty" else table.unlink()
    page = page_of(Results.read(tmp_path), [], "")
    assert "Two settings" not in render("report.html.j2", page) + render("summary.md.j2", page)


def test_a_thousand_cells_show_the_worst_hundred_and_name_the_file(tmp_path: Path) -> None:
    results = Results.read(Folder().write(tmp_path))
    results.settings = [row._replace(cell_id=f"{row.cell_id}-{n}") for n in range(250) for row in results.settings]
    table = settings_table(results)
    assert len(table.groups) == 100
    assert {line.verdict for group in table.groups for line in group.lines} == {"slower"}
    assert table.note == " Shown: 100 of 1,000 comparisons, the worst; the rest is in tables/settings.csv."
    html = render("report.html.j2", page_of(results, [], ""))
    section = re.search(r'<section aria-labelledby="settings">.*?</section>', html, re.DOTALL)[0]
    assert table.note in section and len(section) < 200_000

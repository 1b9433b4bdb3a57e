"""report.html and summary.md as text; how they look to a browser is in test_in_chromium.py."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from synthetic_answer import SENTENCES
from synthetic_results import CELLS, HOSTILE, Cell, Folder
from synthetic_schema import bounds, write_table

from reports.html.__main__ import main
from reports.html.overhead_table import overhead_tables
from reports.html.page import SCRIPT, flatten, markdown_cell, page_of, render
from reports.plots.figures import FIGURES, overview, step_distribution
from reports.plots.tables.csv_table import read_texts
from reports.plots.tables.results import Results

ROOT = Path(__file__).resolve().parents[3]

OTHER_TABLES = ("overhead.csv", "scaling.csv", "collectives.csv")  # beside tables/


class Outline(HTMLParser):
    """The elements of a page, with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def html(report: Path) -> str:
    return (report / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def outline(html: str) -> Outline:
    return Outline(html)


def test_the_answer_then_the_readers_questions(html: str) -> None:
    order = "banner answer how-sure cost verdicts overhead where scale trust headlines points method environment next reproduce"
    places = [html.index(f'id="{name}"') for name in order.split()]
    assert places == sorted(places)
    for sentence in SENTENCES:
        assert f"<p>{sentence}</p>" in html[places[1] : places[2]]
    sure = html[places[2] : places[3]]
    assert "5 launches, 2000 pairs. Resolves 0.2 us.</p>\n<p>Data: generated.</p>" in sure
    assert "<p>This machine was busy:" in html[places[0] : places[1]]


def test_what_is_not_asked_at_once_is_folded(outline: Outline, html: str) -> None:
    folded = {attributes.get("id") for attributes in outline.all("details")}
    assert folded >= {"overhead", "headlines", "points", "cells", "method", "environment"}
    assert all("open" not in attributes for attributes in outline.all("details") if attributes.get("id"))
    verdicts = html[html.index('id="verdicts"') :].partition("</table>")[0]
    assert "▲</span> slower" in verdicts and "beyond ±2 µs" in verdicts


def test_a_question_without_data_is_one_line_with_the_command_that_would_answer_it(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    for name in ("step_time_law", "step_time_curve", "settings", "skew", "held_out", "batch_memory", "start_up"):
        (tmp_path / f"tables/{name}.csv").unlink()
    (tmp_path / "scaling.csv").unlink()
    assert main(["--results", str(tmp_path)]) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    section = html[html.index('<h2 id="scale">') :].partition("</section>")[0]
    assert section.count("<p") == 1 and "<img" not in section
    assert "<code>ddpbench run overhead --set ranks_per_node=1,2,4</code>" in section


def test_overhead_table_has_bounds_band_step_verdict_reason_and_n(outline: Outline) -> None:
    text = " ".join(outline.text.split())
    for part in (
        "+3.10 [+3.02, +3.19]",
        "+1.82 [+1.77, +1.87]",
        "same code twice (A/A): [",
        "2,000 / 5",
        "0.170",
        "▲ slower",
        "found of 101 µs",
    ):
        assert part in text
    assert "5,400 pairs needed, 7 measured" in text
    assert "95 % t-interval over launches; Wilcoxon signed-rank interval within one launch" in text


def test_what_is_not_resolved_is_seen_to_be_so(html: str, folder: Path) -> None:
    tables = [(folder / name).read_text(encoding="utf-8") for name in ("overhead.csv", "tables/settings.csv")]
    verdicts = re.findall(r",(UNMEASURABLE|AMBIGUOUS),", "".join(tables))
    assert verdicts
    assert html.count('<span class="open">') == len(verdicts)
    assert len(re.findall(r"</span> (?:not measurable|open)[^<]*</span>", html)) == len(verdicts)


def test_p_stands_with_its_adjusted_value_its_family_and_its_method(html: str, report: Path) -> None:
    for arm, p in (("trainer", "&lt; 0.0001<br>0.00036 (12)"), ("injected", "&lt; 0.0001<br>&lt; 0.0001 (1)")):
        row = html[html.index(f'<th scope="row" rowspan="2">{arm}') :].partition("</tr>")[0].replace("\u00a0", " ")
        assert f'<td class="number">{p}</td>' in row
    text = " ".join(Outline(html).text.split())
    method = "p: two-sided, of no difference (t tests over launches; signed-rank and t tests within one launch"
    assert method in text and "adjusted by Holm for so many comparisons" in text
    summary = (report / "summary.md").read_text(encoding="utf-8")
    assert method in summary and r"| \< 0.0001 | 0.00036 (12) |" in summary


def test_a_table_without_p_says_so(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    rows = read_texts(tmp_path / "overhead.csv")
    write_table(tmp_path, "overhead.csv", [row | dict.fromkeys(("p_value", "p_holm", "comparisons"), "") for row in rows])
    line = overhead_tables(Results.read(tmp_path))[0].groups[0].lines[0]
    assert (line.p, line.p_holm) == ("not measured", "")


def test_failed_and_skipped_points_are_listed(outline: Outline) -> None:
    for part in ("Lc003-1", "rank 1 died: signal 9", "Lnccl", "backend nccl: no GPU on this machine"):
        assert part in outline.text


def test_no_failed_point_is_said_to_be_none(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    points = tmp_path / "tables/points.csv"
    points.write_text(points.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    page = page_of(Results.read(tmp_path), [], "")
    assert re.search(r"Failed and skipped points</h3></summary>\s*<p>none</p>", render("report.html.j2", page))
    assert re.search(r"## Failed and skipped points\s+none", render("summary.md.j2", page))


def test_hostile_names_are_text(html: str, outline: Outline) -> None:
    assert outline.all("script") == [{}]
    script = html.partition("<script>")[2].partition("</script>")[0]
    assert script == SCRIPT
    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in html
    assert [attributes for _, attributes in outline.elements if any(name.startswith("on") for name in attributes)] == []
    assert outline.text.count(HOSTILE) >= 4
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


def test_offline_and_whole(html: str, outline: Outline) -> None:
    addresses = [
        value for _, attributes in outline.elements for name, value in attributes.items() if name in ("src", "href")
    ]
    assert addresses and all(address.startswith(("data:", "#")) for address in addresses)
    assert "url(" not in html and "@import" not in html
    assert len(html.encode()) < 10_000_000
    assert html.rstrip().endswith("</html>")


def test_every_figure_is_embedded_with_alt_text_and_caption(outline: Outline) -> None:
    images = outline.all("img")
    assert len(images) == len(FIGURES)
    assert all(image["src"].startswith("data:image/png;base64,") and len(image["alt"]) > 40 for image in images)
    assert len(outline.all("figcaption")) == len(FIGURES)


def test_headings_and_tables_say_what_they_are(outline: Outline) -> None:
    assert len(outline.all("h1")) == 1
    assert all("scope" in attributes for attributes in outline.all("th"))
    assert len(outline.all("caption")) == len(outline.all("table"))


def test_environment_and_how_to_reproduce(outline: Outline, folder: Path) -> None:
    for part in ("versions.torch", "2.11.0", "probes[1].why_not", f"ddpbench run {folder.resolve()}/experiment.toml"):
        assert part in outline.text


def test_summary_has_the_answer_the_table_and_the_points(report: Path) -> None:
    text = (report / "summary.md").read_text(encoding="utf-8")
    for part in (
        "**trainer costs 3.1 µs per step over raw DDP, between 3.0 and 3.2 µs.**",
        "How sure: 5 launches, 2000 pairs.",
        "| slower | 0.2 us |",
        "| +3.10 [+3.02, +3.19] |",
        "not measurable",
        "| Lnccl |",
        "plots/overhead.png",
    ):
        assert part in text
    assert "<script>" not in text
    overhead = text[text.index("## Overhead") : text.index("## Two settings")]
    rows = [re.sub(r"\\.", "", line).count("|") for line in overhead.splitlines() if line.startswith("| null")]
    assert set(rows) == {13}


def test_nothing_half_written_stays(report: Path) -> None:
    assert {path.name for path in report.iterdir()} == {"report.html", "summary.md", "plots"}
    assert len(list((report / "plots").iterdir())) == 2 * len(FIGURES)


# --- when there is nothing to show --------------------------------------------------------------------------------


def test_no_finished_launch_gives_a_page_that_says_so(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    Folder(report_needs="No launch finished: 1 failed, 1 skipped.").write(tmp_path)
    assert main(["--results", str(tmp_path)]) == 1
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "No launch finished: 1 failed, 1 skipped." in html
    assert "rank 1 died: signal 9" in html
    assert "<img" not in html
    assert "No launch finished" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "No launch finished" in capsys.readouterr().err


def test_missing_tables_give_a_page_that_says_so(tmp_path: Path) -> None:
    Folder(with_tables=False).write(tmp_path)
    assert main(["--results", str(tmp_path)]) == 1
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "overhead.csv" in html and "ddpbench report" in html


def test_one_missing_table_takes_one_figure_only(tmp_path: Path) -> None:
    Folder(cells=CELLS[:2]).write(tmp_path)
    (tmp_path / "tables/drift.csv").unlink()
    assert main(["--results", str(tmp_path)]) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Drift of the step time over a launch: tables/drift.csv is missing" in html
    assert html.count("<img") == len(FIGURES) - 1


def test_tables_with_headers_only_are_no_fault(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    for file in [*(tmp_path / "tables").glob("*.csv"), *(tmp_path / name for name in OTHER_TABLES)]:
        file.write_text(file.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    assert main(["--results", str(tmp_path)]) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert html.count("Not here: ") == 7 and all(entry.title in html for entry in FIGURES)


def test_numbers_that_were_not_measured_are_no_fault(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    for name, numbers in (
        ("overhead.csv", range(4, 16)),
        ("tables/breakdown.csv", (3, 4)),
        ("tables/cells.csv", (14,)),
        ("tables/distribution.csv", (3,)),
        ("tables/drift.csv", (4,)),
        ("tables/loss.csv", (5,)),
    ):
        lines = [line.split(",") for line in (tmp_path / name).read_text(encoding="utf-8").splitlines()]
        for fields in lines[1:]:
            for place in numbers:
                fields[place] = ""
        (tmp_path / name).write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")
    assert main(["--results", str(tmp_path)]) == 0
    assert "not measured" in (tmp_path / "report.html").read_text(encoding="utf-8")


# --- many cells ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> Results:
    cells = tuple(Cell(f"c{n:02d}", "null", 1.0 + n, launches=1, super_blocks=10, arms=("raw", "trainer")) for n in range(60))
    headlines = {"headlines": [f"sentence {n}" for n in range(70)]}
    return Results.read(Folder(cells=cells, summary_extra=headlines).write(tmp_path_factory.mktemp("sixty")))


def test_the_primary_clock_shows_every_cell_and_the_others_the_worst(sixty: Results) -> None:
    primary, *others = overhead_tables(sixty)
    assert (len(primary.groups), primary.note) == (60, "")
    for table in others:
        assert len(table.groups) == 50
        assert table.note == " Shown: 50 of 60 cells, the worst; the rest is in overhead.csv."
    assert [group.cell_id for group in primary.groups][:50] == [group.cell_id for group in others[0].groups]


def test_of_the_samples_only_the_worst_cells_are_read_and_the_caption_counts_them_all(sixty: Results) -> None:
    worst = [cell.cell_id for cell in sixty.cells][:24]
    assert list(dict.fromkeys(row.cell_id for row in sixty.drift)) and {row.cell_id for row in sixty.drift} == set(worst)
    assert "Shown: 8 of 60 cells" in step_distribution.draw(sixty).caption
    assert len(overview.draw(sixty).figure.axes[0].lines) > 0


def test_many_headlines_are_cut_and_counted(sixty: Results) -> None:
    page = page_of(sixty, [], "")
    assert (len(page.headlines), page.headlines_left_out) == (40, 30)
    assert "Shown: 40 of 70, worst first; the rest is in tables/summary.json." in render("report.html.j2", page)


def test_the_environment_leaves_the_facts_of_the_launches_to_the_audit(folder: Path) -> None:
    results = Results.read(folder)
    results.environment = {"cores": 2, "launches": {"L1": {"torch": "2.11.0"}}}
    assert page_of(results, [], "").environment == [("cores", "2")]


def test_a_budget_stands_with_its_verdict(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    rows = read_texts(tmp_path / "overhead.csv")
    write_table(tmp_path, "overhead.csv", [row | {"budget_percent": 2, "budget_verdict": "REJECT"} for row in rows])
    assert overhead_tables(Results.read(tmp_path))[0].groups[0].lines[0].budget == "budget 2 %: REJECT"


# --- the command --------------------------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "reports.html", *arguments],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_runs_from_anywhere_and_keeps_standard_output_clean(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path / "results")
    done = run("--results", str(tmp_path / "results"), "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "out/report.html").is_file()
    assert not (tmp_path / "results/report.html").exists()


@pytest.mark.parametrize("folder_name", ["absent", "empty"])
def test_not_a_results_folder_is_the_callers_mistake(tmp_path: Path, folder_name: str) -> None:
    (tmp_path / "empty").mkdir()
    done = run("--results", str(tmp_path / folder_name))
    assert done.returncode == 2
    assert "not a results folder" in done.stderr and "Traceback" not in done.stderr


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    Folder(report_needs="nothing").write(tmp_path / "results")
    (tmp_path / "file").write_text("")
    done = run("--results", str(tmp_path / "results"), "--out", str(tmp_path / "file"))
    assert done.returncode == 3
    assert "cannot write the report" in done.stderr and "Traceback" not in done.stderr


def test_nested_environment_is_flattened() -> None:
    value = {"git": {"commit": "0123", "dirty": False}, "cores": [0, 1], "gpus": [], "nested": [{"a": None}]}
    assert flatten(value) == [
        ("git.commit", "0123"),
        ("git.dirty", "false"),
        ("cores", "0, 1"),
        ("gpus", "none"),
        ("nested[0].a", "null"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", r"a\|b"),
        ("<b>", r"\<b\>"),
        ("[x](y)", r"[x]\(y)"),
        ("two\nlines", "two lines"),
        ("[+1, +2]", "[+1, +2]"),
    ],
)
def test_markdown_shows_any_text_as_text(text: str, expected: str) -> None:
    assert markdown_cell(text) == expected


def test_work_of_every_nth_step_stands_beneath_that_of_every_step(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    first, *rest = read_texts(tmp_path / "overhead.csv")
    write_table(tmp_path, "overhead.csv", [first | bounds("periodic_us", 4, 3.5, 4.5), *rest])
    results = Results.read(tmp_path)
    texts = [line.periodic for table in overhead_tables(results) for group in table.groups for line in group.lines]
    assert sorted(texts)[-1] == "+4.00 [+3.50, +4.50] every n-th"
    assert texts.count("") == len(texts) - 1
    assert "every\u00a0n-th" in render("report.html.j2", page_of(results, [], ""))
    line = "; +4.00 [+3.50, +4.50] every n-th |"
    assert line in render("summary.md.j2", page_of(results, [], "")).replace("\\", "")

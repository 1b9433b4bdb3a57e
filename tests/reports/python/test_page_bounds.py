"""The page of a folder that holds more than anyone reads, or what is no text."""

from __future__ import annotations

import os
from pathlib import Path

from synthetic_results import Folder

from reports.html.__main__ import main
from reports.html.page import page_of, render
from reports.plots.tables.results import Results


def test_of_thousands_of_cells_and_points_the_page_shows_the_first_and_says_where_the_rest_is(folder: Path) -> None:
    results = Results.read(folder)
    results.cells = [results.cells[0]._replace(cell_id=f"c{n}") for n in range(3000)]
    results.points = [results.points[0]._replace(reason="signal 9")] * 3000
    results.environment = {"probe": list(range(5)), "host": {f"fact {n}": n for n in range(3000)}}
    results.audit = [results.audit[0]._replace(what=f"fact {n}", severity="error") for n in range(3000)]
    page = page_of(results, [], "")
    html, summary = (render(template, page) for template in ("report.html.j2", "summary.md.j2"))
    for left_out in (
        "3,000 points of the plan without an <code>ok</code>; none of them is in an estimate."
        " Shown: 200 of 3,000 points, in the order of the plan; the rest is in tables/points.csv.",
        "Shown: 1,000 of 3,000 cells, the worst; the rest is in tables/cells.csv.",
        "Shown: 500 of 3,001 facts, as they stand there; the rest is in environment.json.",
        "Shown: 40 of 3,000 lines, the worst; the rest is in tables/audit.csv.",
    ):
        assert left_out in html
    assert "Shown: 200 of 3,000 points" in summary
    assert html.count("signal 9") == summary.count("signal 9") == 200


def test_many_hosts_are_counted(folder: Path) -> None:
    results = Results.read(folder)
    results.summary["hosts"] = [f"node{n}" for n in range(1000)]
    assert page_of(results, [], "").hosts.endswith(", node19 and 980 more")


def test_a_folder_whose_name_is_no_utf8_has_a_page(tmp_path: Path) -> None:
    folder = Folder(report_needs="nothing", summary_extra={"experiment": ""}).write(tmp_path / os.fsdecode(b"caf\xe9"))
    assert main(["--results", str(folder)]) == 1
    html = (folder / "report.html").read_bytes().decode("utf-8")
    assert "<title>ddpbench: caf\ufffd</title>" in html
    assert f"$&#39;{tmp_path.resolve()}/caf\\xe9&#39;" in html


def test_text_that_is_no_utf8_or_no_text_is_shown_as_such(tmp_path: Path) -> None:
    folder = Folder(report_needs="nothing").write(tmp_path)
    summary = folder / "tables/summary.json"
    summary.write_text(summary.read_text(encoding="utf-8").replace("node-a", r"half a \ud83d"), encoding="utf-8")
    with (folder / "tables/points.csv").open("ab") as file:
        file.write(b"L9,c001,raw,failed,said \xff\x1b[2J\n")
    assert main(["--results", str(folder)]) == 1
    html = (folder / "report.html").read_bytes().decode("utf-8")
    assert "half a ?" in html and "said \ufffd" in html

"""Writes report.html, summary.md and plots/ of one results folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reports.html.page import page_of, render
from reports.plots.draw import draw_all
from reports.plots.tables.results import Results
from reports.plots.tables.schema import SCHEMA
from reports.plots.whole_file import write_whole


def write_report(
    results_dir: Path, out: Path, progress: Callable[[str], None] = lambda _: None, program: str = "ddpbench"
) -> str:
    """Returns why no figure could be drawn; empty where all is well.

    Raises BadTableError for tables that cannot be understood, OSError where `out` cannot be written.
    """
    results = Results.read(results_dir)
    results.program = program
    why_not = why_no_report(results)
    figures = [] if why_not else draw_all(results, out / "plots", progress)
    page = page_of(results, figures, why_not)
    for name in ("report.html", "summary.md"):
        text = render(f"{name}.j2", page)
        write_whole(out / name, text.encode("utf-8", "replace"))  # a lone surrogate, which JSON may hold, is shown as "?"
    return why_not


def why_no_report(results: Results) -> str:
    if {SCHEMA, "tables/summary.json", "overhead.csv"} & set(results.missing):
        return (
            f"The tables are not there ({', '.join(results.missing)} missing):"
            " `ddpbench report` makes them from the samples."
        )
    return str(results.summary.get("report_needs") or "")

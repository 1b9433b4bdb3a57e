"""Two families of arms in one folder: each is shown against its own reference, with its own controls."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.axes import Axes
from synthetic_results import ARMS, Cell, Folder

from reports.html.overhead_table import overhead_tables
from reports.plots.figures import other_clocks, overhead
from reports.plots.tables.results import Results

PY_ARMS = ("py_raw", "py_raw_again", "py_lightning")


@pytest.fixture
def two_families(tmp_path: Path) -> Results:
    results = Results.read(Folder(cells=(Cell("c001", "null", 0.2, arms=ARMS + PY_ARMS),)).write(tmp_path))
    results.overhead = [
        row._replace(aa_us_lo=-9.0, aa_us_hi=9.0, reference_step_us=500) if row.reference == "py_raw" else row
        for row in results.overhead
    ]
    results.__dict__.pop("_overhead_by_cell_and_clock")
    return results


def title_of(axes: Axes) -> str:
    return axes.get_title(loc="left") + axes.get_title()


def test_a_table_groups_by_reference(two_families: Results) -> None:
    raw, py_raw = overhead_tables(two_families)[0].groups
    assert raw.label.endswith(" (against raw)") and py_raw.label.endswith(" (against py_raw)")
    assert py_raw.aa == "[−9.00, +9.00] µs" and "9.0" not in raw.aa
    assert {line.arm for line in py_raw.lines} == {"py_raw_again", "py_lightning"}
    assert [line.arm for line in py_raw.lines if line.control] == ["py_raw_again"]


@pytest.mark.parametrize(("figure", "panels"), [(overhead, 2), (other_clocks, 4)])
def test_a_figure_has_a_panel_for_each_reference(two_families: Results, figure: object, panels: int) -> None:
    titles = [title_of(axes) for axes in figure.draw(two_families).figure.axes]
    assert sum("(against raw)" in title for title in titles) == panels // 2
    assert sum("(against py_raw)" in title for title in titles) == panels // 2


def test_one_reference_is_not_named(results: Results) -> None:
    assert all("against" not in group.label for group in overhead_tables(results)[0].groups)
    assert all("against" not in title_of(axes) for axes in overhead.draw(results).figure.axes)


def test_references_come_first_and_controls_last(two_families: Results) -> None:
    arms = two_families.arms_worst_first("c001")
    assert set(arms[:2]) == {"raw", "py_raw"}
    assert set(arms[-3:]) == {"raw_again", "py_raw_again", "injected"}

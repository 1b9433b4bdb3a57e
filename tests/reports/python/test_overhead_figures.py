from __future__ import annotations

import dataclasses
import math

import pytest
from drawn_text import drawn_texts
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from synthetic_results import MARGIN_PERCENT, MARGIN_US
from synthetic_schema import row_of

from reports.plots.figures import other_clocks, overhead
from reports.plots.figures.forest import Margin, draw_forest
from reports.plots.style import arm_styles
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

MARGIN = Margin(MARGIN_PERCENT, MARGIN_US)


def row(**changes: object) -> Row:
    base = row_of(
        "overhead.csv",
        cell_id="c",
        arm="trainer",
        reference="raw",
        clock="wall",
        overhead_us=3.0,
        overhead_us_lo=2.5,
        overhead_us_hi=3.5,
        overhead_percent=1.5,
        overhead_percent_lo=1.2,
        overhead_percent_hi=1.8,
        reference_step_us=200,
        pairs=100,
        launches=5,
        aa_us_lo=-0.5,
        aa_us_hi=0.5,
        injected_true_us=100.0,
        injected_us=101.0,
        verdict="SLOWER",
        reason="",
        overhead_us_of_means=3.1,
    )
    return base._replace(**changes)


def of_rows(results: Results, overhead: list[Row]) -> Results:
    return dataclasses.replace(results, tables=results.tables | {"overhead": overhead})


def panel(*rows: Row, far_off: frozenset[str] = frozenset()) -> Axes:
    axes = Figure().add_subplot()
    draw_forest(axes, list(rows), arm_styles([line.arm for line in rows]), MARGIN, far_off)
    return axes


def markers(axes: Axes, marker: str) -> list[Line2D]:
    return [line for line in axes.lines if line.get_marker() == marker]


def test_estimate_and_interval_stand_where_the_table_says() -> None:
    axes = panel(row())
    (estimate,) = markers(axes, "^")
    assert list(estimate.get_xdata()) == [3.0]
    (ends,) = markers(axes, "|")
    assert list(ends.get_xdata()) == [2.5, 3.5]


@pytest.mark.parametrize("verdict", ["UNMEASURABLE", "AMBIGUOUS"])
def test_not_resolved_is_open_and_broken(verdict: str) -> None:
    (estimate,) = markers(panel(row(verdict=verdict)), "^")
    assert estimate.get_markerfacecolor() == "white"
    (resolved,) = markers(panel(row()), "^")
    assert resolved.get_markerfacecolor() == resolved.get_color()


def test_margin_is_a_share_of_the_step_but_never_less_than_its_floor() -> None:
    assert MARGIN.at(row(reference_step_us=200)) == 2.0
    assert MARGIN.at(row(reference_step_us=10_000)) == pytest.approx(50.0)
    assert MARGIN.at(row(reference_step_us=math.nan)) == 2.0


def test_a_margin_that_is_an_axis_is_the_cells_own() -> None:
    summary = {"margin_percent": 0.5, "margin_us": 2.0}
    assert Margin.of(summary) == Margin(0.5, 2.0)
    assert Margin.of(summary, "margin_us=5;stem=cifar") == Margin(0.5, 5.0)
    assert Margin.of({}) == Margin(0.0, 0.0)


def test_view_holds_every_judged_arm_and_the_bands() -> None:
    left, right = panel(
        row(), row(arm="raw_again", overhead_us=0.0, overhead_us_lo=-7.0, overhead_us_hi=1.0)
    ).get_xlim()
    assert left < -7.0 and right > 3.5


def test_injected_control_may_leave_the_view_and_says_so() -> None:
    injected = row(arm="injected", overhead_us=100.0, overhead_us_lo=99.0, overhead_us_hi=101.0)
    axes = panel(row(), injected, far_off=frozenset({"injected"}))
    assert axes.get_xlim()[1] < 10
    assert len(markers(axes, ">")) == 1


def test_an_estimate_that_is_not_there_is_said_to_be_so() -> None:
    nan = math.nan
    axes = panel(row(overhead_us=nan, overhead_us_lo=nan, overhead_us_hi=nan, verdict="UNMEASURABLE"))
    assert "not measured" in [text.get_text() for text in axes.texts]


def test_primary_clock_comes_first_with_percent_and_verdict_beside(results: Results) -> None:
    drawing = overhead.draw(results)
    texts = [text.get_text() for axes in drawing.figure.axes for text in axes.texts]
    assert "awaited time" in drawing.caption
    assert any(text.endswith(" %") for text in texts)
    assert "not measurable" in texts
    assert "slower" in texts


def test_summary_names_the_primary_clock(results: Results) -> None:
    changed = dataclasses.replace(results, summary={**results.summary, "primary_clock": "wall"})
    assert changed.clocks()[0] == "wall"
    assert "wall clock" in overhead.draw(changed).caption


def test_without_a_named_one_awaited_time_is_primary_and_device_before_it(results: Results) -> None:
    rows = [row._replace(clock=clock) for clock in ("wall", "awaited", "device") for row in results.overhead[:1]]
    assert of_rows(results, rows[:2]).clocks() == ["awaited", "wall"]
    assert of_rows(results, rows).clocks() == ["device", "wall", "awaited"]


def test_of_three_other_clocks_those_that_bear_verdicts_are_drawn(results: Results) -> None:
    on_cpu = [row._replace(clock="thread_cpu") for row in results.overhead if row.clock == "wall"]
    drawing = other_clocks.draw(of_rows(results, [*results.overhead, *on_cpu]))
    assert len(drawing.figure.axes) == 2 * len(results.cells)
    assert "wall clock; thread CPU clock" in drawing.caption


def test_every_other_clock_has_a_column(results: Results) -> None:
    drawing = other_clocks.draw(results)
    assert len(drawing.figure.axes) == 2 * len(results.cells)
    assert "wall clock; process CPU clock" in drawing.caption


def test_an_open_verdict_with_its_bound_fits_beside_the_plot(results: Results) -> None:
    rows = [row._replace(verdict="AMBIGUOUS", at_most_us=1234.5, step_us=10_000) for row in results.overhead]
    changed = of_rows(results, rows)
    texts, frame = drawn_texts(overhead.draw(changed).figure)
    bounds = [text for text in texts if "costs at most" in text.text]
    assert bounds
    assert all(text.inside(frame) for text in bounds)

"""What real tables have and made-up ones had not: arms far off by design, one bar much shorter, options in every group's name."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn_text import drawn_texts, overlaps
from matplotlib.figure import Figure
from synthetic_results import Folder

from reports.html.findings import step_time_law as law_table
from reports.html.page import page_of, render
from reports.plots.figures import efficiency, other_clocks, overhead, overview, step_phases, step_time_law
from reports.plots.style import report_style
from reports.plots.tables.arm_facts import arm_facts
from reports.plots.tables.results import Results
from reports.plots.wording import short_groups

OPTIONS = "augment=false, channels_last=false, momentum=0.9, gradient_as_bucket_view=false, static_graph=false"


@pytest.fixture
def fresh(tmp_path: Path) -> Results:
    """A test changes its rows."""
    return Results.read(Folder().write(tmp_path))


def in_its_place(figure: Figure) -> bool:
    texts, frame = drawn_texts(figure)
    return overlaps(texts) == [] and all(text.inside(frame) for text in texts)


def test_the_arms_that_are_far_off_by_design() -> None:
    delayed = {"arm": "sleepy", "role": "positive_control", "is_delayed": True}
    every_50th = {"arm": "injected_periodic", "role": "positive_control", "is_delayed": False}
    ideal = {"arm": "raw+quick", "role": "probe", "has_ideal_network": True}
    facts = arm_facts({"arms": [delayed, every_50th, ideal, {"arm": "injected", "role": "subject"}, "no entry"]})
    assert [arm for arm, of_arm in facts.items() if of_arm.is_far_off_by_design] == ["sleepy", "raw+quick"]
    assert [arm for arm, of_arm in facts.items() if of_arm.is_control] == ["sleepy", "injected_periodic"]
    assert arm_facts({}) == arm_facts({"arms": "damaged"}) == {}


@pytest.mark.parametrize("figure", [overhead, other_clocks])
def test_an_ideal_network_does_not_flatten_the_arms_that_are_judged(fresh: Results, figure: object) -> None:
    view = figure.draw(fresh).figure.axes[0].get_xlim()
    off = {"overhead_us": -5e4, "overhead_us_lo": -6e4, "overhead_us_hi": -4e4}
    fresh.overhead = [row._replace(arm="raw+ideal", **off) if row.arm == "raw_item" else row for row in fresh.overhead]
    fresh.__dict__.pop("_overhead_by_cell_and_clock")
    fresh.__dict__.pop("_arms")
    fresh.summary["arms"].append({"arm": "raw+ideal", "role": "probe", "reference": "raw", "has_ideal_network": True})
    fresh.__dict__.pop("_arm_facts")
    axes = figure.draw(fresh).figure.axes[0]
    assert axes.get_xlim() == pytest.approx(view, rel=0.3)
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "<"] == [axes.get_xlim()[0]]
    with report_style():
        assert in_its_place(figure.draw(fresh).figure)


def test_a_bar_much_shorter_than_the_others_has_no_numbers_that_overlap(fresh: Results) -> None:
    fresh.breakdown = [row._replace(mean_s=row.mean_s / 12) if row.arm == "raw_item" else row for row in fresh.breakdown]
    with report_style():
        assert in_its_place(step_phases.draw(fresh).figure)


@pytest.mark.parametrize(("widest", "among"), [(8.0, {2, 4}), (400.0, {3, 30})])
def test_the_overview_has_ticks_enough_to_read_a_number_from(fresh: Results, widest: float, among: set[float]) -> None:
    nowhere = {"overhead_percent_lo": float("nan"), "overhead_percent_hi": float("nan")}
    fresh.overhead = [row._replace(overhead_percent=widest * n / 60, **nowhere) for n, row in enumerate(fresh.overhead)]
    figure = overview.draw(fresh).figure
    axes = max(figure.axes, key=lambda axes: axes.get_ylim()[1])
    low, high = axes.get_ylim()
    assert among <= {tick for tick in axes.get_yticks() if low <= tick <= high}


def test_a_factor_that_was_not_measured_has_no_column(fresh: Results) -> None:
    nan = float("nan")
    fresh.efficiency = [row._replace(computation_scaling=nan, global_efficiency=nan) for row in fresh.efficiency]
    titles = [label.get_text().replace("-\n", "") for label in efficiency.draw(fresh).figure.axes[0].get_xticklabels()]
    assert titles == ["load\nbalance", "communication", "parallel\n(product)", "serialisation", "transfer", "contention"]


def test_options_of_every_group_are_not_said_with_each() -> None:
    assert short_groups(["a, ddp, x=1, y=2", "a, ddp, x=1, y=3", "a, ddp, x=1, y=2"]) == {
        "a, ddp, x=1, y=2": "a, ddp, y=2",
        "a, ddp, x=1, y=3": "a, ddp, y=3",
    }
    assert short_groups([]) == {}


def test_a_law_is_named_by_what_sets_its_cells_apart(fresh: Results) -> None:
    fresh.step_time_law = [law._replace(group=f"{law.group}, {OPTIONS}") for law in fresh.step_time_law]
    fresh.step_time_curve = [row._replace(group=f"{row.group}, {OPTIONS}") for row in fresh.step_time_curve]
    (table,) = law_table.tables(fresh)
    assert not any("=" in row[0] for row in table.rows)
    with report_style():
        figure = step_time_law.draw(fresh).figure
        assert in_its_place(figure)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert all("momentum" not in title and title.count(": c = ") == 3 for title in titles)


def test_the_bars_of_several_arms_stand_side_by_side_and_within_the_view(fresh: Results) -> None:
    rows = fresh.step_time_curve
    fresh.step_time_curve = [row._replace(overhead_us_hi=row.overhead_us_hi + 90 * (row.kind == "point")) for row in rows]
    figure = step_time_law.draw(fresh).figure
    axes = figure.axes[0]
    marks = [line for line in axes.lines if line.get_linestyle() == "None"]
    assert len(marks) == 3
    assert len({round(line.get_transform().transform((1.0, 1.0))[0], 1) for line in marks}) == 3
    assert axes.get_ylim()[1] > 90


def test_many_headlines_and_every_figure_of_merit_are_folded_away(fresh: Results) -> None:
    fresh.summary["headlines"] = [f"sentence {n}" for n in range(25)]
    html = render("report.html.j2", page_of(fresh, [], ""))
    open_, _, folded = html.partition("<details><summary>15 more</summary>")
    assert "sentence 9<" in open_ and "sentence 10<" not in open_ and "sentence 24<" in folded
    assert "<details><summary>1 figure</summary>" in html

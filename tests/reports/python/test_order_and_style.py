"""What is shown first, what is left out, and that an arm looks the same everywhere."""

from __future__ import annotations

from pathlib import Path

from synthetic_results import ARMS, CELLS, Cell, Folder

from reports.plots.figures import loss, step_distribution
from reports.plots.panels import GroupedFormatter, choose
from reports.plots.style import ARM_STYLES, arm_styles
from reports.plots.tables.results import Results


def test_few_cells_stand_in_the_order_of_their_axes_and_the_worst_of_them_are_drawn(results: Results) -> None:
    assert [cell.cell_id for cell in results.cells] == [cell.cell_id for cell in CELLS]
    assert [cell.cell_id for cell in results.worst_of(results.cells, 2)] == ["c001", "c003"], "slower, then not resolved"


def test_of_many_cells_what_got_worse_comes_first(tmp_path: Path) -> None:
    cells = tuple(Cell(f"c{n:02d}", "null", 40.0 - n, launches=1, super_blocks=10, arms=("raw", "trainer")) for n in range(30))
    many = Results.read(Folder(cells=cells).write(tmp_path))
    places = [many.badness_of(cell.cell_id) for cell in many.cells]
    assert places == sorted(places) and many.cells[0].cell_id != "c00"


def test_reference_first_controls_last(results: Results) -> None:
    arms = results.arms_worst_first("c001")
    assert arms[0] == "raw"
    assert arms[1] == "trainer"
    assert set(arms[-2:]) == {"raw_again", "injected"}


def test_arms_keep_the_order_of_the_experiment(results: Results) -> None:
    assert results.arms() == list(ARMS)


def test_a_choice_keeps_the_reference_and_says_what_it_left_out(many: Results) -> None:
    choice = choose(many, many.distribution, "tables/distribution.csv", (3, 4))
    assert len(choice.cells) == 3
    assert all(len(arms) == 4 and "raw" in arms for arms in choice.arms.values())
    assert "3 of 14 cells" in choice.note and "4 of 17 arms" in choice.note and "tables/distribution.csv" in choice.note


def test_nothing_left_out_nothing_said(results: Results) -> None:
    assert choose(results, results.distribution, "tables/distribution.csv", (9, 9)).note == ""


def test_no_two_arms_of_a_long_ladder_look_alike() -> None:
    styles = arm_styles(["raw", "trainer", *(f"trainer+feature{n}" for n in range(20))])
    assert len({(style.color, style.marker, style.line) for style in styles.values()}) == len(styles)


def test_named_arms_look_the_same_whatever_else_is_there() -> None:
    assert arm_styles(["x", "trainer", "y"])["trainer"] == arm_styles(["trainer"])["trainer"] == ARM_STYLES["trainer"]


def test_curves_are_the_quantiles_of_the_table(results: Results) -> None:
    axes = step_distribution.draw(results).figure.axes[0]
    cell = results.cells[0].cell_id
    table = [row.step_ms for row in results.distribution if (row.cell_id, row.arm) == (cell, "raw")]
    assert list(axes.lines[0].get_xdata()) == table


def test_points_of_the_equal_work_check_coincide(results: Results) -> None:
    check = loss.draw(results).figure.axes[0]
    launches = 5
    curves = [tuple(line.get_ydata()) for line in check.lines]
    assert len(curves) == launches * len(ARMS)
    assert len(set(curves)) == launches
    assert len({line.get_markersize() for line in check.lines}) == len(ARMS)


def test_large_ticks_have_their_thousands_apart() -> None:
    formatter = GroupedFormatter()
    formatter.create_dummy_axis()
    formatter.axis.set_view_interval(-30_000, 30_000)
    formatter.axis.set_data_interval(-30_000, 30_000)
    assert formatter.format_ticks([-20_000, 0, 500, 1_500_000]) == ["−20,000", "0", "500", "1,500,000"]

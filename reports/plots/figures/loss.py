"""Loss of the arms: the equal-work check, whose points must coincide, and the training loss on the discarded steps."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry
from reports.plots.launch_axis import draw_launches
from reports.plots.panels import (
    MAX_ARMS_PER_PANEL,
    arm_legend,
    choose,
    group_thousands,
    legend_arms,
    panel_grid,
    styles_of,
    title_panel,
)
from reports.plots.quantities import count_range, plural
from reports.plots.style import ArmStyle
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

MAX_CELLS = 4
FILE = "tables/loss.csv"
LARGEST_MARKER, MARKER_STEP = 12, 1.8  # markers within one another: all are seen where all coincide


def draw(results: Results) -> Drawing:
    rows = [row for row in results.loss if math.isfinite(row.loss)]
    choice = choose(results, rows, FILE, (MAX_CELLS, MAX_ARMS_PER_PANEL))
    figure, panels = panel_grid(2 * len(choice.cells), 2, 2.4)
    styles = styles_of(results)
    for place, cell in enumerate(choice.cells):
        check, training = panels[2 * place : 2 * place + 2]
        of_cell = [row for row in rows if row.cell_id == cell.cell_id]
        shown = {arm: styles[arm] for arm in choice.arms[cell.cell_id]}
        draw_check(check, [row for row in of_cell if row.source == "equal_work"], shown)
        draw_training(training, [row for row in of_cell if row.source == "training"], shown)
        title_panel(check, cell, "\nequal-work check", width=70)
        training.set_title("training loss")
    arm_legend(figure, legend_arms(choice, results), styles)
    return Drawing(figure, _caption(rows, choice.note), _alt(len(choice.cells)))


FIGURE = FigureEntry("loss", "Loss of the arms", "trust", 30, draw)


def _caption(rows: list[Row], note: str) -> str:
    checks = count_range([len({row.index for row in rows if row.source == "equal_work"})])
    launches = len({row.launch_id for row in rows})
    return (
        "Left: loss of each arm on the same steps from the same snapshot, one curve per launch; the markers of the arms"
        " must lie within one another (a launch whose arms differ is a wrong_result and has no time). Right: loss on"
        " the discarded step of each block over super-blocks, launches end to end. Rank 0, single values (of many"
        " neighbours the median), without an interval;"
        f" n = {checks} steps in the check, {plural(launches, 'launch', 'es')} with losses.{note}"
    )


def _alt(cells: int) -> str:
    return f"Loss of the arms of {cells} cells: left the equal-work check, right the training loss over super-blocks."


def draw_check(axes: Axes, rows: list[Row], arms: dict[str, ArmStyle]) -> None:
    if not rows:
        _say(axes, "no equal-work check")
        return
    for position, (arm, style) in enumerate(arms.items()):
        size = max(LARGEST_MARKER - MARKER_STEP * position, 3)
        for launch_id in dict.fromkeys(row.launch_id for row in rows):
            curve = sorted((row.index, row.loss) for row in rows if (row.launch_id, row.arm) == (launch_id, arm))
            axes.plot(
                [x for x, _ in curve],
                [y for _, y in curve],
                color=style.color,
                linestyle="-" if position == 0 else "",
                linewidth=0.8,
                marker=style.marker,
                markersize=size,
                markerfacecolor="none",
                markeredgewidth=1.1,
            )
    axes.set_xticks(sorted({row.index for row in rows}))
    axes.margins(0.08, 0.14)
    axes.set_xlabel("step of the check")
    axes.set_ylabel("loss")


def draw_training(axes: Axes, rows: list[Row], arms: dict[str, ArmStyle]) -> None:
    if not rows:
        _say(axes, "no training loss")
        return
    draw_launches(axes, rows, "index", "loss", arms)
    group_thousands(axes)
    axes.set_xlabel("super-block (launches end to end)")
    axes.set_ylabel("loss")


def _say(axes: Axes, text: str) -> None:
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, style="italic")
    axes.set_axis_off()

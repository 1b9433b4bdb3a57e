"""Drift: block medians over the super-blocks of each launch, launches end to end, a panel per cell."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry
from reports.plots.figures.step_distribution import view_of
from reports.plots.launch_axis import LaunchAxis, draw_launches
from reports.plots.panels import arm_legend, choose, group_thousands, legend_arms, panel_grid, styles_of, title_panel
from reports.plots.style import ArmStyle
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import samples_of

MAX_CELLS, MAX_ARMS = 6, 3  # drift is the machine's and moves every arm: three show it, more hide it
FILE = "tables/drift.csv"


def draw(results: Results) -> Drawing:
    rows = [row for row in results.drift if math.isfinite(row.step_ms) and not results.facts_of(row.arm).is_far_off_by_design]
    choice = choose(results, rows, FILE, (MAX_CELLS, MAX_ARMS))
    figure, panels = panel_grid(len(choice.cells), 1, 1.9)
    styles = styles_of(results)
    for axes, cell in zip(panels, choice.cells, strict=True):
        shown = {arm: styles[arm] for arm in choice.arms[cell.cell_id]}
        _draw_panel(
            axes, [row for row in rows if row.cell_id == cell.cell_id], shown, _view(results, cell.cell_id, shown)
        )
        title_panel(axes, cell, width=120)
        axes.set_ylabel("step, wall (ms)")
    panels[-1].set_xlabel("super-block (launches end to end, parted by dotted lines)")
    arm_legend(figure, legend_arms(choice, results), styles)
    caption = (
        "Median wall step time of each block (of neighbouring blocks where a launch has more than 300). What moves"
        " all arms together is the machine; pairs take it out. Triangles at the edge stand for points beyond the view."
        " Medians, without an interval;"
        f" {samples_of(choice.cells, results)}.{choice.note}"
    )
    return Drawing(
        figure, caption, f"Step time over the super-blocks of each launch, {len(choice.cells)} cells, a series per arm."
    )


FIGURE = FigureEntry("drift", "Drift of the step time over a launch", "trust", 10, draw)


def _view(results: Results, cell_id: str, arms: dict[str, ArmStyle]) -> tuple[float, float] | None:
    rows = [
        row for row in results.distribution if row.cell_id == cell_id and row.arm in arms and math.isfinite(row.step_ms)
    ]
    return view_of(rows) if rows else None


def _draw_panel(axes: Axes, rows: list[Row], arms: dict[str, ArmStyle], view: tuple[float, float] | None) -> None:
    layout = draw_launches(axes, rows, "super_block", "step_ms", arms)
    group_thousands(axes)
    if view:
        axes.set_ylim(*view)
        _mark_beyond(axes, [row for row in rows if row.arm in arms], layout, arms)


def _mark_beyond(axes: Axes, rows: list[Row], layout: LaunchAxis, arms: dict[str, ArmStyle]) -> None:
    low, high = axes.get_ylim()
    for marker, edge, beyond in (("^", high, lambda y: y > high), ("v", low, lambda y: y < low)):
        outside = [row for row in rows if beyond(row.step_ms)]
        x = [layout.starts[row.launch_id] + row.super_block for row in outside]
        axes.scatter(
            x, [edge] * len(x), marker=marker, s=22, c=[arms[row.arm].color for row in outside], clip_on=False, zorder=5
        )

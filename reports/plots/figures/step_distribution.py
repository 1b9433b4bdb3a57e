"""Distribution of the step time: one curve per arm through the quantiles of the table, a panel per cell."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry
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
from reports.plots.quantities import number
from reports.plots.style import ArmStyle
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import samples_of, shorten

MAX_CELLS = 8
FILE = "tables/distribution.csv"
VIEW_QUANTILES = (0.01, 0.99)  # the slowest steps of a shared host are many times the median and would flatten the rest
MARKED_EVERY = 0.1


def draw(results: Results) -> Drawing:
    shown = [row for row in results.distribution if not results.facts_of(row.arm).is_far_off_by_design]
    rows = [row for row in shown if math.isfinite(row.step_ms)]
    choice = choose(results, rows, FILE, (MAX_CELLS, MAX_ARMS_PER_PANEL))
    figure, panels = panel_grid(len(choice.cells), 2, 2.6)
    styles = styles_of(results)
    for axes, cell in zip(panels, choice.cells, strict=True):
        by_arm = {arm: _curve(rows, cell.cell_id, arm) for arm in choice.arms[cell.cell_id]}
        _draw_panel(axes, by_arm, styles)
        title_panel(axes, cell)
    arm_legend(figure, legend_arms(choice, results), styles)
    caption = (
        "Share of steps that took at most this wall time (slowest rank of each step), all launches of a cell together."
        " The view ends at the 1 % and 99 % quantiles; no step is deleted, and the slowest is named in the panel."
        " The injected control is left out, being slow by design. Quantiles, without an interval;"
        f" {samples_of(choice.cells, results)}.{choice.note}"
    )
    return Drawing(
        figure, caption, f"Cumulative distributions of the step time of {len(choice.cells)} cells, a curve per arm."
    )


FIGURE = FigureEntry("step_distribution", "Distribution of the step time", "trust", 20, draw)


def _curve(rows: list[Row], cell_id: str, arm: str) -> list[Row]:
    return sorted((row for row in rows if (row.cell_id, row.arm) == (cell_id, arm)), key=lambda row: row.quantile)


def _draw_panel(axes: Axes, by_arm: dict[str, list[Row]], styles: dict[str, ArmStyle]) -> None:
    for position, (arm, curve) in enumerate(by_arm.items()):
        style = styles[arm]
        every = max(1, round(len(curve) * MARKED_EVERY))
        axes.plot(
            [row.step_ms for row in curve],
            [row.quantile for row in curve],
            color=style.color,
            linestyle=style.line,
            linewidth=1.4,
            marker=style.marker,
            markersize=4.5,
            markevery=(position * every // len(by_arm), every),
        )
    axes.set_xlim(*view_of([row for curve in by_arm.values() for row in curve]))
    axes.set_ylim(0, 1)
    group_thousands(axes)
    axes.set_xlabel("step, wall (ms)")
    axes.set_ylabel("share of steps")
    _name_slowest(axes, by_arm)


def view_of(rows: list[Row]) -> tuple[float, float]:
    """Returns the step times between the first and the last percent, of the arms that spread most."""
    inner = [row.step_ms for row in rows if VIEW_QUANTILES[0] <= row.quantile <= VIEW_QUANTILES[1]] or [
        row.step_ms for row in rows
    ]
    low, high = min(inner), max(inner)
    pad = 0.03 * (high - low) or 0.01 * high or 1.0
    return low - pad, high + pad


def _name_slowest(axes: Axes, by_arm: dict[str, list[Row]]) -> None:
    arm, slowest = max(((arm, curve[-1].step_ms) for arm, curve in by_arm.items()), key=lambda pair: pair[1])
    if slowest > axes.get_xlim()[1]:
        axes.text(
            0.985,
            0.05,
            f"slowest step: {number(slowest)} ms ({shorten(arm, 20)}) →",
            transform=axes.transAxes,
            ha="right",
            fontsize=8,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )

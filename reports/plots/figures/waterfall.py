"""Closing waterfalls: bar upon bar up to a total, what stands apart beneath; numbers beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reports.plots.panels import NAME_WIDTH, group_thousands
from reports.plots.style import FIGURE_WIDTH_INCHES
from reports.plots.wording import shorten

LINE_INCHES, PANEL_INCHES = 0.3, 0.85


@dataclass(frozen=True)
class Look:
    """Says how a kind of bar is drawn, and what the legend calls it."""

    color: str
    hatch: str
    words: str
    is_rung: bool = False  # it begins where the bar above it ends
    stands_apart: bool = False  # beneath the total, behind a line


@dataclass(frozen=True)
class Bar:
    """Holds one line of the panel, in µs."""

    look: Look
    label: str
    left: float
    width: float
    low: float
    high: float
    text: str


def waterfall_figure(lines: list[int]) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """Makes a figure with one panel per count of lines; returns the axes (bars, the numbers beside them) of each."""
    heights = [PANEL_INCHES + LINE_INCHES * count for count in lines]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, sum(heights) + 0.6), layout="constrained")
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights, width_ratios=(3.2, 1))
    return figure, [
        (figure.add_subplot(grid[place, 0]), figure.add_subplot(grid[place, 1])) for place in range(len(heights))
    ]


def draw_waterfall(plot: Axes, beside: Axes, bars: list[Bar]) -> None:
    for line, bar in enumerate(bars):
        look = bar.look
        plot.barh(
            line, bar.width, left=bar.left, height=0.66, color=look.color, hatch=look.hatch, edgecolor="white", linewidth=0.4
        )
        if math.isfinite(bar.low) and math.isfinite(bar.high):
            plot.plot([bar.low, bar.high], [line, line], color="black", linewidth=1.3, marker="|", markersize=8)
    _join(plot, bars)
    plot.axvline(0, color="#444444", linewidth=0.8, zorder=0.8)
    first_apart = next((line for line, bar in enumerate(bars) if bar.look.stands_apart), None)
    if first_apart:
        plot.axhline(first_apart - 0.5, color="#999999", linewidth=0.8, linestyle=(0, (3, 3)))
    group_thousands(plot)
    plot.set_yticks(range(len(bars)), [shorten(bar.label, NAME_WIDTH + 8) for bar in bars])
    plot.set_ylim(len(bars) - 0.45, -0.55)
    plot.grid(False, axis="y")
    plot.tick_params(axis="y", length=0)
    beside.set_title("height", alpha=0)
    _write_numbers(beside, bars, plot.get_ylim())


def _join(axes: Axes, bars: list[Bar]) -> None:
    """A thin line from where a rung ends down to where the next begins."""
    for line, bar in enumerate(bars):
        if not bar.look.is_rung:
            continue
        end = bar.left + bar.width
        axes.plot([end, end], [line + 0.33, line + 0.67], color="#444444", linewidth=0.8)


def _write_numbers(axes: Axes, bars: list[Bar], lines: tuple[float, float]) -> None:
    axes.set_axis_off()
    axes.set_ylim(*lines)
    for line, bar in enumerate(bars):
        axes.text(0, line, bar.text, va="center", fontsize=8, in_layout=False)


def waterfall_legend(figure: Figure, looks: list[Look]) -> None:
    handles = [Patch(facecolor=look.color, hatch=look.hatch, edgecolor="white", label=look.words) for look in looks]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, columnspacing=1.4)

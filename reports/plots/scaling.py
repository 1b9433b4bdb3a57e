"""Scaling efficiency over the number of ranks: a panel per group of cells, a curve per arm."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing
from reports.plots.panels import MAX_ARMS_PER_PANEL, arm_legend, panel_grid, styles_of
from reports.plots.quantities import count_range
from reports.plots.results import Results
from reports.plots.rows import ScalingRow
from reports.plots.scaling_groups import FILE, Groups, beside_each_other, dress_sizes, first_groups, scaling_groups
from reports.plots.style import ArmStyle
from reports.plots.wording import launch_count, left_out

HIGHEST_PERCENT = 120  # of a panel, unless an estimate is higher
GOOD_PERCENT = 80  # a usual bound below which more ranks are called wasted


def draw(results: Results) -> Drawing:
    groups = scaling_groups(results)
    shown = first_groups(groups)
    figure, panels = panel_grid(len(shown), 2, 2.5)
    styles = styles_of(results)
    drawn: list[str] = []
    for axes, (title, rows) in zip(panels, shown.items(), strict=True):
        arms = [arm for arm in styles if any(row.arm == arm for row in rows)][:MAX_ARMS_PER_PANEL]
        for place, arm in enumerate(arms):
            of_arm = sorted((row for row in rows if row.arm == arm), key=lambda row: row.world_size)
            _draw_arm(axes, of_arm, beside_each_other(of_arm, place, len(arms)), styles[arm])
        dress_sizes(axes, title, rows)
        _dress(axes, rows)
        drawn += [arm for arm in arms if arm not in drawn]
    arm_legend(figure, drawn, styles)
    return Drawing(figure, _caption(shown, groups), _alt(shown))


def _draw_arm(axes: Axes, rows: list[ScalingRow], x: list[float], style: ArmStyle) -> None:
    bounded = [(place, row) for place, row in zip(x, rows, strict=True) if math.isfinite(row.efficiency_lo)]
    axes.vlines(
        [place for place, _ in bounded],
        [100 * row.efficiency_lo for _, row in bounded],
        [100 * row.efficiency_hi for _, row in bounded],
        color=style.color,
        linewidth=1.3,
    )
    axes.plot(
        x,
        [100 * row.efficiency for row in rows],
        color=style.color,
        linestyle=style.line,
        linewidth=1.2,
        marker=style.marker,
        markersize=5,
    )


def _dress(axes: Axes, rows: list[ScalingRow]) -> None:
    """An interval of few launches may reach far beyond what can be: it leaves the panel, and hides no estimate."""
    axes.axhline(100, color="#444444", linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axhline(GOOD_PERCENT, color="#888888", linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_ylim(0, max(HIGHEST_PERCENT, 110 * max(row.efficiency for row in rows)))
    axes.set_ylabel("efficiency (%)")


def _caption(shown: Groups, groups: Groups) -> str:
    rows = [row for of_group in shown.values() for row in of_group]
    return (
        "Images per second over those of the smallest number of ranks, in percent of what the ranks would give without loss"
        " (broken line; dotted: 80 %). 95 % intervals: both cells' as independent; over launches by t, within one launch by order"
        " statistics of block medians; one that leaves the panel goes on."
        f" n = {count_range([row.super_blocks for row in rows])} super-blocks in"
        f" {launch_count([row.launches for row in rows])} per cell."
    ) + left_out(len(shown), len(groups), "groups", FILE)


def _alt(shown: Groups) -> str:
    worst = [f"{title}: down to {100 * min(row.efficiency for row in rows):.0f} %" for title, rows in shown.items()]
    return f"Scaling efficiency over ranks, {len(shown)} groups of cells. {'; '.join(worst)}."

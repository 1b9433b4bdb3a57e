"""Scaling efficiency over the number of ranks: a panel per group of cells, a curve per arm."""

from __future__ import annotations

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry
from reports.plots.quantities import count_range
from reports.plots.scaling_groups import (
    FILE,
    Estimate,
    Groups,
    common_words,
    draw_groups,
    first_groups,
    scaling_groups,
    share_scale,
)
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import launch_count, left_out

HIGHEST_PERCENT = 120  # of a panel, unless an estimate is higher
GOOD_PERCENT = 80  # a usual bound below which more ranks are called wasted


def draw(results: Results) -> Drawing:
    groups = scaling_groups(results)
    shown = first_groups(groups)
    figure = draw_groups(results, shown, 2.5, _percent, _dress)
    share_scale(figure)
    return Drawing(figure, _caption(shown, groups), _alt(shown))


FIGURE = FigureEntry("scaling", "Scaling efficiency over ranks", "scale", 20, draw)


def _percent(row: Row) -> Estimate:
    return 100 * row.efficiency, 100 * row.efficiency_lo, 100 * row.efficiency_hi


def _dress(axes: Axes, rows: list[Row], _arms: list[str]) -> None:
    """An interval of few launches may reach far beyond what can be: it leaves the panel, and hides no estimate."""
    axes.axhline(100, color="#444444", linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axhline(GOOD_PERCENT, color="#888888", linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_ylim(0, max(HIGHEST_PERCENT, 110 * max(row.efficiency for row in rows)))
    axes.set_ylabel("efficiency (%)")


def _caption(shown: Groups, groups: Groups) -> str:
    rows = [row for of_group in shown.values() for row in of_group]
    return (
        "Samples per second over those of the smallest number of ranks, in percent of what the ranks would give without loss"
        " (broken line; dotted: 80 %). 95 % intervals over launches, by t of those of one repetition; one launch has none;"
        " one that leaves the panel goes on."
        f" n = {count_range([row.super_blocks for row in rows])} super-blocks in"
        f" {launch_count([row.launches for row in rows])} per cell."
    ) + common_words(groups) + left_out(len(shown), len(groups), "groups", FILE)


def _alt(shown: Groups) -> str:
    worst = [f"{title}: down to {100 * min(row.efficiency for row in rows):.0f} %" for title, rows in shown.items()]
    return f"Scaling efficiency over ranks, {len(shown)} groups of cells. {'; '.join(worst)}."

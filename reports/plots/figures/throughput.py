"""Samples per second over the number of ranks, both by ratios, beside what the smallest size would give without loss."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
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

MOST_TICKS = 10


def draw(results: Results) -> Drawing:
    measured = {
        title: [row for row in rows if math.isfinite(row.samples_per_s)] for title, rows in scaling_groups(results).items()
    }
    groups = {title: rows for title, rows in measured.items() if rows}
    if not groups:
        raise NothingToDrawError(f"{FILE} holds no samples per second")  # arms with batches of their own count none
    shown = first_groups(groups)
    figure = draw_groups(results, shown, 2.8, _samples_per_s, _dress)
    share_scale(figure)
    return Drawing(figure, _caption(shown, groups), _alt(shown))


FIGURE = FigureEntry("throughput", "Throughput over ranks", "scale", 10, draw)


def _samples_per_s(row: Row) -> Estimate:
    return row.samples_per_s, row.samples_per_s_lo, row.samples_per_s_hi


def _draw_ideal(axes: Axes, rows: list[Row]) -> None:
    """Through the smallest size that was measured."""
    first = min(rows, key=lambda row: row.world_size)
    sizes = sorted({row.world_size for row in rows})
    ideal = [first.samples_per_s * size / first.world_size for size in sizes]
    axes.plot(sizes, ideal, color="#444444", linewidth=0.8, linestyle=(0, (4, 3)))


def _dress(axes: Axes, rows: list[Row], arms: list[str]) -> None:
    _draw_ideal(axes, [row for row in rows if row.arm == arms[0]])
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5), numticks=MOST_TICKS))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylabel("samples per second (log)")


def _caption(shown: Groups, groups: Groups) -> str:
    rows = [row for of_group in shown.values() for row in of_group]
    return (
        "Samples per second at each number of ranks. Broken line: what the ranks would give without loss, from the smallest size"
        " of the first arm. 95 % intervals over launches, by t; one launch has none."
        f" n = {count_range([row.super_blocks for row in rows])} super-blocks in {launch_count([row.launches for row in rows])}"
        " per cell."
    ) + common_words(groups) + left_out(len(shown), len(groups), "groups", FILE)


def _alt(shown: Groups) -> str:
    most = [f"{title}: up to {max(row.samples_per_s for row in rows):,.4g}" for title, rows in shown.items()]
    return f"Samples per second over ranks, {len(shown)} groups of cells. {'; '.join(most)}."

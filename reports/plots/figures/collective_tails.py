"""How far single collectives reach beyond the usual: the 99th percentile and the longest of each size by each arm."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.collectives import Panels, draw_panels, rows_by_size, scale_axes, styles_of
from reports.plots.quantities import count_range
from reports.plots.style import ArmStyle
from reports.plots.tables.collectives import FILE, bytes_text
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

SHOWN_ROLES = ("reference", "backend", "library")
APART = 0.14  # of an octave, between two arms at one size


def draw(results: Results) -> Drawing:
    rows = [row for row in rows_by_size(results) if row.role in SHOWN_ROLES and math.isfinite(row.longest_us)]
    if not rows:
        raise NothingToDrawError(f"{FILE} holds no single repetitions (they are not told apart on a device)")
    return draw_panels(rows, styles_of(results), _draw_panel, _caption(rows), _alt)


FIGURE = FigureEntry("collective_tails", "How long the longest collectives take", "collectives", 30, draw)


def _draw_panel(axes: Axes, rows: list[Row], styles: dict[str, ArmStyle]) -> None:
    arms = list(dict.fromkeys(row.arm for row in rows))
    for place, arm in enumerate(arms):
        style = styles[arm]
        aside = 2 ** (APART * (place - (len(arms) - 1) / 2))
        of_arm = [row for row in rows if row.arm == arm]
        x = [row.bytes * aside for row in of_arm]
        axes.vlines(x, [row.time_us for row in of_arm], [row.longest_us for row in of_arm], color=style.color, linewidth=1.1)
        axes.plot(x, [row.time_us for row in of_arm], color=style.color, linestyle="", marker=style.marker, markersize=5)
        axes.plot(x, [row.p99_us for row in of_arm], color=style.color, linestyle="", marker="_", markersize=9)
    scale_axes(axes, rows)


def _caption(rows: list[Row]) -> str:
    return (
        "Single repetitions of one collective on their slowest rank. Mark: the estimate of its mean (its 95 % interval is in the"
        " table); dash: the 99th percentile (where there are 299 repetitions or more); end of the line: the longest of all. Arms"
        f" stand side by side at each size. n = {count_range([row.rounds * row.calls for row in rows])} repetitions."
        " Backends and the library's own calls alone."
    )


def _alt(shown: Panels) -> str:
    said = []
    for (collective, ranks), rows in shown.items():
        worst = max(rows, key=lambda row: row.longest_us / row.time_us)
        times = f"{worst.longest_us / worst.time_us:,.3g} times the mean, {worst.arm}, {bytes_text(worst.bytes)}"
        said.append(f"{collective} on {ranks}: the longest is {times}")
    return f"Tails of collectives over their size, {len(shown)} panels. {'; '.join(said)}."

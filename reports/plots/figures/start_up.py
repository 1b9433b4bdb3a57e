"""How long a launch takes from its start to its first step, over the number of ranks."""

from __future__ import annotations

import math

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import arm_legend, draw_curve, panel_grid
from reports.plots.quantities import count_range
from reports.plots.scaling_groups import MOST_SIZES, dress_sizes
from reports.plots.style import arm_styles
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import left_out

FILE = "tables/start_up.csv"
MAX_CURVES = 7

Curves = dict[str, list[Row]]  # by group, the smallest size first


def draw(results: Results) -> Drawing:
    curves: Curves = {}
    for row in results.start_up:
        if math.isfinite(row.seconds):
            curves.setdefault(row.group, []).append(row)
    curves = {group: rows for group, rows in curves.items() if len({row.world_size for row in rows}) > 1}
    if not curves:
        missing = FILE in results.missing
        raise NothingToDrawError(f"{FILE} is missing" if missing else f"no cells of {FILE} differ in the number of ranks alone")
    shown = dict(list(curves.items())[:MAX_CURVES])
    styles = arm_styles(list(shown))
    figure, (axes,) = panel_grid(1, 1, 3.2)
    for group, rows in shown.items():
        times = [(row.seconds, row.shortest_s, row.longest_s) for row in rows]
        draw_curve(axes, [row.world_size for row in rows], times, styles[group])
    dress_sizes(axes, [row for rows in shown.values() for row in rows], MOST_SIZES[1])
    axes.set_ylim(0, None)
    axes.set_ylabel("seconds to the first step")
    arm_legend(figure, list(shown), styles, columns=3)
    return Drawing(figure, _caption(shown) + left_out(len(shown), len(curves), "curves", FILE), _alt(shown))


FIGURE = FigureEntry("start_up", "Time to the first step over ranks", "scale", 60, draw)


def _grows(group: str, rows: list[Row]) -> str:
    return f"{group}: as the number of ranks to the power {rows[0].growth:.2f}"


def _caption(shown: Curves) -> str:
    launches = [row.launches for rows in shown.values() for row in rows]
    growths = "; ".join(_grows(group, rows) for group, rows in shown.items())
    return (
        "From the moment when the driver began to start a launch's ranks to the end of its first step: processes, libraries,"
        " rendezvous, model, first buckets. Median over ranks and launches; the bar is the interval from the shortest to the"
        f" longest. It grows ({growths}). n = {count_range(launches)} launches of each size."
    )


def _alt(shown: Curves) -> str:
    said = [
        f"{group}: {rows[0].seconds:.2f} s with {rows[0].world_size}, {rows[-1].seconds:.2f} s with {rows[-1].world_size} ranks"
        for group, rows in shown.items()
    ]
    return f"Seconds to the first step over the number of ranks. {'; '.join(said)}."

"""Every cell at once: the overhead in % of the step with its interval, cells from worst to best, a panel per arm."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import SymmetricalLogLocator

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import nothing_reason, panel_grid
from reports.plots.quantities import estimate
from reports.plots.style import BLACK, GREEN, GREY, VERMILLION
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import NOT_RESOLVED, Results
from reports.plots.wording import clock_title, interval_kind, left_out, pairs_and_launches, short_clock, shorten

MAX_ARMS = 6
FEWEST_CELLS = 2  # one stands in the figures before this
FILE = "overhead.csv"
NAME_WIDTH = 50
RASTERIZED_CELLS = 200  # more single marks than that make an SVG slow to open
WIDE_PERCENT, LINEAR_PERCENT = 30, 1  # an axis wider than the first is linear up to the second and logarithmic beyond


@dataclass(frozen=True)
class Look:
    color: str
    marker: str
    words: str


LOOKS = {
    "SLOWER": Look(VERMILLION, "^", "slower"),
    "FASTER": Look(GREEN, "v", "faster"),
    "EQUIVALENT": Look(BLACK, "o", "equal"),
    "": Look(GREY, "d", "open or not measurable"),
}


def draw(results: Results) -> Drawing:
    clock = next(iter(results.clocks()), "")
    arms = _arms(results, clock)
    if not arms:
        raise NothingToDrawError(nothing_reason(results, FILE))
    arms = {arm: rows for arm, rows in arms.items() if len(rows) >= FEWEST_CELLS}
    if not arms:
        raise NothingToDrawError("no arm was measured in several cells")
    shown = dict(list(arms.items())[:MAX_ARMS])
    figure, panels = panel_grid(len(shown), 2 if len(shown) > 1 else 1, 2.6)
    for axes, (arm, rows) in zip(panels, shown.items(), strict=True):
        _draw_panel(axes, rows)
        axes.set_title(shorten(arm, NAME_WIDTH))
        axes.set_ylabel(f"overhead, {short_clock(clock).removesuffix(' clock')} (%)")
    for axes in panels[-2:]:
        axes.set_xlabel("cells, worst first")
    _legend(figure)
    rows = [row for of_arm in shown.values() for row in of_arm]
    return Drawing(figure, _caption(results, clock, rows) + left_out(len(shown), len(arms), "arms", FILE), _alt(shown))


FIGURE = FigureEntry("overview", "All cells at once", "cost", 30, draw)


def _arms(results: Results, clock: str) -> dict[str, list[Row]]:
    """Arm -> its rows from worst to best; the arms in the order of the experiment."""
    found: dict[str, list[Row]] = {}
    known = {cell.cell_id for cell in results.cells}
    for row in results.overhead:
        judged = row.clock == clock and not results.facts_of(row.arm).is_control
        if judged and row.cell_id in known and math.isfinite(row.overhead_percent):
            found.setdefault(row.arm, []).append(row)
    order = [arm for arm in results.arms() if arm in found]
    return {arm: sorted(found[arm], key=lambda row: -row.overhead_percent) for arm in order}


def look_of(row: Row) -> str:
    return row.verdict if row.verdict in LOOKS and row.verdict not in NOT_RESOLVED else ""


def _draw_panel(axes: Axes, rows: list[Row]) -> None:
    many = len(rows) > RASTERIZED_CELLS
    for verdict, look in LOOKS.items():
        places = [(place, row) for place, row in enumerate(rows, start=1) if look_of(row) == verdict]
        bounded = [(place, row) for place, row in places if math.isfinite(row.overhead_percent_lo)]
        axes.vlines(
            [place for place, _ in bounded],
            [row.overhead_percent_lo for _, row in bounded],
            [row.overhead_percent_hi for _, row in bounded],
            color=look.color,
            linewidth=0.5 if many else 1.2,
            alpha=0.5 if many else 0.9,
            rasterized=many,
        )
        axes.plot(
            [place for place, _ in places],
            [row.overhead_percent for _, row in places],
            color=look.color,
            marker=look.marker,
            markersize=2.2 if many else 5,
            markerfacecolor="white" if not verdict else look.color,
            linestyle="",
            rasterized=many,
        )
    axes.axhline(0, color="#444444", linewidth=0.8)
    reach = max(abs(limit) for limit in axes.get_ylim())
    if reach > WIDE_PERCENT:
        axes.set_yscale("symlog", linthresh=LINEAR_PERCENT)
        axes.yaxis.set_major_locator(SymmetricalLogLocator(linthresh=LINEAR_PERCENT, base=10, subs=(1, 3)))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", "−"))
    axes.set_xlim(0, len(rows) + 1)
    axes.locator_params(axis="x", nbins=6, integer=True)


def _legend(figure: Figure) -> None:
    handles = [
        Line2D(
            [],
            [],
            color=look.color,
            marker=look.marker,
            markerfacecolor="white" if not verdict else look.color,
            markersize=5,
            linewidth=1.2,
            label=look.words,
        )
        for verdict, look in LOOKS.items()
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=len(handles))


def _caption(results: Results, clock: str, rows: list[Row]) -> str:
    confidence = float(results.summary.get("confidence_percent") or 95)
    return (
        f"Overhead of every cell in % of its reference step, {clock_title(clock)}; each panel sorts its cells by their estimate."
        f" A wide axis is linear up to {LINEAR_PERCENT} % and logarithmic beyond. Interval: {interval_kind(rows, confidence)};"
        f" {pairs_and_launches(rows)} per cell. The microseconds, and which cell is which, stand in the table."
    )


def _alt(shown: dict[str, list[Row]]) -> str:
    worst = [
        f"{arm}: {len(rows)} cells, worst {_percent(rows[0])}, best {_percent(rows[-1])}" for arm, rows in shown.items()
    ]
    return f"Overhead of all cells, sorted, a panel per arm. {'; '.join(worst)}."


def _percent(row: Row) -> str:
    return f"{estimate(row.overhead_percent, row.overhead_percent_lo, row.overhead_percent_hi)} %"

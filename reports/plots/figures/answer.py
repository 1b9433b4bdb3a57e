"""The picture beside the answer: each subject of each cell, its cost in % of the step that the user waits for."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.overview import LOOKS, look_of
from reports.plots.panels import nothing_reason
from reports.plots.quantities import estimate
from reports.plots.style import SKY
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results, badness
from reports.plots.wording import VERDICTS, clock_title, interval_kind, left_out, pairs_and_launches, shorten

FILE = "overhead.csv"
MAX_ROWS, NAME_WIDTH = 12, 28
WIDTH_INCHES, ROW_INCHES, FRAME_INCHES = 6.4, 0.5, 1.35
FONT_POINTS = 12
MAX_IN_LINE = 3  # of the legend


def draw(results: Results) -> Drawing:
    clock = next(iter(results.clocks()), "")
    rows = _subjects(results, clock)
    if not rows:
        raise NothingToDrawError(nothing_reason(results, FILE))
    shown = rows[:MAX_ROWS]
    figure = Figure(figsize=(WIDTH_INCHES, FRAME_INCHES + ROW_INCHES * len(shown)), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(shown):
        _draw_row(axes, place, row)
    axes.axvline(0, color="#444444", linewidth=1)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    names = [f"{shorten(results.label_of(row.cell_id), NAME_WIDTH)}\n{shorten(row.arm, NAME_WIDTH)}" for row in shown]
    axes.set_yticks(range(len(shown)), names, fontsize=FONT_POINTS)
    axes.tick_params(axis="x", labelsize=FONT_POINTS)
    axes.set_xlabel("cost in % of the step", fontsize=FONT_POINTS)
    axes.grid(visible=False, axis="y")
    _legend(figure, shown)
    confidence = float(results.summary.get("confidence_percent") or 95)
    caption = (
        f"Cost of each arm on the {clock_title(clock)}, in % of the step that the user waits for."
        f" Interval: {interval_kind(shown, confidence)}; {pairs_and_launches(shown)}."
        " Hatched: the same code twice (A/A)." + left_out(len(shown), len(rows), "arms of cells", FILE)
    )
    return Drawing(figure, caption, _alt(results, shown))


FIGURE = FigureEntry("answer", "The cost at a glance", "cost", 10, draw)


def _subjects(results: Results, clock: str) -> list[Row]:
    """In the order of the table beside it: in the order of the cells, or the worst first where not all are shown."""
    rows = [row for row in results.overhead if row.clock == clock]
    judged = [row for row in rows if results.facts_of(row.arm).is_subject and math.isfinite(row.overhead_percent)]
    return sorted(judged, key=badness) if len(judged) > MAX_ROWS else judged


def _percent(row: Row, us: float) -> float:
    """Of the step that the row's own percentage is of."""
    return us * row.overhead_percent / row.overhead_us if row.overhead_us else math.nan


def _draw_row(axes: Axes, place: int, row: Row) -> None:
    low, high = _percent(row, row.aa_us_lo), _percent(row, row.aa_us_hi)
    if math.isfinite(low) and math.isfinite(high):
        axes.fill_betweenx([place - 0.38, place + 0.38], low, high, facecolor="none", edgecolor=SKY, hatch="////", linewidth=0)
    look = LOOKS[look_of(row)]
    if math.isfinite(row.overhead_percent_lo):
        axes.plot([row.overhead_percent_lo, row.overhead_percent_hi], [place, place], color=look.color, linewidth=2.5)
    axes.plot(
        [row.overhead_percent],
        [place],
        color=look.color,
        marker=look.marker,
        markersize=9,
        markerfacecolor="white" if look_of(row) == "" else look.color,
        linestyle="",
    )


def _legend(figure: Figure, rows: list[Row]) -> None:
    found = dict.fromkeys(look_of(row) for row in rows)
    handles: list = [
        Line2D([], [], color=look.color, marker=look.marker, markersize=8, linewidth=2.5, label=look.words.lower())
        for verdict, look in LOOKS.items()
        if verdict in found
    ]
    handles.append(Patch(facecolor="none", edgecolor=SKY, hatch="////", linewidth=0, label="same code twice"))
    figure.legend(handles=handles, loc="outside upper left", ncols=min(len(handles), MAX_IN_LINE), fontsize=FONT_POINTS)


def _alt(results: Results, rows: list[Row]) -> str:
    costs = [
        f"{row.arm} on {results.label_of(row.cell_id)}:"
        f" {estimate(row.overhead_percent, row.overhead_percent_lo, row.overhead_percent_hi)} %,"
        f" {VERDICTS.get(row.verdict, row.verdict)}"
        for row in rows
    ]
    return f"Cost of each arm in % of the step: {'; '.join(costs)}."

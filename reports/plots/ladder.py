"""The ladder as a closing waterfall: rung upon rung up to the total, leave-one-out and interaction beneath; a panel per cell."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reports.plots.drawing import Drawing, NothingToDrawError
from reports.plots.panels import NAME_WIDTH, group_thousands, nothing_reason, title_panel
from reports.plots.quantities import estimate, number
from reports.plots.results import Results
from reports.plots.rows import LadderRow
from reports.plots.style import BLUE, FIGURE_WIDTH_INCHES, GREY, ORANGE, PURPLE, SKY
from reports.plots.wording import clock_title, interval_kind, left_out, pairs_and_launches, short_clock, shorten

MAX_LADDERS = 4
FILE = "tables/ladder.csv"
LINE_INCHES, PANEL_INCHES = 0.3, 0.85
REST = "remainder"


@dataclass(frozen=True)
class Look:
    color: str
    hatch: str
    words: str


LOOKS = {
    "cumulative": Look(BLUE, "", "rung: with this feature on top"),
    REST: Look(GREY, "xx", "remainder of the medians"),
    "total": Look(SKY, "", "total"),
    "leave_one_out": Look(ORANGE, "////", "without this feature alone (leave-one-out)"),
    "interaction": Look(PURPLE, "...", "interaction: total less all leave-one-out"),
}
SIDE_KINDS = ("leave_one_out", "interaction")


@dataclass(frozen=True)
class Bar:
    """One line of the panel, in µs."""

    kind: str
    label: str
    left: float
    width: float
    low: float
    high: float
    text: str


def draw(results: Results) -> Drawing:
    clock = next(iter(results.clocks()), "")
    ladders = _ladders(results, clock)
    shown = ladders[:MAX_LADDERS]
    figure, panels = _figure([len(bars_of(rows)) for rows in shown])
    labels = {cell.cell_id: cell for cell in results.cells}
    for (plot, beside), rows in zip(panels, shown, strict=True):
        bars = bars_of(rows)
        _draw_bars(plot, bars)
        title_panel(plot, labels[rows[0].cell_id], f": {rows[0].base}", width=90).set_in_layout(False)
        beside.set_title("height", alpha=0)
        _write_numbers(beside, bars, plot.get_ylim())
    panels[-1][0].set_xlabel(f"cost per step, {short_clock(clock)} (µs)")
    _legend(figure, {bar.kind for rows in shown for bar in bars_of(rows)})
    all_rows = [row for rows in shown for row in rows]
    note = left_out(len(shown), len(ladders), "ladders", FILE)
    return Drawing(figure, _caption(results, clock, all_rows) + note, _alt(shown, results))


def _ladders(results: Results, clock: str) -> list[list[LadderRow]]:
    """The rows of each cell and base arm, cells worst first."""
    found: dict[tuple[str, str], list[LadderRow]] = {}
    for row in results.ladder:
        if row.clock == clock and row.kind != "language" and math.isfinite(row.cost_us):
            found.setdefault((row.cell_id, row.base), []).append(row)
    place = {cell.cell_id: number_ for number_, cell in enumerate(results.cells)}
    ladders = [rows for (cell_id, _), rows in found.items() if cell_id in place]
    if not ladders:
        raise NothingToDrawError(nothing_reason(results, FILE))
    return sorted(ladders, key=lambda rows: place[rows[0].cell_id])


def bars_of(rows: list[LadderRow]) -> list[Bar]:
    """The rungs, each where the one before it ends; what they leave of the total; the total; the rest from 0."""
    bars, end = [], 0.0
    for row in rows:
        if row.kind == "cumulative":
            bars.append(_bar(row, f"+ {row.feature}", end))
            end += row.cost_us
        elif row.kind == "total":
            if math.isfinite(row.remainder_us) and row.remainder_us != 0:
                text = f"{number(row.remainder_us, signed=True)} µs"
                bars.append(Bar(REST, REST, end, row.remainder_us, math.nan, math.nan, text))
            bars.append(_bar(row, f"total: {row.arm}", 0.0))
        else:
            bars.append(_bar(row, row.kind if row.kind == "interaction" else f"− {row.feature}", 0.0))
    return bars


def _bar(row: LadderRow, label: str, left: float) -> Bar:
    text = f"{estimate(row.cost_us, row.cost_us_lo, row.cost_us_hi)} µs"
    return Bar(row.kind, label, left, row.cost_us, left + row.cost_us_lo, left + row.cost_us_hi, text)


def _figure(lines: list[int]) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """(bars, the numbers beside them) per ladder."""
    heights = [PANEL_INCHES + LINE_INCHES * count for count in lines]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, sum(heights) + 0.6), layout="constrained")
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights, width_ratios=(3.2, 1))
    return figure, [
        (figure.add_subplot(grid[place, 0]), figure.add_subplot(grid[place, 1])) for place in range(len(heights))
    ]


def _draw_bars(axes: Axes, bars: list[Bar]) -> None:
    for line, bar in enumerate(bars):
        look = LOOKS[bar.kind]
        axes.barh(
            line, bar.width, left=bar.left, height=0.66, color=look.color, hatch=look.hatch, edgecolor="white", linewidth=0.4
        )
        if math.isfinite(bar.low) and math.isfinite(bar.high):
            axes.plot([bar.low, bar.high], [line, line], color="black", linewidth=1.3, marker="|", markersize=8)
    _join(axes, bars)
    axes.axvline(0, color="#444444", linewidth=0.8, zorder=0.8)
    first_side = next((line for line, bar in enumerate(bars) if bar.kind in SIDE_KINDS), None)
    if first_side:
        axes.axhline(first_side - 0.5, color="#999999", linewidth=0.8, linestyle=(0, (3, 3)))
    group_thousands(axes)
    axes.set_yticks(range(len(bars)), [shorten(bar.label, NAME_WIDTH + 8) for bar in bars])
    axes.set_ylim(len(bars) - 0.45, -0.55)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)


def _join(axes: Axes, bars: list[Bar]) -> None:
    """A thin line from where a rung ends down to where the next begins."""
    steps = [(line, bar) for line, bar in enumerate(bars) if bar.kind in ("cumulative", REST)]
    for line, bar in steps:
        end = bar.left + bar.width
        axes.plot([end, end], [line + 0.33, line + 0.67], color="#444444", linewidth=0.8)


def _write_numbers(axes: Axes, bars: list[Bar], lines: tuple[float, float]) -> None:
    axes.set_axis_off()
    axes.set_ylim(*lines)
    for line, bar in enumerate(bars):
        axes.text(0, line, bar.text, va="center", fontsize=8, in_layout=False)


def _legend(figure: Figure, kinds: set[str]) -> None:
    handles = [
        Patch(facecolor=look.color, hatch=look.hatch, edgecolor="white", label=look.words)
        for kind, look in LOOKS.items()
        if kind in kinds
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, columnspacing=1.4)


def _caption(results: Results, clock: str, rows: list[LadderRow]) -> str:
    confidence = float(results.summary.get("confidence_percent") or 95)
    return (
        f"What the cost per step is made of, {clock_title(clock)}: every rung is an arm less the rung below it, paired"
        " within super-blocks, and begins where the one before it ends; rungs and remainder (a median of sums is not the"
        " sum of medians) close to the total. Beneath, from 0: the whole less the whole without one feature, and what"
        " these leave of the total."
        f" Black bars: {interval_kind(rows, confidence)}; {pairs_and_launches(rows)}."
    )


def _alt(shown: list[list[LadderRow]], results: Results) -> str:
    labels = {cell.cell_id: cell.label for cell in results.cells}
    rows = shown[0]
    parts = [f"{bar.label} {bar.text}" for bar in bars_of(rows)]
    return f"Waterfall of the cost per step, {len(shown)} ladders. {labels[rows[0].cell_id]}: {'; '.join(parts)}."

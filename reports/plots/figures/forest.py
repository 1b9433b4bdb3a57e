"""One panel of an overhead forest: an arm per line, its estimate and interval, over the margin and the A/A interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from reports.plots.panels import NAME_WIDTH, group_thousands
from reports.plots.style import SKY, ArmStyle
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import NOT_RESOLVED
from reports.plots.wording import shorten

MARGIN_COLOR = "#E4E4E4"
LONG_TICKS_US = 1000  # from here on the labels of more ticks would touch
BROKEN = (0, (2, 1.2))
MARKER_ROOM_POINTS = 7  # of an arrow beside an arm's name: it lies beyond the view


@dataclass(frozen=True)
class Margin:
    """Holds the ±m of the verdicts in one cell."""

    percent: float
    us: float

    @classmethod
    def of(cls, summary: dict, options: str = "") -> Margin:
        """Reads it from summary.json, or from the cell's `options` ("margin_us=5;stem=cifar") where it is an axis."""
        stated = dict(pair.split("=", 1) for pair in options.split(";") if "=" in pair)
        values = [stated.get(key) or summary.get(key) or 0 for key in ("margin_percent", "margin_us")]
        return cls(*map(float, values))

    def at(self, row: Row) -> float:
        """Returns ±m of a row on the axis, in µs."""
        if math.isfinite(row.margin_us):
            return row.margin_us
        of_step = self.percent / 100 * row.reference_step_us
        return max(of_step, self.us) if math.isfinite(of_step) else self.us


def draw_forest(
    axes: Axes,
    rows: list[Row],
    styles: dict[str, ArmStyle],
    margin: Margin,
    far_off: frozenset[str] = frozenset(),
) -> None:
    """Draws one panel. `rows` are of one family; the arms of `far_off` may leave the view."""
    _draw_bands(axes, rows[0], margin.at(rows[0]))
    left, right = _view([row for row in rows if row.arm not in far_off] or rows, margin)
    axes.set_xlim(left, right)
    for line, row in enumerate(rows):
        _draw_row(axes, row, line, styles[row.arm])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    group_thousands(axes)
    axes.locator_params(axis="x", nbins=4 if max(map(abs, axes.get_xlim())) >= LONG_TICKS_US else 7)
    axes.set_yticks(range(len(rows)), [shorten(row.arm, NAME_WIDTH) for row in rows])
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0, pad=MARKER_ROOM_POINTS)


def _draw_bands(axes: Axes, row: Row, margin_us: float) -> None:
    axes.axvspan(-margin_us, margin_us, color=MARGIN_COLOR, linewidth=0, zorder=0)
    if math.isfinite(row.aa_us_lo) and math.isfinite(row.aa_us_hi):
        axes.axvspan(row.aa_us_lo, row.aa_us_hi, facecolor="none", edgecolor=SKY, hatch="////", linewidth=0.8, zorder=0.5)
    axes.axvline(0, color="#444444", linewidth=0.8, zorder=0.8)


def _view(rows: list[Row], margin: Margin) -> tuple[float, float]:
    edges = [
        edge
        for row in rows
        for edge in (row.overhead_us_lo, row.overhead_us, row.overhead_us_hi, row.aa_us_lo, row.aa_us_hi)
    ]
    edges += [-margin.at(rows[0]), margin.at(rows[0])]
    finite = [edge for edge in edges if math.isfinite(edge)]
    pad = 0.06 * (max(finite) - min(finite) or 1.0)
    return min(finite) - pad, max(finite) + pad


def _draw_row(axes: Axes, row: Row, line: int, style: ArmStyle) -> None:
    if not math.isfinite(row.overhead_us):
        axes.annotate(
            "not measured", (0, line), ha="center", va="center", color="#555555", fontsize=8.5, style="italic"
        )
        return
    left, right = axes.get_xlim()
    open_ = row.verdict in NOT_RESOLVED
    if row.overhead_us_lo < right and row.overhead_us_hi > left:
        ends = [min(max(bound, left), right) for bound in (row.overhead_us_lo, row.overhead_us_hi)]
        axes.plot(
            ends,
            [line, line],
            color=style.color,
            linewidth=2.0,
            linestyle=BROKEN if open_ else "-",
            solid_capstyle="butt",
        )
        axes.plot(ends, [line, line], color=style.color, linestyle="", marker="|", markersize=9)
    axes.plot(
        [row.overhead_us],
        [line],
        color=style.color,
        marker=style.marker,
        markersize=6,
        linestyle="",
        markerfacecolor="white" if open_ else style.color,
        markeredgewidth=1.4,
    )
    _mark_beyond_view(axes, row, line, style)


def _mark_beyond_view(axes: Axes, row: Row, line: int, style: ArmStyle) -> None:
    left, right = axes.get_xlim()
    reached = [value for value in (row.overhead_us_lo, row.overhead_us, row.overhead_us_hi) if math.isfinite(value)]
    for edge, marker, beyond in ((right, ">", max(reached) > right), (left, "<", min(reached) < left)):
        if beyond:
            axes.plot(
                [edge], [line], color=style.color, marker=marker, markersize=8, linestyle="", clip_on=False, zorder=5
            )


def forest_legend(figure: Figure, margins: set[Margin]) -> None:
    grey = "#333333"
    each = [f"{margin.percent:g} % of the step, at least {margin.us:g} µs" for margin in margins]
    stated = each[0] if len(each) == 1 else "each cell's own"
    open_ = {"markerfacecolor": "white", "linestyle": BROKEN}
    figure.legend(
        handles=[
            Line2D([], [], color=grey, marker="o", linewidth=2, label="resolved: estimate, interval"),
            Line2D([], [], color=grey, marker="o", linewidth=2, label="open or not measurable", **open_),
            Line2D([], [], color=grey, marker=">", linestyle="", label="beyond the view"),
            Patch(facecolor=MARGIN_COLOR, label=f"margin ±m ({stated})"),
            Patch(facecolor="none", edgecolor=SKY, hatch="////", label="same code twice (A/A)"),
        ],
        loc="outside upper left",
        ncols=5,
        columnspacing=1.4,
    )

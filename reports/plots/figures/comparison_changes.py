"""What changed between two builds: every figure's change with its interval, share of its step, over its margin and A/A."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from reports.plots.drawing import Drawing, NothingToDrawError
from reports.plots.figures.forest import BROKEN, MARGIN_COLOR
from reports.plots.style import BLACK, FIGURE_WIDTH_INCHES, GREY, SKY, VERMILLION
from reports.plots.tables.comparison import OPEN, PASS, REGRESSION, figure_name, percent_of_step
from reports.plots.tables.csv_table import Row
from reports.plots.wording import shorten

MOST_ROWS = 40
LINE_INCHES, FRAME_INCHES = 0.3, 1.2
NAME_WIDTH = 44
STYLES = {REGRESSION: (VERMILLION, "^", "-"), OPEN: (BLACK, "o", BROKEN), PASS: (BLACK, "o", "-"), "": (GREY, "s", BROKEN)}
WORDS = {REGRESSION: "regression", OPEN: "open", PASS: "pass", "": "told, not judged"}


@dataclass(frozen=True)
class Limits:
    confidence: float  # of the intervals, percent
    threshold: float = 0  # percent of the step; 0: none was given
    base_again: bool = True  # base was measured a second time


def draw_changes(rows: list[Row], labels: dict[str, str], limits: Limits) -> Drawing:
    """`rows`: those of one clock, what has to be looked at first at the top. NothingToDrawError where none has a change."""
    measured = [row for row in rows if math.isfinite(row.change_percent)]
    if not measured:
        raise NothingToDrawError("no figure of the two was compared")
    shown = measured[:MOST_ROWS]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, FRAME_INCHES + LINE_INCHES * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    for line, row in enumerate(shown):
        _draw_row(axes, row, line)
    axes.axvline(0, color="#444444", linewidth=0.8, zorder=0.8)
    if limits.threshold > 0:
        axes.axvline(limits.threshold, color=VERMILLION, linewidth=0.9, linestyle=BROKEN, zorder=0.8)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    names = [f"{labels.get(row.cell_id, row.cell_id)}: {figure_name(row)}" for row in shown]
    axes.set_yticks(range(len(shown)), [shorten(name, NAME_WIDTH) for name in names])
    axes.grid(False, axis="y")
    axes.set_xlabel("new less base, % of the step that the user waits for")
    _add_legend(figure, {row.gate for row in shown})
    limit = f" Broken line: the threshold of {limits.threshold:g} %." if limits.threshold > 0 else ""
    aa = "base measured again less base" if limits.base_again else "the change of the A/A arm"
    left_out = f" Shown: {len(shown)} of {len(measured)} figures." if len(shown) < len(measured) else ""
    caption = (
        f"New less base with its {limits.confidence:g} % interval (t; costs: Welch). Grey: the margin, changes within"
        " count as none."
        f" Hatched: the A/A, {aa}.{limit}{left_out}"
    )
    alt = "; ".join(f"{name}: {_words_of(row)}" for name, row in zip(names, shown, strict=True))
    return Drawing(figure, caption, alt)


def _words_of(row: Row) -> str:
    bounds = f"[{row.change_percent_lo:+.2f}, {row.change_percent_hi:+.2f}]"
    return f"{row.change_percent:+.2f} % {bounds}, {WORDS.get(row.gate, row.gate)}"


def _draw_row(axes: Axes, row: Row, line: int) -> None:
    color, marker, style = STYLES.get(row.gate, STYLES[""])
    margin = percent_of_step(row, row.margin_us)
    if math.isfinite(margin):
        axes.add_patch(Rectangle((-margin, line - 0.4), 2 * margin, 0.8, color=MARGIN_COLOR, linewidth=0, zorder=0))
    aa = [percent_of_step(row, us) for us in (row.aa_lo_us, row.aa_hi_us)]
    if all(map(math.isfinite, aa)):
        axes.add_patch(
            Rectangle(
                (aa[0], line - 0.4), aa[1] - aa[0], 0.8, facecolor="none", edgecolor=SKY, hatch="////", linewidth=0.8, zorder=0.5
            )
        )
    ends = [row.change_percent_lo, row.change_percent_hi]
    if all(map(math.isfinite, ends)):
        axes.plot(ends, [line, line], color=color, linewidth=2.0, linestyle=style, solid_capstyle="butt")
        axes.plot(ends, [line, line], color=color, linestyle="", marker="|", markersize=9)
    filled = color if row.gate in (REGRESSION, PASS) else "white"
    axes.plot([row.change_percent], [line], color=color, marker=marker, markersize=6, linestyle="", markerfacecolor=filled)


def _add_legend(figure: Figure, gates: set[str]) -> None:
    handles = []
    for gate, (color, marker, style) in STYLES.items():
        if gate in gates:
            filled = color if gate in (REGRESSION, PASS) else "white"
            shape = {"color": color, "marker": marker, "linestyle": style, "markerfacecolor": filled}
            handles.append(Line2D([], [], linewidth=2, label=WORDS[gate], **shape))
    handles += [
        Patch(facecolor=MARGIN_COLOR, label="margin ±m"),
        Patch(facecolor="none", edgecolor=SKY, hatch="////", label="same code twice (A/A)"),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=len(handles), columnspacing=1.4)

"""What keeps a step from being shorter: a stacked bar per arm and trace, whose parts add up; a panel per cell."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import NAME_WIDTH, Choice, choose, group_thousands, title_panel
from reports.plots.quantities import number
from reports.plots.style import FIGURE_WIDTH_INCHES, PART_STYLES, UNKNOWN_PHASE
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import samples_of, shorten

MAX_CELLS, MAX_ARMS = 6, 8
FILE = "tables/step_parts.csv"
TRACED = "its trace"
LINE_INCHES, PANEL_INCHES = 0.34, 0.85
LABELLED_SHARE = 0.055  # of the longest bar: a part narrower than this has no room for its percentage
COMPUTE = "compute"
DEVICE = "beside a device the host's timers see no parts of a step: an arm with an ideal network (raw+ideal) shows one of them"


def draw(results: Results) -> Drawing:
    timed, traced = whole_steps(results.step_parts), results.traced_parts
    if results.step_parts and not timed and not traced:
        raise NothingToDrawError(DEVICE)
    choice = choose(results, [*timed, *traced], FILE, (MAX_CELLS, MAX_ARMS))
    panels = [bars_of(cell.cell_id, choice.arms[cell.cell_id], timed, traced) for cell in choice.cells]
    heights = [PANEL_INCHES + LINE_INCHES * len(bars) for bars in panels]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, sum(heights) + 0.5), layout="constrained")
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    for place, (cell, bars) in enumerate(zip(choice.cells, panels, strict=True)):
        axes = figure.add_subplot(grid[place])
        draw_bars(axes, bars)
        title_panel(axes, cell, width=96)
        axes.set_xlabel("mean step, wall (ms)" if place + 1 == len(heights) else "")
    _legend(figure, [*timed, *traced])
    return Drawing(figure, _caption(choice, results), _alt(choice, panels[0]))


FIGURE = FigureEntry("step_parts", "What keeps the step from being shorter", "where", 5, draw)


def whole_steps(rows: list[Row]) -> list[Row]:
    """Returns the parts of arms that have all of them."""
    whole = {(row.cell_id, row.arm) for row in rows if row.part == COMPUTE}
    return [row for row in rows if (row.cell_id, row.arm) in whole]


def bars_of(cell_id: str, arms: list[str], timed: list[Row], traced: list[Row]) -> list[tuple[str, list[Row]]]:
    """Returns the bars of a cell: a name and its parts. Behind an arm's own stands that of its trace."""
    bars = []
    for arm in arms:
        for suffix, rows in (("", timed), (f", {TRACED}", traced)):
            parts = [row for row in rows if (row.cell_id, row.arm) == (cell_id, arm) and math.isfinite(row.ms)]
            if parts:
                bars.append((shorten(arm, NAME_WIDTH) + suffix, parts))
    return bars


def draw_bars(axes: Axes, bars: list[tuple[str, list[Row]]]) -> None:
    longest_ms = max(sum(row.ms for row in parts) for _, parts in bars)
    for line, (_, parts) in enumerate(bars):
        _draw_parts(axes, line, parts, LABELLED_SHARE * longest_ms)
    group_thousands(axes)
    axes.set_yticks(range(len(bars)), [name for name, _ in bars])
    axes.set_ylim(len(bars) - 0.45, -0.55)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)


def _draw_parts(axes: Axes, line: int, rows: list[Row], labelled_ms: float) -> None:
    """One after the other; what is the bottleneck has a black edge."""
    left = 0.0
    for row in sorted(rows, key=lambda row: list(PART_STYLES).index(row.part) if row.part in PART_STYLES else len(PART_STYLES)):
        style = PART_STYLES.get(row.part, UNKNOWN_PHASE)
        axes.barh(line, row.ms, left=left, height=0.66, color=style.color, hatch=style.hatch, edgecolor="white", linewidth=0.4)
        if row.is_bottleneck:
            axes.barh(line, row.ms, left=left, height=0.66, fill=False, edgecolor="black", linewidth=1.4, zorder=3)
        if row.ms >= labelled_ms and math.isfinite(row.share):
            color = "white" if row.part == COMPUTE else "black"
            text = f"{row.share * 100:.0f} %"
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8} if style.hatch else None
            axes.text(left + row.ms / 2, line, text, ha="center", va="center", fontsize=7.5, color=color, bbox=box, zorder=4)
        left += row.ms


def _legend(figure: Figure, rows: list[Row]) -> None:
    there = {row.part for row in rows}
    handles = [
        Patch(facecolor=style.color, hatch=style.hatch, edgecolor="white", label=part)
        for part, style in PART_STYLES.items()
        if part in there
    ]
    handles.append(Patch(facecolor="white", edgecolor="black", linewidth=1.4, label="the bottleneck"))
    figure.legend(handles=handles, loc="outside upper left", ncols=6, columnspacing=1.2)


def _caption(choice: Choice, results: Results) -> str:
    traced = (
        " A trace is of a launch of its own, and recording takes time: its bar may be longer or shorter. There compute is what"
        " operations or kernels take, and host what lies between them, wherever in the step."
        if results.traced_parts
        else ""
    )
    return (
        "Mean wall time of one step, mean over the ranks; the parts of a bar add up to the step. Exposed communication: for how"
        " long ranks wait for collectives, less what they wait for a slower rank. Host: the loop's or framework's own work"
        f" between.{traced} The black edge: where time can be saved; several parts where they cannot be told apart. Without an"
        f" interval; the sentences and {FILE} have it; {samples_of(choice.cells, results)}.{choice.note}"
    )


def _alt(choice: Choice, bars: list[tuple[str, list[Row]]]) -> str:
    name, rows = bars[0]
    parts = ", ".join(f"{row.part} {number(row.ms)} ms" for row in rows)
    return f"Stacked bars of what a step goes into for {len(choice.cells)} cells. {choice.cells[0].label}, {name}: {parts}."

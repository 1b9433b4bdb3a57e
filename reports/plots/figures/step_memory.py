"""The memory of one step over time, its phases beneath: a panel per arm that was traced with its memory."""

from __future__ import annotations

import math
from itertools import groupby, pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from reports.plots.drawing import Drawing, FigureEntry
from reports.plots.panels import NAME_WIDTH, choose, panel_grid, title_panel
from reports.plots.quantities import number
from reports.plots.style import BLACK, GREY, PHASE_STYLES, UNKNOWN_PHASE
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import shorten

MAX_CELLS, MAX_ARMS = 4, 4
FILE = "tables/trace_memory.csv"
END = "end"  # the phase of the row that ends the step
CPU = "cpu"
BAND = 0.1  # the height of the phases, of the largest memory


def draw(results: Results) -> Drawing:
    choice = choose(results, results.trace_memory, FILE, (MAX_CELLS, MAX_ARMS))
    steps = [
        (cell, arm, step_of(results.trace_memory, cell.cell_id, arm))
        for cell in choice.cells
        for arm in choice.arms[cell.cell_id]
    ]
    figure, panels = panel_grid(len(steps), 2, 2.1)
    for axes, (cell, arm, points) in zip(panels, steps, strict=True):
        draw_step(axes, points)
        title_panel(axes, cell, f"\n{shorten(arm, NAME_WIDTH)}, {points[0].device} of rank {points[0].rank}", width=58)
    _legend(figure, [point for _, _, points in steps for point in points])
    return Drawing(figure, _caption(steps, choice.note), _alt(steps))


FIGURE = FigureEntry("step_memory", "Memory over one step", "where", 25, draw)


def step_of(rows: list[Row], cell_id: str, arm: str) -> list[Row]:
    """The points of the arm's first traced rank, of its device where it has one, in order of time."""
    of_arm = [row for row in rows if (row.cell_id, row.arm) == (cell_id, arm)]
    first = min(of_arm, key=lambda row: (row.launch_id, row.rank, row.device == CPU, row.device))
    key = (first.launch_id, first.rank, first.device)
    return [row for row in of_arm if (row.launch_id, row.rank, row.device) == key]


def draw_step(axes: Axes, points: list[Row]) -> None:
    ms = [point.us / 1000 for point in points]
    mib = [point.allocated_mib for point in points]
    axes.fill_between(ms, mib, step="post", color=GREY, alpha=0.3, linewidth=0)
    axes.plot(ms, mib, drawstyle="steps-post", color=BLACK, linewidth=1.1)
    reserved = [point.reserved_mib for point in points]
    if any(math.isfinite(value) for value in reserved):
        axes.plot(ms, reserved, drawstyle="steps-post", color=BLACK, linewidth=1.1, linestyle="--")
    largest = max([*mib, *(value for value in reserved if math.isfinite(value))]) or 1.0
    for phase, begin, end in phases_of(points):
        style = PHASE_STYLES.get(phase, UNKNOWN_PHASE)
        axes.barh(
            -0.8 * BAND * largest,
            end - begin,
            left=begin,
            height=BAND * largest,
            color=style.color,
            hatch=style.hatch,
            edgecolor="white",
            linewidth=0,
            label=phase,
        )
    axes.set_xlim(0, ms[-1])
    axes.set_ylim(-1.5 * BAND * largest, 1.1 * largest)
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= 1.1 * largest])
    axes.grid(False, axis="x")
    axes.set_xlabel("in the step (ms)")
    axes.set_ylabel("MiB")


def phases_of(points: list[Row]) -> list[tuple[str, float, float]]:
    """Each phase with its begin and end, ms; points of one phase that follow each other are one."""
    begins = [(phase, next(group).us / 1000) for phase, group in groupby(points, key=lambda point: point.phase)]
    return [(phase, begin, end) for (phase, begin), (_, end) in pairwise(begins)]


def _legend(figure: Figure, points: list[Row]) -> None:
    there = {point.phase for point in points}
    handles: list[Line2D | Patch] = [Line2D([], [], color=BLACK, label="tensors")]
    if any(math.isfinite(point.reserved_mib) for point in points):
        handles.append(Line2D([], [], color=BLACK, linestyle="--", label="reserved"))
    handles += [
        Patch(facecolor=style.color, hatch=style.hatch, edgecolor="white", label=phase)
        for phase, style in PHASE_STYLES.items()
        if phase in there
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=9, columnspacing=1.2)


def _caption(steps: list[tuple[Row, str, list[Row]]], note: str) -> str:
    reserved = any(math.isfinite(point.reserved_mib) for _, _, points in steps for point in points)
    return (
        "What tensors take of the device's memory (of the host's, on a CPU) over one step, and beneath it the step's phases."
        + (" Dashed: what the caching allocator holds." if reserved else "")
        + " The step of median length in the trace of the arm's first rank; recording makes it longer than it is. What"
        " the other arms of the trace hold is in it: they live in the same process. A single"
        f" step, without an interval; n = 1 step per arm. Other ranks' are in {FILE}.{note}"
    )


def _alt(steps: list[tuple[Row, str, list[Row]]]) -> str:
    cell, arm, points = steps[0]
    peak = max(points, key=lambda point: point.allocated_mib)
    return (
        f"Memory over one step for {len(steps)} arms, with the step's phases beneath. {cell.label}, {arm}: at most"
        f" {number(peak.allocated_mib)} MiB, in {peak.phase}."
    )

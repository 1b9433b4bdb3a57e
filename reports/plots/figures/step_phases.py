"""The step by phase: a stacked bar of phases per arm, whose parts add up to the mean step; a panel per cell."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from reports.plots.drawing import Drawing, FigureEntry
from reports.plots.panels import NAME_WIDTH, Choice, choose, group_thousands, title_panel
from reports.plots.style import FIGURE_WIDTH_INCHES, PHASE_STYLES, UNKNOWN_PHASE
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import samples_of, shorten

MAX_CELLS, MAX_ARMS = 6, 8
FILE = "tables/breakdown.csv"
LINE_INCHES, PANEL_INCHES = 0.34, 0.85
LABELLED_SHARE = 0.055  # of the longest bar: a part narrower than this has no room for its percentage
WAIT = "comm_wait"


def draw(results: Results) -> Drawing:
    choice = choose(results, results.breakdown, FILE, (MAX_CELLS, MAX_ARMS))
    heights = [PANEL_INCHES + LINE_INCHES * len(choice.arms[cell.cell_id]) for cell in choice.cells]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, sum(heights) + 0.5), layout="constrained")
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    for place, cell in enumerate(choice.cells):
        axes = figure.add_subplot(grid[place])
        draw_bars(axes, [row for row in results.breakdown if row.cell_id == cell.cell_id], choice.arms[cell.cell_id])
        title_panel(axes, cell, width=96)
        axes.set_xlabel("mean step, wall (ms)" if place + 1 == len(heights) else "")
    _legend(figure, results.breakdown)
    return Drawing(figure, _caption(choice, results), _alt(choice, results))


FIGURE = FigureEntry("step_phases", "The step by phase", "where", 20, draw)


def draw_bars(axes: Axes, rows: list[Row], arms: list[str]) -> None:
    parts = {arm: [row for row in rows if row.arm == arm and row.in_sum and math.isfinite(row.mean_s)] for arm in arms}
    longest_s = max(sum(row.mean_s for row in of_arm) for of_arm in parts.values())
    for line, arm in enumerate(arms):
        _draw_parts(axes, line, parts[arm], LABELLED_SHARE * longest_s)
        for left_s, wait_s in _waits(parts[arm], [row for row in rows if row.arm == arm]):
            _draw_wait(axes, line, left_s, wait_s)
    group_thousands(axes)
    axes.set_yticks(range(len(arms)), [shorten(arm, NAME_WIDTH) for arm in arms])
    axes.set_ylim(len(arms) - 0.45, -0.55)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", length=0)


def _draw_parts(axes: Axes, line: int, rows: list[Row], labelled_s: float) -> None:
    """The phases one after the other."""
    left = 0.0
    for row in rows:
        style = PHASE_STYLES.get(row.phase, UNKNOWN_PHASE)
        width = row.mean_s * 1000
        axes.barh(
            line - 0.1,
            width,
            left=left,
            height=0.56,
            color=style.color,
            hatch=style.hatch,
            edgecolor="white",
            linewidth=0.4,
            label=row.phase,
        )
        if row.mean_s >= labelled_s and math.isfinite(row.share):
            axes.text(
                left + width / 2,
                line - 0.1,
                f"{row.share * 100:.0f} %",
                ha="center",
                va="center",
                fontsize=7.5,
                color="white" if row.phase == "backward" else "black",
            )
        left += width


def _waits(parts: list[Row], of_arm: list[Row]) -> list[tuple[float, float]]:
    """Where each wait begins and how long it is, s: at its phase's end; where none is told by phase, one for the step, from 0."""
    if not any(math.isfinite(row.comm_wait_s) for row in parts):
        return [(0.0, row.mean_s) for row in of_arm if row.phase == WAIT and row.mean_s > 0]
    waits, end_s = [], 0.0
    for row in parts:
        end_s += row.mean_s
        wait_s = min(row.comm_wait_s, row.mean_s)
        if wait_s > 0:
            waits.append((end_s - wait_s, wait_s))
    return waits


def _draw_wait(axes: Axes, line: int, left_s: float, wait_s: float) -> None:
    """Beneath its phase."""
    axes.barh(
        line + 0.3,
        wait_s * 1000,
        left=left_s * 1000,
        height=0.18,
        facecolor="white",
        edgecolor="black",
        hatch="////",
        linewidth=0.7,
        label=WAIT,
    )


def _legend(figure: Figure, rows: list[Row]) -> None:
    phases = list(dict.fromkeys(row.phase for row in rows if row.in_sum))
    handles = []
    for phase in phases:
        style = PHASE_STYLES.get(phase, UNKNOWN_PHASE)
        handles.append(
            Patch(facecolor=style.color, hatch=style.hatch, edgecolor="white", label=shorten(phase, NAME_WIDTH))
        )
    handles.append(Patch(facecolor="white", hatch="////", edgecolor="black", label="of it waiting in collectives"))
    figure.legend(handles=handles, loc="outside upper left", ncols=8, columnspacing=1.2)


def _caption(choice: Choice, results: Results) -> str:
    by_phase = any(math.isfinite(row.comm_wait_s) for row in results.breakdown if row.in_sum)
    where = ", beneath the phase in which they do" if by_phase else " over the whole step"
    return (
        "Mean wall time of one step by phase; the parts of a bar add up to the mean step. Hatched, beneath it: for how"
        f" long ranks wait in collectives (comm_wait){where}. Means, without an interval;"
        f" {samples_of(choice.cells, results)}.{choice.note}"
    )


def _alt(choice: Choice, results: Results) -> str:
    cell = choice.cells[0]
    arm = choice.arms[cell.cell_id][0]
    parts = [
        f"{row.phase} {row.share * 100:.1f} %"
        for row in results.breakdown
        if (row.cell_id, row.arm) == (cell.cell_id, arm) and row.in_sum and math.isfinite(row.share)
    ]
    return (
        f"Stacked bars of the phases of a step for {len(choice.cells)} cells. {cell.label}, {arm}: {', '.join(parts)}."
    )

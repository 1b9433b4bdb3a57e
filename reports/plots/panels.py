"""Small multiples: one panel per cell, never more than can be read."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import ScalarFormatter

from reports.plots.drawing import NothingToDrawError
from reports.plots.style import FIGURE_WIDTH_INCHES, ArmStyle, arm_styles
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import left_out, shorten

MAX_ARMS_PER_PANEL = 6  # curves; more of them hide each other
TITLE_WIDTH = 68  # characters in half the width of a figure
NAME_WIDTH = 26


@dataclass(frozen=True)
class Choice:
    """Holds the cells and, for each, the arms that a figure shows."""

    cells: list[Row]
    arms: dict[str, list[str]]  # cell_id -> arms, in the order of the experiment
    note: str  # what was left out; empty where nothing was


def choose(results: Results, rows: list, file: str, limits: tuple[int, int]) -> Choice:
    """The worst cells and arms that have `rows` (with cell_id and arm). NothingToDrawError where there are none.

    `limits` are the most cells, and the most arms in each.
    """
    measured: dict[str, set[str]] = {}
    for row in rows:
        measured.setdefault(row.cell_id, set()).add(row.arm)
    cells = [cell for cell in results.cells if cell.cell_id in measured]
    if not cells:
        raise NothingToDrawError(nothing_reason(results, file))
    max_cells, max_arms = limits
    shown = results.worst_of(cells, max_cells)
    arms = {cell.cell_id: _choose_arms(results, cell.cell_id, measured[cell.cell_id], max_arms) for cell in shown}
    fewest, most = max(
        ((len(arms[c.cell_id]), len(measured[c.cell_id])) for c in shown), key=lambda pair: pair[1] - pair[0]
    )
    total = max(len(cells), results.cells_in.get(file, 0))
    note = left_out(len(shown), total, "cells", file) + left_out(fewest, most, "arms of a cell", file)
    return Choice(shown, arms, note)


def nothing_reason(results: Results, file: str) -> str:
    missing = [name for name in (file, "tables/cells.csv") if name in results.missing]
    return f"{' and '.join(missing)} is missing" if missing else f"{file} holds no row of a known cell"


def _choose_arms(results: Results, cell_id: str, measured: set[str], limit: int) -> list[str]:
    kept = [arm for arm in results.arms_worst_first(cell_id) if arm in measured][:limit]
    return [arm for arm in results.arms() if arm in kept]


def panel_grid(count: int, columns: int, panel_height_inches: float) -> tuple[Figure, list[Axes]]:
    """Returns axes row by row; does not make the unused ones of the last row."""
    columns = min(columns, count)
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, rows * panel_height_inches + 0.5), layout="constrained")
    return figure, [figure.add_subplot(rows, columns, place + 1) for place in range(count)]


def title_panel(axes: Axes, cell: Row, extra: str = "", width: int = TITLE_WIDTH) -> Text:
    """Writes a panel's title. `width` is the room of the cell's label, in characters; `extra` follows it."""
    return axes.set_title(shorten(cell.label, width) + extra)


class GroupedFormatter(ScalarFormatter):
    """Writes 20,000 instead of 20000 or 2e4."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)
        self.set_scientific(False)

    def __call__(self, value: float, position: int | None = None) -> str:
        whole, point, decimals = super().__call__(value, position).partition(".")
        return re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", whole) + point + decimals


def group_thousands(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(GroupedFormatter())


def arm_legend(
    figure: Figure, arms: list[str], styles: dict[str, ArmStyle], columns: int = 6, others: Sequence[Line2D] = ()
) -> None:
    """Draws the legend. `others` follow the arms."""
    handles = [
        Line2D(
            [],
            [],
            color=styles[arm].color,
            linestyle=styles[arm].line,
            marker=styles[arm].marker,
            markersize=5,
            label=shorten(arm, NAME_WIDTH),
        )
        for arm in arms
    ]
    figure.legend(handles=[*handles, *others], loc="outside upper left", ncols=columns)


Estimate = tuple[float, float, float]  # with its interval's ends


def draw_curve(axes: Axes, x: Sequence[float], estimates: Sequence[Estimate], style: ArmStyle) -> None:
    """Draws points, the line through them, and each one's interval where it has one."""
    bounded = [(place, low, high) for place, (_, low, high) in zip(x, estimates, strict=True) if math.isfinite(low)]
    axes.vlines(
        [place for place, _, _ in bounded],
        [low for _, low, _ in bounded],
        [high for _, _, high in bounded],
        color=style.color,
        linewidth=1.3,
    )
    y = [value for value, _, _ in estimates]
    axes.plot(x, y, color=style.color, linestyle=style.line, linewidth=1.2, marker=style.marker, markersize=5)


def legend_arms(choice: Choice, results: Results) -> list[str]:
    shown = {arm for arms in choice.arms.values() for arm in arms}
    return [arm for arm in results.arms() if arm in shown]


def styles_of(results: Results) -> dict[str, ArmStyle]:
    return arm_styles(results.arms())

"""The POP factors as a table of shaded numbers: a line per cell and arm, a column per factor."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from reports.plots.drawing import Drawing, FigureEntry
from reports.plots.panels import NAME_WIDTH, choose
from reports.plots.quantities import count_range
from reports.plots.style import FIGURE_WIDTH_INCHES, ORANGE
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import launch_count, shorten

MAX_CELLS, MAX_ARMS = 8, 3
FILE = "tables/efficiency.csv"
LINE_INCHES, HEAD_INCHES = 0.3, 0.95
FACTORS = (  # column of the table -> what stands above it
    ("load_balance", "load\nbalance"),
    ("communication_efficiency", "communi-\ncation"),
    ("parallel_efficiency", "parallel\n(product)"),
    ("serialisation_efficiency", "seriali-\nsation"),
    ("transfer_efficiency", "transfer"),
    ("contention", "conten-\ntion"),
    ("computation_scaling", "compu-\ntation"),
    ("global_efficiency", "global"),
)
SHADES = LinearSegmentedColormap.from_list("losses", [ORANGE, "#FFFFFF"])
WORST_SHADE = 0.2  # a factor this low has the full colour
LABEL_WIDTH = 44


def draw(results: Results) -> Drawing:
    rows = [row for row in results.efficiency if math.isfinite(row.parallel_efficiency)]
    choice = choose(results, rows, FILE, (MAX_CELLS, MAX_ARMS))
    labels = {cell.cell_id: cell.label for cell in choice.cells}
    shown = [row for cell in choice.cells for row in rows if _is_shown(row, cell.cell_id, choice.arms)]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, HEAD_INCHES + LINE_INCHES * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    factors = [(name, title) for name, title in FACTORS if any(math.isfinite(getattr(row, name)) for row in shown)]
    for line, row in enumerate(shown):
        _draw_line(axes, line, [getattr(row, name) for name, _ in factors])
    _label(axes, [_line_label(row, labels) for row in shown], [title for _, title in factors])
    return Drawing(figure, _caption(shown) + choice.note, _alt(shown, labels))


FIGURE = FigureEntry("efficiency", "Where the efficiency goes", "where", 30, draw)


def _is_shown(row: Row, cell_id: str, arms: dict[str, list[str]]) -> bool:
    return row.cell_id == cell_id and row.arm in arms[cell_id]


def _draw_line(axes: Axes, line: int, values: list[float]) -> None:
    for column, value in enumerate(values):
        if not math.isfinite(value):
            axes.text(column, line, "–", ha="center", va="center", color="#777777")
            continue
        shade = min(max((value - WORST_SHADE) / (1 - WORST_SHADE), 0.0), 1.0)
        axes.barh(line, 0.96, left=column - 0.48, height=0.9, color=SHADES(shade), linewidth=0)
        axes.text(column, line, f"{100 * value:.1f} %", ha="center", va="center", fontsize=8.5)


def _line_label(row: Row, labels: dict[str, str]) -> str:
    mode = f" ({row.mode})" if row.mode else ""
    return f"{shorten(labels[row.cell_id], LABEL_WIDTH)}: {shorten(row.arm, NAME_WIDTH)}{mode}"


def _label(axes: Axes, lines: list[str], columns: list[str]) -> None:
    axes.set_yticks(range(len(lines)), lines)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.xaxis.tick_top()
    axes.tick_params(axis="both", length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _caption(shown: list[Row]) -> str:
    return (
        "POP factors from the useful time of every rank (step less communication wait); 100 % is lost to nothing. Load"
        " balance × communication = parallel; with an ideal-network arm communication = serialisation × transfer ×"
        " contention (above 1: the same work took longer beside the real network); against the"
        " smallest world size global = parallel × computation. A dash was not measured. Darker is worse. Means over all timed"
        " steps, without an interval (the parallel factor's stands in the table);"
        f" n = {count_range([row.ranks for row in shown])} ranks in {launch_count([row.launches for row in shown])}."
    )


def _alt(shown: list[Row], labels: dict[str, str]) -> str:
    lines = [f"{_line_label(row, labels)} {100 * row.parallel_efficiency:.1f} %" for row in shown[:12]]
    return f"Table of efficiency factors, {len(shown)} lines. Parallel efficiency: {'; '.join(lines)}."

"""How much longer each rank works than the mean rank, and on which node it is: who lets the others wait."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import nothing_reason, panel_grid, title_panel
from reports.plots.quantities import count_range
from reports.plots.style import BLACK, VERMILLION
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import launch_count, left_out, shorten

MAX_CELLS = 6
FILE = "tables/skew.csv"
MOST_NODE_NAMES = 8  # beside each other under a panel
NODE_NAME_WIDTH = 14
BAND = "#F1F1F1"

Panel = tuple[Row, str, list[Row]]  # its arm, its ranks


def draw(results: Results) -> Drawing:
    panels = _panels(results)
    if not panels:
        raise NothingToDrawError(_why_none(results))
    shown = panels[:MAX_CELLS]
    figure, all_axes = panel_grid(len(shown), 2, 2.6)
    for axes, (cell, arm, rows) in zip(all_axes, shown, strict=True):
        _draw_panel(axes, rows)
        title_panel(axes, cell, f": {arm}")
    return Drawing(figure, _caption(shown) + left_out(len(shown), len(panels), "cells", FILE), _alt(shown))


FIGURE = FigureEntry("skew", "Which rank lets the others wait", "scale", 40, draw)


def _panels(results: Results) -> list[Panel]:
    """The cell with the widest spread of ranks first."""
    by_id = {cell.cell_id: cell for cell in results.cells}
    found: dict[tuple[str, str], list[Row]] = {}
    for row in results.skew:
        if row.cell_id in by_id and math.isfinite(row.ratio):
            found.setdefault((row.cell_id, row.arm), []).append(row)
    panels = [(by_id[cell_id], arm, sorted(rows, key=lambda row: row.rank)) for (cell_id, arm), rows in found.items()]
    return sorted(panels, key=lambda panel: -_spread(panel[2]))


def _spread(rows: list[Row]) -> float:
    ratios = [row.ratio for row in rows]
    return max(ratios) - min(ratios)


def _why_none(results: Results) -> str:
    if FILE in results.missing or results.skew:
        return nothing_reason(results, FILE)
    return "no launch has several ranks whose waits were measured (on a GPU they are not)"


def percent(ratio: float) -> float:
    return 100 * (ratio - 1)


def _draw_panel(axes: Axes, rows: list[Row]) -> None:
    _shade_nodes(axes, rows)
    slowest = max(rows, key=lambda row: row.ratio)
    for row in rows:
        color = VERMILLION if row is slowest else BLACK
        if math.isfinite(row.ratio_lo):
            axes.vlines(row.rank, percent(row.ratio_lo), percent(row.ratio_hi), color=color, linewidth=1.2)
        axes.plot(row.rank, percent(row.ratio), marker="^" if row is slowest else "o", markersize=5, color=color)
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.set_xlim(rows[0].rank - 0.5, rows[-1].rank + 0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("rank")
    axes.set_ylabel("work, against the mean rank (%)")


def _shade_nodes(axes: Axes, rows: list[Row]) -> None:
    """A band behind the ranks of every other node; the nodes' names above, where there is room for them."""
    nodes: dict[int, list[Row]] = {}
    for row in rows:
        nodes.setdefault(row.node_rank, []).append(row)
    top = axes.get_xaxis_transform()
    for place, of_node in enumerate(nodes.values()):
        first, last = of_node[0].rank - 0.5, of_node[-1].rank + 0.5
        if place % 2 == 1:
            axes.axvspan(first, last, color=BAND, zorder=0, linewidth=0)
        if 1 < len(nodes) <= MOST_NODE_NAMES:
            name = shorten(of_node[0].node, NODE_NAME_WIDTH)
            axes.text((first + last) / 2, 0.98, name, transform=top, ha="center", va="top", fontsize=7.5, color="#666666")


def _caption(shown: list[Panel]) -> str:
    rows = [row for _, _, of_panel in shown for row in of_panel]
    return (
        "What each rank does in a step beside waiting in collectives, against the mean of the ranks; mean of the blocks'"
        " logarithms with its 95 % interval (t), over launches where there are several. The slowest rank is marked; the others"
        " wait for it. Shaded bands tell the nodes apart; where launches took different nodes, the names of all stand there."
        f" n = {count_range([row.samples for row in rows])} blocks in {launch_count([row.launches for row in rows])}."
    )


def _alt(shown: list[Panel]) -> str:
    worst = []
    for cell, arm, rows in shown:
        slowest = max(rows, key=lambda row: row.ratio)
        worst.append(f"{cell.label}, {arm}: rank {slowest.rank} on {slowest.node} {percent(slowest.ratio):+.1f} %")
    return f"Work of each rank against the mean rank, {len(shown)} panels. The slowest: {'; '.join(worst)}."

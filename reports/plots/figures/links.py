"""Which link is slow: what two nodes take to exchange a message, node by node."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import panel_grid
from reports.plots.quantities import count_range, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import shorten

FILE = "tables/links.csv"
MOST_NAMES = 24  # beside the squares
MOST_FIGURES = 10  # nodes whose squares have room for a number
NAME_WIDTH = 14


def draw(results: Results) -> Drawing:
    if not results.links:
        why = f"{FILE} is missing" if FILE in results.missing else "no two nodes were checked before the sweep"
        raise NothingToDrawError(why)
    latest = max(row.started_utc for row in results.links)
    rows = [row for row in results.links if row.started_utc == latest]
    nodes = list(dict.fromkeys([row.node for row in rows] + [row.peer for row in rows]))
    figure, (latency, transfer) = panel_grid(2, 2, 4.2)
    _draw_matrix(latency, nodes, {(row.node, row.peer): row.latency_us for row in rows})
    latency.set_title("8 bytes there and back (µs)")
    _draw_matrix(transfer, nodes, {(row.node, row.peer): row.transfer_us / 1000 for row in rows})
    transfer.set_title("4 MiB there and back (ms)")
    checks = len({row.started_utc for row in results.links})
    return Drawing(figure, _caption(rows) + (f" Shown: the last of {checks} checks." if checks > 1 else ""), _alt(rows, nodes))


FIGURE = FigureEntry("links", "What two nodes take to exchange a message", "trust", 40, draw)


def _draw_matrix(axes: Axes, nodes: list[str], values: dict[tuple[str, str], float]) -> None:
    squares = [[values.get((node, peer), math.nan) for peer in nodes] for node in nodes]
    axes.imshow(squares, cmap="cividis_r", aspect="equal", vmin=0)
    names = [shorten(node, NAME_WIDTH) for node in nodes] if len(nodes) <= MOST_NAMES else []
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.grid(visible=False)
    if len(nodes) > MOST_FIGURES:
        return
    half = max(values.values()) / 2
    for (node, peer), value in values.items():
        ink = "white" if value > half else "black"
        place = (nodes.index(peer), nodes.index(node))
        axes.text(*place, number(value), ha="center", va="center", color=ink, fontsize=8)


def _caption(rows: list[Row]) -> str:
    return (
        "Every two nodes exchange messages before the sweep, each pair alone on its nodes at its time: the row's node with the"
        f" column's, as the row's measured it. Median over visits, no interval: n = {count_range([row.visits for row in rows])}"
        " visits. The darkest is the slowest."
    )


def _alt(rows: list[Row], nodes: list[str]) -> str:
    slowest = max(rows, key=lambda row: row.transfer_us)
    return (
        f"Exchanges of {len(nodes)} nodes in pairs. The slowest: 4 MiB between {slowest.node} and {slowest.peer} take"
        f" {number(slowest.transfer_us / 1000)} ms there and back."
    )

"""Cells that differ in the number of ranks alone, and the panels that show something of them over it: a curve per arm."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.plots.drawing import NothingToDrawError
from reports.plots.panels import (
    MAX_ARMS_PER_PANEL,
    Estimate,
    arm_legend,
    draw_curve,
    nothing_reason,
    panel_grid,
    styles_of,
)
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import shorten

MAX_GROUPS = 12
MAX_COLUMNS = 3
FILE = "scaling.csv"
TITLE_WIDTHS = {1: 144, 2: 72, 3: 44}  # characters, by the number of columns
MOST_SIZES = {1: 24, 2: 14, 3: 7}  # whose numbers do not touch
SCALING_WORDS = " One batch per rank at all sizes is weak scaling, one global batch strong."

Groups = dict[str, list[Row]]


def scaling_groups(results: Results) -> Groups:
    """Maps titles to rows, the group that scales worst first. Raises NothingToDrawError where there is none."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in results.scaling:
        if row.mode and math.isfinite(row.efficiency) and not results.facts_of(row.arm).is_delayed:
            found.setdefault((row.mode, row.reference_cell), []).append(row)
    if not found:
        missing = FILE in results.missing
        reason = nothing_reason(results, FILE) if missing else f"no cells of {FILE} differ in the number of ranks alone"
        raise NothingToDrawError(reason)
    worst_first = sorted(found.values(), key=lambda rows: min(row.efficiency for row in rows))
    telling = _telling([rows[0] for rows in worst_first])
    titles = [_title(rows[0], telling) for rows in worst_first]
    of_cell = [f"{title}, from {rows[0].reference_cell}" for title, rows in zip(titles, worst_first, strict=True)]
    unique = [title if titles.count(title) == 1 else own for title, own in zip(titles, of_cell, strict=True)]
    return dict(zip(unique, worst_first, strict=True))


def first_groups(groups: Groups) -> Groups:
    """Returns those that scale worst, as a grid: what differs in the batch alone stands side by side."""
    shown = list(groups.items())[:MAX_GROUPS]
    return dict(sorted(shown, key=lambda group: _place(group[1][0])))


def _place(row: Row) -> tuple[str, tuple[str, ...], int]:
    """Of its group in the grid: row by mode and settings, column by batch."""
    return row.mode, _settings(row), _batch(row)


def _settings(row: Row) -> tuple[str, ...]:
    return row.workload, row.strategy, row.backend, row.precision, row.options


def _batch(row: Row) -> int:
    return row.batch_size_per_rank * (row.world_size if row.mode == "strong" else 1)


def _telling(rows: list[Row]) -> list[bool]:
    """Of the settings: which are not the same in all. All of a single group are told."""
    if len(rows) == 1:
        return [True] * len(_settings(rows[0]))
    return [len(set(values)) > 1 for values in zip(*map(_settings, rows), strict=True)]


def _title(row: Row, telling: list[bool]) -> str:
    what = [value for value, tells in zip(_settings(row), telling, strict=True) if tells and value]
    return ", ".join([*what, _batch_words(row)])


def _batch_words(row: Row) -> str:
    return f"batch {_batch(row)} per rank" if row.mode == "weak" else f"global batch {_batch(row)}"


def common_words(groups: Groups) -> str:
    """Says how titles are meant, and what all groups have in common and no title says."""
    rows = [of_group[0] for of_group in groups.values()]
    telling = _telling(rows)
    common = [value for value, tells in zip(_settings(rows[0]), telling, strict=True) if not tells and value]
    return SCALING_WORDS + (f" All panels: {', '.join(common)}." if common else "")


def _columns(shown: Groups) -> int:
    """As many as the batches of one row, where all rows have as many; else two, or one of a single group."""
    batches = set(Counter(_place(rows[0])[:2] for rows in shown.values()).values())
    fits = len(batches) == 1 and 1 < max(batches) <= MAX_COLUMNS
    return batches.pop() if fits else min(2, len(shown))


def draw_groups(
    results: Results,
    shown: Groups,
    panel_height_inches: float,
    estimate_of: Callable[[Row], Estimate],
    finish: Callable[[Axes, list[Row], list[str]], None],
) -> Figure:
    """Draws a panel per group. `finish` dresses each with the group's rows and the arms that are drawn."""
    columns = _columns(shown)
    figure, panels = panel_grid(len(shown), columns, panel_height_inches)
    styles = styles_of(results)
    drawn: list[str] = []
    for axes, (title, rows) in zip(panels, shown.items(), strict=True):
        arms = [arm for arm in styles if any(row.arm == arm for row in rows)][:MAX_ARMS_PER_PANEL]
        for place, arm in enumerate(arms):
            of_arm = sorted((row for row in rows if row.arm == arm), key=lambda row: row.world_size)
            beside = 1 + 0.02 * (place - (len(arms) - 1) / 2)  # so that intervals do not hide each other
            x = [row.world_size * beside for row in of_arm]
            draw_curve(axes, x, [estimate_of(row) for row in of_arm], styles[arm])
        finish(axes, rows, arms)
        dress_sizes(axes, rows, MOST_SIZES[columns])
        axes.set_title(shorten(title, TITLE_WIDTHS[columns]), fontsize="medium" if columns > 2 else None)
        drawn += [arm for arm in arms if arm not in drawn]
    arm_legend(figure, drawn, styles)
    return figure


def share_scale(figure: Figure) -> None:
    """Scales all panels from the lowest to the highest of them, so that they can be compared."""
    limits = [axes.get_ylim() for axes in figure.axes]
    for axes in figure.axes:
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))


def dress_sizes(axes: Axes, rows: list[Row], most: int) -> None:
    """Ranks on a log2 axis, the largest and every n-th before it with its number; a grey line between one node and several."""
    sizes = sorted({row.world_size for row in rows}, reverse=True)
    every = math.ceil(len(sizes) / most)
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [f"{size:,}" if place % every == 0 else "" for place, size in enumerate(sizes)])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("ranks")
    boundary = node_boundary(rows)
    if boundary is None:
        return
    axes.axvline(boundary, color="#888888", linewidth=0.8, linestyle=(0, (1, 2)))
    top = axes.get_xaxis_transform()
    axes.text(boundary, 1, " several nodes", transform=top, va="top", ha="left", fontsize=7.5, color="#666666")


def node_boundary(rows: list[Row]) -> float | None:
    """Returns the place between the largest size on one node and the smallest on several; None where there is no such place."""
    on_one = [row.world_size for row in rows if row.nodes == 1]
    on_several = [row.world_size for row in rows if row.nodes > 1]
    if not on_one or not on_several or max(on_one) >= min(on_several):
        return None
    return math.sqrt(max(on_one) * min(on_several))

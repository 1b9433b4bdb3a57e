"""Scaling efficiency over the number of ranks: a panel per group of cells, a curve per arm."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, NothingToDrawError
from reports.plots.panels import MAX_ARMS_PER_PANEL, arm_legend, nothing_reason, panel_grid, styles_of
from reports.plots.quantities import count_range
from reports.plots.results import Results
from reports.plots.rows import ScalingRow
from reports.plots.style import ArmStyle
from reports.plots.wording import launch_count, left_out, shorten

MAX_GROUPS = 6
FILE = "scaling.csv"
TITLE_WIDTH = 72
GOOD_PERCENT = 80  # a usual bound below which more ranks are called wasted


def draw(results: Results) -> Drawing:
    groups = _groups(results)
    shown = dict(list(groups.items())[:MAX_GROUPS])
    figure, panels = panel_grid(len(shown), 2, 2.5)
    styles = styles_of(results)
    drawn: list[str] = []
    for axes, (title, rows) in zip(panels, shown.items(), strict=True):
        arms = [arm for arm in styles if any(row.arm == arm for row in rows)][:MAX_ARMS_PER_PANEL]
        for place, arm in enumerate(arms):
            _draw_arm(axes, [row for row in rows if row.arm == arm], styles[arm], 0.02 * (place - (len(arms) - 1) / 2))
        _dress(axes, title, sorted({row.world_size for row in rows}))
        drawn += [arm for arm in arms if arm not in drawn]
    arm_legend(figure, drawn, styles)
    return Drawing(figure, _caption(shown, groups), _alt(shown))


def _groups(results: Results) -> dict[str, list[ScalingRow]]:
    """Title -> its rows, the group that scales worst first."""
    found: dict[str, list[ScalingRow]] = {}
    with_options = len({row.options for row in results.scaling}) > 1
    for row in results.scaling:
        if row.mode and math.isfinite(row.efficiency) and not results.facts_of(row.arm).is_delayed:
            found.setdefault(_title(row, with_options), []).append(row)
    if not found:
        missing = FILE in results.missing
        reason = nothing_reason(results, FILE) if missing else f"no cells of {FILE} differ in the number of ranks alone"
        raise NothingToDrawError(reason)
    return dict(sorted(found.items(), key=lambda group: min(row.efficiency for row in group[1])))


def _title(row: ScalingRow, with_options: bool) -> str:
    batch = row.batch_size_per_rank * (row.world_size if row.mode == "strong" else 1)
    what = f"global batch {batch}" if row.mode == "strong" else f"batch {batch} per rank"
    options = f", {row.options}" if row.options and with_options else ""
    return f"{row.mode}, {what}: {row.workload}, {row.strategy}, {row.backend}, {row.precision}{options}"


def _draw_arm(axes: Axes, rows: list[ScalingRow], style: ArmStyle, offset: float) -> None:
    rows = sorted(rows, key=lambda row: row.world_size)
    x = [row.world_size * (1 + offset) for row in rows]  # beside each other, so that intervals do not hide
    bounded = [(place, row) for place, row in zip(x, rows, strict=True) if math.isfinite(row.efficiency_lo)]
    axes.vlines(
        [place for place, _ in bounded],
        [100 * row.efficiency_lo for _, row in bounded],
        [100 * row.efficiency_hi for _, row in bounded],
        color=style.color,
        linewidth=1.3,
    )
    axes.plot(
        x,
        [100 * row.efficiency for row in rows],
        color=style.color,
        linestyle=style.line,
        linewidth=1.2,
        marker=style.marker,
        markersize=5,
    )


def _dress(axes: Axes, title: str, sizes: list[int]) -> None:
    axes.set_title(shorten(title, TITLE_WIDTH))
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.set_xticks([], minor=True)
    axes.axhline(100, color="#444444", linewidth=0.8, linestyle=(0, (4, 3)))
    axes.axhline(GOOD_PERCENT, color="#888888", linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("ranks")
    axes.set_ylabel("efficiency (%)")


def _caption(shown: dict[str, list[ScalingRow]], groups: dict[str, list[ScalingRow]]) -> str:
    rows = [row for of_group in shown.values() for row in of_group]
    return (
        "Images per second over those of the smallest number of ranks, in percent of what the ranks would give without loss"
        " (broken line; dotted: 80 %). 95 % intervals: both cells' as independent; over launches by t, within one launch by order"
        f" statistics of block medians. n = {count_range([row.super_blocks for row in rows])} super-blocks in"
        f" {launch_count([row.launches for row in rows])} per cell."
    ) + left_out(len(shown), len(groups), "groups", FILE)


def _alt(shown: dict[str, list[ScalingRow]]) -> str:
    worst = [f"{title}: down to {100 * min(row.efficiency for row in rows):.0f} %" for title, rows in shown.items()]
    return f"Scaling efficiency over ranks, {len(shown)} groups of cells. {'; '.join(worst)}."

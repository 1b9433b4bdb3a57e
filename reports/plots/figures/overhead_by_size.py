"""What an arm costs per step at each number of ranks."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.quantities import count_range
from reports.plots.scaling_groups import FILE, Estimate, Groups, common_words, draw_groups, first_groups, scaling_groups
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import launch_count, left_out

Costs = dict[tuple[str, str], Row]  # by cell and arm


def draw(results: Results) -> Drawing:
    groups = scaling_groups(results)
    costs = _costs(results)
    with_costs = {title: kept for title, rows in groups.items() if (kept := [row for row in rows if _key(row) in costs])}
    if not with_costs:
        raise NothingToDrawError("overhead.csv holds no arm of cells that differ in the number of ranks alone")
    shown = first_groups(with_costs)
    figure = draw_groups(results, shown, 2.5, lambda row: _cost(costs[_key(row)]), _dress)
    return Drawing(figure, _caption(results, shown, with_costs, costs), _alt(shown, costs))


FIGURE = FigureEntry("overhead_by_size", "What the arms cost at each number of ranks", "scale", 30, draw)


def _cost(row: Row) -> Estimate:
    return row.overhead_us, row.overhead_us_lo, row.overhead_us_hi


def _dress(axes: Axes, _rows: list[Row], _arms: list[str]) -> None:
    axes.axhline(0, color="#444444", linewidth=0.8)
    axes.set_ylabel("cost per step (µs)")


def _key(row: Row) -> tuple[str, str]:
    return row.cell_id, row.arm


def _costs(results: Results) -> Costs:
    """On the primary clock; what controls and delays cost is known."""
    clock = next(iter(results.clocks()), "")
    judged = [row for row in results.overhead if row.clock == clock and not results.facts_of(row.arm).is_control]
    return {(row.cell_id, row.arm): row for row in judged if math.isfinite(row.overhead_us)}


def _caption(results: Results, shown: Groups, groups: Groups, costs: Costs) -> str:
    rows = [costs[_key(row)] for of_group in shown.values() for row in of_group]
    clock = next(iter(results.clocks()), "")
    return (
        f"What each arm adds to a step of its reference ({clock} clock) at each number of ranks, with the intervals of"
        f" overhead.csv. n = {count_range([row.pairs for row in rows])} pairs in"
        f" {launch_count([row.launches for row in rows])} per cell."
    ) + common_words(groups) + left_out(len(shown), len(groups), "groups", FILE)


def _alt(shown: Groups, costs: Costs) -> str:
    most = [f"{title}: up to {max(costs[_key(row)].overhead_us for row in rows):.4g} µs" for title, rows in shown.items()]
    return f"Cost per step of the arms over ranks, {len(shown)} groups of cells. {'; '.join(most)}."

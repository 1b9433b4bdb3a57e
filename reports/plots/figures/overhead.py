"""Overhead of every arm on the primary clock: cells × arms, in µs, with % and the verdict beside."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.forest import Margin, draw_forest, forest_legend
from reports.plots.panels import Choice, choose, nothing_reason, styles_of, title_panel
from reports.plots.quantities import estimate, number
from reports.plots.style import FIGURE_WIDTH_INCHES
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import clock_title, interval_kind, pairs_and_launches, short_clock, short_verdict, verdict_text

MAX_CELLS, MAX_ARMS = 6, 8
LINE_INCHES, PANEL_INCHES = 0.27, 0.78  # per arm; per panel without its arms


def draw(results: Results) -> Drawing:
    if not results.overhead:
        raise NothingToDrawError(nothing_reason(results, "overhead.csv"))
    clock = results.clocks()[0]
    choice, panels = forest_panels(results, [clock])
    figure, axes = _figure(panels)
    for (plot, beside), (cell, rows) in zip(axes, panels, strict=True):
        draw_panel(plot, results, cell, rows[clock])
        against = results.against(rows[clock][0].reference)
        step = f"{against}   (reference step {number(rows[clock][0].reference_step_us / 1000)} ms)"
        title_panel(plot, cell, step, width=80).set_in_layout(False)  # it runs on over the numbers' column …
        beside.set_title("height", alpha=0)  # … which holds its height
        _write_numbers(beside, rows[clock], plot.get_ylim())
    axes[-1][0].set_xlabel(f"overhead per step against the reference, {short_clock(clock)} (µs)")
    forest_legend(figure, {margin_of(results, cell) for cell in choice.cells})
    shown = [row for _, rows in panels for row in rows[clock]]
    return Drawing(figure, caption(results, clock_title(clock), shown) + choice.note, _alt(shown, clock, results))


FIGURE = FigureEntry("overhead", "Overhead of the arms", "cost", 20, draw)


def forest_panels(results: Results, clocks: list[str]) -> tuple[Choice, list[tuple]]:
    """Returns (cell, {clock: its rows, worst first}) for each cell that is shown and each reference of its arms."""
    rows = [row for row in results.overhead if row.clock in clocks]
    choice = choose(results, rows, "overhead.csv", (MAX_CELLS, MAX_ARMS))
    panels = []
    for cell in choice.cells:
        by_clock = {clock: _rows(results, cell.cell_id, clock, choice) for clock in clocks}
        for reference in dict.fromkeys(row.reference for of_clock in by_clock.values() for row in of_clock):
            family = {clock: [row for row in rows if row.reference == reference] for clock, rows in by_clock.items()}
            panels.append((cell, family))
    return choice, panels


def draw_panel(axes: Axes, results: Results, cell: Row, rows: list[Row]) -> None:
    far_off = frozenset(row.arm for row in rows if results.facts_of(row.arm).is_far_off_by_design)
    draw_forest(axes, rows, styles_of(results), margin_of(results, cell), far_off)


def _rows(results: Results, cell_id: str, clock: str, choice: Choice) -> list[Row]:
    by_arm = {row.arm: row for row in results.overhead_of(cell_id, clock)}
    return [by_arm[arm] for arm in results.arms_worst_first(cell_id) if arm in by_arm and arm in choice.arms[cell_id]]


def margin_of(results: Results, cell: Row) -> Margin:
    return Margin.of(results.summary, cell.options)


def _figure(panels: list[tuple]) -> tuple[Figure, list[tuple[Axes, Axes]]]:
    """(plot, the numbers beside it) per cell."""
    lines = [max(len(rows) for rows in by_clock.values()) for _, by_clock in panels]
    heights = [PANEL_INCHES + LINE_INCHES * count for count in lines]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, sum(heights) + 0.8), layout="constrained")
    grid = figure.add_gridspec(len(panels), 2, height_ratios=heights, width_ratios=(1, 1.5))
    return figure, [
        (figure.add_subplot(grid[place, 0]), figure.add_subplot(grid[place, 1])) for place in range(len(panels))
    ]


def _write_numbers(axes: Axes, rows: list[Row], lines: tuple[float, float]) -> None:
    axes.set_axis_off()
    axes.set_ylim(*lines)
    for line, row in enumerate(rows):
        us = estimate(row.overhead_us, row.overhead_us_lo, row.overhead_us_hi)
        percent = estimate(row.overhead_percent, row.overhead_percent_lo, row.overhead_percent_hi)
        for offset, text in ((0, f"{us} µs"), (0.36, f"{percent} %"), (0.7, short_verdict(row))):
            axes.text(offset, line, text, va="center", fontsize=7.6, in_layout=False)


def caption(results: Results, clocks: str, rows: list[Row]) -> str:
    confidence = float(results.summary.get("confidence_percent") or 95)
    return (
        f"Overhead per step of each arm against the reference, {clocks}: Hodges–Lehmann estimate of the paired"
        f" differences, in µs (and % of the reference step). Interval: {interval_kind(rows, confidence)};"
        f" {pairs_and_launches(rows)}."
        " An empty marker with a broken line is open: not decided. The same code twice (A/A): no"
        " smaller overhead can be seen. The injected control and an ideal network are far off by design and may lie beyond"
        " the view."
    )


def _alt(rows: list[Row], clock: str, results: Results) -> str:
    lines = [  # a dozen: this is read aloud
        f"{results.label_of(row.cell_id)}, {row.arm}:"
        f" {estimate(row.overhead_us, row.overhead_us_lo, row.overhead_us_hi)} µs, {verdict_text(row)}"
        for row in rows[:12]
    ]
    return f"Forest plot of the overhead, {short_clock(clock)}. {'; '.join(lines)}. The tables hold every number."

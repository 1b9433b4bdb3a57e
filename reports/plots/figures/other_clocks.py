"""The overhead on the clocks beside the primary one: a row of panels per cell, a column per clock."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.forest import forest_legend
from reports.plots.figures.overhead import LINE_INCHES, PANEL_INCHES, caption, draw_panel, forest_panels, margin_of
from reports.plots.panels import NAME_WIDTH, title_panel
from reports.plots.quantities import number
from reports.plots.style import FIGURE_WIDTH_INCHES, RC
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import clock_title, short_clock, shorten

MOST_COLUMNS = 2  # more cut the titles; the tables hold every clock
NO_VERDICT_CLOCK = "process_cpu"
LETTER_EM, EDGE_POINTS = 0.6, 40  # width of a letter or digit; what the edges of a panel take


def draw(results: Results) -> Drawing:
    others = sorted(results.clocks()[1:], key=lambda clock: clock == NO_VERDICT_CLOCK)
    clocks = others[:MOST_COLUMNS]
    if not clocks:
        raise NothingToDrawError("overhead.csv holds no second clock")
    choice, panels = forest_panels(results, clocks)
    figure, grid = _grid(panels, len(clocks))
    width = _label_width([row.arm for _, by_clock in panels for rows in by_clock.values() for row in rows], len(clocks))
    for row_of_axes, (cell, by_clock) in zip(grid, panels, strict=True):
        for axes, clock in zip(row_of_axes, clocks, strict=True):
            if by_clock[clock]:
                draw_panel(axes, results, cell, by_clock[clock])
            else:
                _say_not_measured(axes)
            step = number(by_clock[clock][0].reference_step_us / 1000) + " ms" if by_clock[clock] else "not measured"
            against = results.against(by_clock[clock][0].reference) if by_clock[clock] else ""
            title_panel(axes, cell, f"{against}\n{short_clock(clock)} (reference step {step})", width=width)
    for axes in grid[-1]:
        axes.set_xlabel("overhead per step (µs)")
    forest_legend(figure, {margin_of(results, cell) for cell in choice.cells})
    shown = [row for _, by_clock in panels for rows in by_clock.values() for row in rows]
    return Drawing(figure, caption(results, _clock_list(clocks), shown) + choice.note, _alt(clocks, shown))


FIGURE = FigureEntry("overhead_other_clocks", "The same overhead on the other clocks", "cost", 40, draw)


def _label_width(arms: list[str], columns: int) -> int:
    """Characters that a title has room for: the arms' names stand left of every panel."""
    column = FIGURE_WIDTH_INCHES * 72 / columns - EDGE_POINTS
    longest = max(len(shorten(arm, NAME_WIDTH)) for arm in arms)
    return int((column - longest * LETTER_EM * RC["ytick.labelsize"]) / (LETTER_EM * RC["axes.titlesize"]))


def _grid(panels: list[tuple], columns: int) -> tuple[Figure, list[list[Axes]]]:
    heights = [
        PANEL_INCHES + 0.2 + LINE_INCHES * max(len(rows) for rows in by_clock.values()) for _, by_clock in panels
    ]
    figure = Figure(figsize=(FIGURE_WIDTH_INCHES, sum(heights) + 0.8), layout="constrained")
    grid = figure.add_gridspec(len(panels), columns, height_ratios=heights)
    return figure, [[figure.add_subplot(grid[row, column]) for column in range(columns)] for row in range(len(panels))]


def _say_not_measured(axes: Axes) -> None:
    axes.text(0.5, 0.5, "not measured", ha="center", va="center", transform=axes.transAxes, style="italic")
    axes.set_axis_off()


def _clock_list(clocks: list[str]) -> str:
    return "; ".join(clock_title(clock) for clock in clocks)


def _alt(clocks: list[str], rows: list[Row]) -> str:
    return (
        f"Forest plots of the overhead on {_clock_list(clocks)}, {len(rows)} estimates; the tables hold every number."
    )

"""What the collectives can do: the time of each size by each arm, a panel per collective and number of ranks."""

from __future__ import annotations

import math
from collections.abc import Callable

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import arm_legend, draw_curve, panel_grid
from reports.plots.quantities import count_range, plural
from reports.plots.style import ArmStyle, arm_styles
from reports.plots.tables.collectives import FILE, bytes_text, ranks_text
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import left_out

MAX_PANELS = 8
MOST_TICKS = 8

Panels = dict[tuple[str, str], list[Row]]  # collective, ranks


def draw(results: Results) -> Drawing:
    rows = rows_by_size(results)
    if not rows:
        raise NothingToDrawError(_why_nothing(results))
    return draw_panels(rows, styles_of(results), _draw_panel, _caption(rows), _alt)


FIGURE = FigureEntry("collectives", "What the collectives take", "collectives", 20, draw)


def rows_by_size(results: Results) -> list[Row]:
    return [row for row in results.collectives if not row.bucket_cap and row.bytes > 0 and math.isfinite(row.time_us)]


def styles_of(results: Results) -> dict[str, ArmStyle]:
    """Returns the arms' styles, the same in every figure of collectives."""
    return arm_styles(list(dict.fromkeys(row.arm for row in rows_by_size(results))))


def draw_panels(
    rows: list[Row],
    styles: dict[str, ArmStyle],
    draw_panel: Callable[[Axes, list[Row], dict[str, ArmStyle]], None],
    caption: str,
    alt: Callable[[Panels], str],
) -> Drawing:
    """Draws a panel for each collective and number of ranks, as many as can be read."""
    panels: Panels = {}
    for row in rows:
        panels.setdefault((row.collective, ranks_text(row)), []).append(row)
    shown = dict(list(panels.items())[:MAX_PANELS])
    figure, all_axes = panel_grid(len(shown), 2, 2.9)
    for axes, ((collective, ranks), of_panel) in zip(all_axes, shown.items(), strict=True):
        draw_panel(axes, of_panel, styles)
        axes.set_title(f"{collective}, nodes × ranks: {ranks}")
    drawn = {row.arm for row in rows}
    arm_legend(figure, [arm for arm in styles if arm in drawn], styles)
    return Drawing(figure, caption + left_out(len(shown), len(panels), "panels", FILE), alt(shown))


def _why_nothing(results: Results) -> str:
    return f"{FILE} is missing" if FILE in results.missing else f"{FILE} holds no collective of a size (ddpbench collectives)"


def _draw_panel(axes: Axes, rows: list[Row], styles: dict[str, ArmStyle]) -> None:
    for arm in dict.fromkeys(row.arm for row in rows):
        of_arm = sorted((row for row in rows if row.arm == arm), key=lambda row: row.bytes)
        times = [(row.time_us, row.time_us_lo, row.time_us_hi) for row in of_arm]
        draw_curve(axes, [row.bytes for row in of_arm], times, styles[arm])
    scale_axes(axes, rows)


def scale_axes(axes: Axes, rows: list[Row]) -> None:
    """Scales sizes and times, both by factors."""
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    sizes = sorted({row.bytes for row in rows})
    every = max(1, math.ceil(len(sizes) / MOST_TICKS))
    axes.xaxis.set_major_locator(FixedLocator(sizes[::every]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: bytes_text(round(size))))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_locator(LogLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda us, _: f"{us:,.10g}"))
    axes.set_xlabel("size")
    axes.set_ylabel("time (µs)")


def _caption(rows: list[Row]) -> str:
    return (
        "Time of one collective, mean over ranks, by nccl-tests' size (the larger buffer), all arms on the same buffers in the"
        " same rounds; 95 % intervals, most of them smaller than the marks. mpi and gloo: as training calls them; mpi_nonblocking"
        " and mpi_blocking: the library's own calls; _again: the reference once more; copy: as many bytes copied in memory."
        f" n = {count_range([row.rounds for row in rows])} blocks of each size in"
        f" {plural(max(row.launches for row in rows), 'launch', 'es')}."
    )


def _alt(shown: Panels) -> str:
    said = []
    for (collective, ranks), rows in shown.items():
        largest = max(row.bytes for row in rows)
        at_largest = [row for row in rows if row.bytes == largest and row.role == "backend"]
        times = ", ".join(f"{row.arm} {row.time_us / 1000:,.3g} ms" for row in at_largest)
        said.append(f"{collective} on {ranks}: {times or 'no backend'} for {bytes_text(largest)}")
    return f"Time of collectives over their size, {len(shown)} panels. {'; '.join(said)}."

"""The overhead against the reference's step time: the cells of a group, the fitted line and its band, a panel per group."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.panels import arm_legend, group_thousands, nothing_reason, panel_grid, styles_of
from reports.plots.quantities import count_range, estimate
from reports.plots.style import ArmStyle
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import clock_title, left_out, short_clock, short_groups, shorten

MAX_GROUPS, MAX_ARMS = 6, 3  # more bands in a panel hide each other
LAW_FILE, CURVE_FILE = "tables/step_time_law.csv", "tables/step_time_curve.csv"
RAYS = ((0.01, "1 % of the step", (0, (6, 3))), (0.05, "5 % of the step", (0, (1, 2))))
RAY_COLOR = "#777777"
TITLE_WIDTH, ARM_WIDTH, TITLE_SIZE = 76, 20, 8.2  # a law has to fit half the width
APART_POINTS = 6


def draw(results: Results) -> Drawing:
    clock = next(iter(results.clocks()), "")
    groups = _groups(results, clock)
    shown = dict(list(groups.items())[:MAX_GROUPS])
    figure, panels = panel_grid(len(shown), 2, 3.3)
    names = short_groups(law.group for law in results.step_time_law)
    styles = styles_of(results)
    for axes, (group, laws) in zip(panels, shown.items(), strict=True):
        _draw_panel(axes, results, laws[:MAX_ARMS], styles)
        axes.set_title("\n".join([shorten(names[group], TITLE_WIDTH), *map(_law_text, laws[:MAX_ARMS])]), fontsize=TITLE_SIZE)
        axes.set_xlabel(f"reference step, {short_clock(clock)} (ms)")
        axes.set_ylabel("overhead per step (µs)")
    arms = [arm for arm in styles if any(law.arm == arm for laws in shown.values() for law in laws[:MAX_ARMS])]
    rays = [Line2D([], [], color=RAY_COLOR, linestyle=dashes, linewidth=0.9, label=name) for _, name, dashes in RAYS]
    arm_legend(figure, arms, styles, others=rays)
    return Drawing(figure, _caption(results, groups, shown, clock), _alt(shown))


FIGURE = FigureEntry("step_time_law", "The overhead against the step time", "scale", 50, draw)


def _groups(results: Results, clock: str) -> dict[str, list[Row]]:
    """Group -> its laws, dearest first; groups too."""
    found: dict[str, list[Row]] = {}
    of_clock = [law for law in results.step_time_law if law.clock == clock and not law.reason]
    laws = [law for law in of_clock if not results.facts_of(law.arm).is_control]
    for law in sorted(laws, key=lambda law: -law.c_us_lo):
        found.setdefault(law.group, []).append(law)
    if not found:
        raise NothingToDrawError(_why_nothing(results))
    return found


def _why_nothing(results: Results) -> str:
    reasons = [law.reason for law in results.step_time_law if law.reason]
    if LAW_FILE in results.missing or not reasons:
        return nothing_reason(results, LAW_FILE).replace("row of a known cell", "law of the step time")
    return f"{reasons[0]} ({LAW_FILE})"


def _law_text(law: Row) -> str:
    slope = estimate(law.s * 1000, law.s_lo * 1000, law.s_hi * 1000)
    return f"{shorten(law.arm, ARM_WIDTH)}: c = {estimate(law.c_us, law.c_us_lo, law.c_us_hi)} µs, s = {slope} µs/ms"


def _draw_panel(axes: Axes, results: Results, laws: list[Row], styles: dict[str, ArmStyle]) -> None:
    for place, law in enumerate(laws):
        rows = [row for row in results.step_time_curve if (row.group, row.arm, row.clock) == (law.group, law.arm, law.clock)]
        _draw_law(axes, rows, styles[law.arm], APART_POINTS * (place - (len(laws) - 1) / 2))
    group_thousands(axes)
    axes.set_xlim(0, None)
    view = axes.get_ylim()
    right = axes.get_xlim()[1]
    for share, _, dashes in RAYS:
        axes.plot([0, right], [0, share * right * 1000], color=RAY_COLOR, linewidth=0.9, linestyle=dashes, zorder=1)
    axes.axhline(0, color="#444444", linewidth=0.8, zorder=0.8)
    axes.set_xlim(0, right)
    axes.set_ylim(min(0, view[0]), view[1])


def _draw_law(axes: Axes, rows: list[Row], style: ArmStyle, aside_points: float) -> None:
    """`aside_points`: the cells' bars stand at the same steps for all arms and would hide each other."""
    aside = axes.transData + ScaledTranslation(aside_points / 72, 0, axes.get_figure().dpi_scale_trans)
    line = [row for row in rows if row.kind == "line"]
    points = [row for row in rows if row.kind == "point" and math.isfinite(row.overhead_us)]
    x = [row.step_us / 1000 for row in line]
    axes.fill_between(
        x,
        [row.overhead_us_lo for row in line],
        [row.overhead_us_hi for row in line],
        color=style.color,
        alpha=0.18,
        linewidth=0,
    )
    axes.plot(x, [row.overhead_us for row in line], color=style.color, linestyle=style.line, linewidth=1.4)
    # What is moved aside is not seen by it.
    axes.update_datalim([(row.step_us / 1000, us) for row in points for us in _reach(row)])
    axes.autoscale_view()
    axes.vlines(
        [row.step_us / 1000 for row in points],
        [row.overhead_us_lo for row in points],
        [row.overhead_us_hi for row in points],
        color=style.color,
        linewidth=1.4,
        transform=aside,
    )
    axes.plot(
        [row.step_us / 1000 for row in points],
        [row.overhead_us for row in points],
        color=style.color,
        marker=style.marker,
        markersize=5.5,
        linestyle="",
        transform=aside,
    )


def _reach(row: Row) -> list[float]:
    return [us for us in (row.overhead_us_lo, row.overhead_us, row.overhead_us_hi) if math.isfinite(us)]


def _caption(results: Results, groups: dict, shown: dict, clock: str) -> str:
    confidence = float(results.summary.get("confidence_percent") or 95)
    lengths = [law.step_lengths for laws in shown.values() for law in laws[:MAX_ARMS]]
    fewest, most = max(
        ((min(len(laws), MAX_ARMS), len(laws)) for laws in shown.values()), key=lambda pair: pair[1] - pair[0]
    )
    return (
        f"Overhead per step against the reference's step time, {clock_title(clock)}, and the weighted least-squares line"
        " Δ = c + s · T with its band; bars are the cells' own intervals, those of several arms side by side. Where a"
        f" line crosses a grey ray, the arm costs that share of the step. {confidence:g} % intervals (t, n − 2 degrees of"
        f" freedom); n = {count_range(lengths)} step lengths per line."
        + left_out(len(shown), len(groups), "groups", LAW_FILE)
        + left_out(fewest, most, "arms of a group", LAW_FILE)
    )


def _alt(shown: dict[str, list[Row]]) -> str:
    laws = [f"{shorten(group, TITLE_WIDTH)}: {_law_text(laws[0])}" for group, laws in shown.items()]
    return f"Overhead against step time with fitted lines, {len(shown)} groups of cells. {'; '.join(laws)}."

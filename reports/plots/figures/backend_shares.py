"""What each backend's communication costs a step, and whose that is: a closing waterfall per backend."""

from __future__ import annotations

import math

from matplotlib.axes import Axes

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.waterfall import Bar, Look, draw_waterfall, waterfall_figure, waterfall_legend
from reports.plots.quantities import count_range, estimate, number, plural
from reports.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY
from reports.plots.tables.collectives import bytes_text, ranks_text
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import left_out

FILE = "tables/backend_shares.csv"
MAX_PANELS = 6
FLOOR = Look(GREY, "", "floor: the same buckets alone, fastest way", is_rung=True)
BACKEND = Look(BLUE, "", "the backend's own", is_rung=True)
DDP = Look(GREEN, "", "DDP's work", is_rung=True)
SKEW = Look(PURPLE, "...", "waiting for the slowest rank", is_rung=True)
OVERLAP = Look(ORANGE, "////", "overlap: hidden (to the left) or in each other's way", is_rung=True)
REST = Look(GREY, "xx", "remainder of the medians", is_rung=True)
TOTAL = Look(SKY, "", "beyond computing alone")
LOOKS = (FLOOR, BACKEND, DDP, SKEW, OVERLAP, REST, TOTAL)


def draw(results: Results) -> Drawing:
    panels = _panels(results)
    shown = panels[:MAX_PANELS]
    figure, all_axes = waterfall_figure([len(bars_of(row)) for row in shown])
    for (plot, beside), row in zip(all_axes, shown, strict=True):
        draw_waterfall(plot, beside, bars_of(row))
        plot.set_title(_title(row), loc="left").set_in_layout(False)
    _share_scale([plot for plot, _ in all_axes])
    all_axes[-1][0].set_xlabel("per step (µs)")
    drawn = {bar.look for row in shown for bar in bars_of(row)}
    waterfall_legend(figure, [look for look in LOOKS if look in drawn])
    note = left_out(len(shown), len(panels), "panels", FILE)
    return Drawing(figure, _caption(shown) + note, _alt(shown))


FIGURE = FigureEntry("backend_shares", "What a step pays for its backend", "collectives", 10, draw)


def _share_scale(plots: list[Axes]) -> None:
    """Backends are compared by the lengths of their bars."""
    limits = [plot.get_xlim() for plot in plots]
    for plot in plots:
        plot.set_xlim(min(left for left, _ in limits), max(right for _, right in limits))


def _panels(results: Results) -> list[Row]:
    """Of each number of ranks the backends, at the bucket size of the shortest step."""
    rows = results.backend_shares
    if not rows:
        why = "holds no step beside its buckets (ddpbench collectives --workload NAME --batch-size N)"
        raise NothingToDrawError(f"{FILE} {why}")
    return [row for row in rows if row.is_shortest]


def bars_of(row: Row) -> list[Bar]:
    shares = [(FLOOR, f"floor: {row.floor_arm}", "floor_us"), (BACKEND, f"+ {row.backend}'s own", "backend_us")]
    if row.backend == row.floor_arm:
        shares.pop()
    shares += [
        (DDP, "+ DDP's work", "ddp_us"),
        (SKEW, "+ the slowest rank", "skew_us"),
        (OVERLAP, "± overlap", "overlap_us"),
    ]
    bars, end = [], 0.0
    for look, label, name in shares:
        bars.append(_bar(row, look, label, name, end))
        end += getattr(row, name)
    bars.append(Bar(REST, "remainder", end, row.remainder_us, math.nan, math.nan, f"{number(row.remainder_us, signed=True)} µs"))
    return [*bars, _bar(row, TOTAL, "beyond computing alone", "exposed_us", 0.0)]


def _bar(row: Row, look: Look, label: str, name: str, left: float) -> Bar:
    value, low, high = (getattr(row, name + bound) for bound in ("", "_lo", "_hi"))
    return Bar(look, label, left, value, left + low, left + high, f"{estimate(value, low, high)} µs")


def _title(row: Row) -> str:
    buckets = f"{plural(row.messages, 'bucket')} of bucket_cap_mb = {row.bucket_cap}"
    return f"{row.backend}: {bytes_text(row.bytes)} in {buckets}, nodes × ranks: {ranks_text(row)}"


def _caption(rows: list[Row]) -> str:
    return (
        "What a forward and a backward with DDP take beyond the same without it, by backend. Floor: the same buckets, nothing"
        " beside them, by what moves them fastest; then what the backend takes beyond it, DDP's own work (on a network that takes"
        " no time), what ranks wait for the slowest one there, and what is left: to the left what is hidden behind the backward,"
        " to the right what sending and computing hold each other up. Each is a median of rounds (Hodges–Lehmann); the remainder"
        " is what a median of sums differs by from the sum of medians. The bucket size is that of the shortest step; the table"
        " has the others. Black bars: 95 % intervals;"
        f" n = {count_range([row.rounds for row in rows])} rounds in {plural(max(row.launches for row in rows), 'launch', 'es')}."
    )


def _alt(rows: list[Row]) -> str:
    said = [f"{row.backend}: " + ", ".join(f"{bar.label} {bar.text}" for bar in bars_of(row)) for row in rows]
    return f"Waterfalls of what communication costs a step, {len(rows)} panels. {'; '.join(said)}."

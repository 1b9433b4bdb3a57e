"""The ladder as a closing waterfall: rung upon rung up to the total, leave-one-out and interaction beneath; a panel per cell."""

from __future__ import annotations

import math

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.waterfall import Bar, Look, draw_waterfall, waterfall_figure, waterfall_legend
from reports.plots.panels import nothing_reason, title_panel
from reports.plots.quantities import estimate, number
from reports.plots.style import BLUE, GREY, ORANGE, PURPLE, SKY
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import clock_title, interval_kind, left_out, pairs_and_launches, short_clock

MAX_LADDERS = 4
FILE = "tables/ladder.csv"
REST = "remainder"

LOOKS = {
    "cumulative": Look(BLUE, "", "rung: with this feature on top", is_rung=True),
    REST: Look(GREY, "xx", "remainder of the medians", is_rung=True),
    "total": Look(SKY, "", "total"),
    "leave_one_out": Look(ORANGE, "////", "without this feature alone (leave-one-out)", stands_apart=True),
    "interaction": Look(PURPLE, "...", "interaction: total less all leave-one-out", stands_apart=True),
}


def draw(results: Results) -> Drawing:
    clock = next(iter(results.clocks()), "")
    ladders = _ladders(results, clock)
    worst = sorted(ladders, key=lambda rows: results.badness_of(rows[0].cell_id))[:MAX_LADDERS]
    shown = [rows for rows in ladders if rows in worst]
    figure, panels = waterfall_figure([len(bars_of(rows)) for rows in shown])
    labels = {cell.cell_id: cell for cell in results.cells}
    for (plot, beside), rows in zip(panels, shown, strict=True):
        draw_waterfall(plot, beside, bars_of(rows))
        title_panel(plot, labels[rows[0].cell_id], f": {rows[0].base}", width=90).set_in_layout(False)
    panels[-1][0].set_xlabel(f"cost per step, {short_clock(clock)} (µs)")
    drawn = {bar.look for rows in shown for bar in bars_of(rows)}
    waterfall_legend(figure, [look for look in LOOKS.values() if look in drawn])
    all_rows = [row for rows in shown for row in rows]
    note = left_out(len(shown), len(ladders), "ladders", FILE)
    return Drawing(figure, _caption(results, clock, all_rows) + note, _alt(shown, results))


FIGURE = FigureEntry("ladder", "What the overhead is made of", "where", 10, draw)


def _ladders(results: Results, clock: str) -> list[list[Row]]:
    """The rows of each cell and base arm, in the order of the cells."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in results.ladder:
        if row.clock == clock and row.kind != "language" and math.isfinite(row.cost_us):
            found.setdefault((row.cell_id, row.base), []).append(row)
    place = {cell.cell_id: number_ for number_, cell in enumerate(results.cells)}
    ladders = [rows for (cell_id, _), rows in found.items() if cell_id in place]
    if not ladders:
        raise NothingToDrawError(nothing_reason(results, FILE))
    return sorted(ladders, key=lambda rows: place[rows[0].cell_id])


def bars_of(rows: list[Row]) -> list[Bar]:
    """Returns the rungs, each where the one before it ends; what they leave of the total; the total; the rest from 0."""
    bars, end = [], 0.0
    for row in rows:
        if row.kind == "cumulative":
            bars.append(_bar(row, f"+ {row.feature}", end))
            end += row.cost_us
        elif row.kind == "total":
            if math.isfinite(row.remainder_us) and row.remainder_us != 0:
                text = f"{number(row.remainder_us, signed=True)} µs"
                bars.append(Bar(LOOKS[REST], REST, end, row.remainder_us, math.nan, math.nan, text))
            bars.append(_bar(row, f"total: {row.arm}", 0.0))
        else:
            bars.append(_bar(row, row.kind if row.kind == "interaction" else f"− {row.feature}", 0.0))
    return bars


def _bar(row: Row, label: str, left: float) -> Bar:
    text = f"{estimate(row.cost_us, row.cost_us_lo, row.cost_us_hi)} µs"
    return Bar(LOOKS[row.kind], label, left, row.cost_us, left + row.cost_us_lo, left + row.cost_us_hi, text)


def _caption(results: Results, clock: str, rows: list[Row]) -> str:
    confidence = float(results.summary.get("confidence_percent") or 95)
    return (
        f"What the cost per step is made of, {clock_title(clock)}: every rung is an arm less the rung below it, paired"
        " within super-blocks, and begins where the one before it ends; rungs and remainder (a median of sums is not the"
        " sum of medians) close to the total. Beneath, from 0: the whole less the whole without one feature, and what"
        " these leave of the total."
        f" Black bars: {interval_kind(rows, confidence)}; {pairs_and_launches(rows)}."
    )


def _alt(shown: list[list[Row]], results: Results) -> str:
    rows = shown[0]
    parts = [f"{bar.label} {bar.text}" for bar in bars_of(rows)]
    return f"Waterfall of the cost per step, {len(shown)} ladders. {results.label_of(rows[0].cell_id)}: {'; '.join(parts)}."

"""What an arm adds to an epoch: part upon part up to the epoch's difference, what happens once beneath; a panel per arm."""

from __future__ import annotations

import math

from reports.plots.drawing import Drawing, FigureEntry, NothingToDrawError
from reports.plots.figures.waterfall import Bar, Look, draw_waterfall, waterfall_figure, waterfall_legend
from reports.plots.panels import NAME_WIDTH, nothing_reason, title_panel
from reports.plots.quantities import estimate
from reports.plots.style import BLUE, ORANGE, SKY
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import left_out, shorten

MAX_PANELS = 6
FILE = "tables/whole_trainings.csv"
OF_AN_EPOCH = ("steps", "validation", "metric", "checkpoint", "boundary")
ONCE = ("head", "resume", "tail", "test")

PART = Look(BLUE, "", "a part of the epoch", is_rung=True)
EPOCH = Look(SKY, "", "the epoch")
APART = Look(ORANGE, "////", "once in a training", stands_apart=True)


def draw(results: Results) -> Drawing:
    arms = _arms(results)
    shown = arms[:MAX_PANELS]
    cells = {cell.cell_id: cell for cell in results.cells}
    figure, panels = waterfall_figure([len(bars_of(rows)) for rows in shown])
    for (plot, beside), rows in zip(panels, shown, strict=True):
        draw_waterfall(plot, beside, bars_of(rows))
        cell_id, arm, reference = rows[0].cell_id, rows[0].arm, rows[0].reference
        names = f": {shorten(arm, NAME_WIDTH)} over {shorten(reference, NAME_WIDTH)}"
        title_panel(plot, cells[cell_id], names, width=60).set_in_layout(False)
    panels[-1][0].set_xlabel("more than the reference, wall (ms)")
    waterfall_legend(figure, [PART, EPOCH, APART])
    return Drawing(figure, _caption(shown) + left_out(len(shown), len(arms), "arms", FILE), _alt(shown, results))


FIGURE = FigureEntry("whole_trainings", "What is added to an epoch", "trainings", 10, draw)


def _arms(results: Results) -> list[list[Row]]:
    """The parts of each arm that differs from a reference, in the order of the cells."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in results.in_order(results.whole_trainings):
        if not row.call and math.isfinite(row.extra_ms) and row.cell_id in results.labels:
            found.setdefault((row.cell_id, row.arm), []).append(row)
    if not found:
        raise NothingToDrawError(nothing_reason(results, FILE))
    subjects = {key: rows for key, rows in found.items() if not results.facts_of(key[1]).is_control}
    return list((subjects or found).values())


def bars_of(rows: list[Row]) -> list[Bar]:
    """Returns an epoch's parts, each where the one before it ends; the epoch; what happens once, from 0."""
    by_part, bars, end = {row.part: row for row in rows}, [], 0.0
    for part in OF_AN_EPOCH:
        if part in by_part:
            bars.append(_bar(by_part[part], PART, end))
            end += by_part[part].extra_ms
    bars += [_bar(by_part["epoch"], EPOCH, 0.0)] if "epoch" in by_part else []
    return bars + [_bar(by_part[part], APART, 0.0) for part in ONCE if part in by_part]


def _bar(row: Row, look: Look, left: float) -> Bar:
    text = f"{estimate(row.extra_ms, row.extra_ms_lo, row.extra_ms_hi)} ms"
    return Bar(look, row.part, left, row.extra_ms, left + row.extra_ms_lo, left + row.extra_ms_hi, text)


def _caption(shown: list[list[Row]]) -> str:
    launches = sorted({row.launches for rows in shown for row in rows})
    of = f"{launches[0]:g}" if len(launches) == 1 else f"{launches[0]:g} to {launches[-1]:g}"
    return (
        "Wall time, mean over ranks, epochs and trainings. The parts of an epoch, each from where the one before it ends, add up"
        " to the epoch, but that there is one boundary less than there are epochs. Beneath, from 0: what happens once in a"
        " training. Black bars: intervals by Student's t over launches, those of all parts hold together, the epoch's by itself;"
        f" n = {of} launches."
    )


def _alt(shown: list[list[Row]], results: Results) -> str:
    rows = shown[0]
    parts = "; ".join(f"{bar.label} {bar.text}" for bar in bars_of(rows))
    return (
        f"Waterfalls of what {len(shown)} arms add to an epoch. {results.label_of(rows[0].cell_id)}, {rows[0].arm} over"
        f" {rows[0].reference}: {parts}."
    )

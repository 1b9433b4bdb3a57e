"""What whole trainings take: a row per part of an epoch and arm, and what they came to."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number, with_bounds
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FILE = "tables/whole_trainings.csv"
RESULTS_FILE = "tables/whole_training_results.csv"
LEAST_MS_OF_A_CALL = 1.0  # less stands in the file


def tables(results: Results) -> list[PlainTable]:
    rows = [row for row in results.in_order(results.whole_trainings) if not row.call or row.ms >= LEAST_MS_OF_A_CALL]
    if not rows:
        return []
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Part", lambda row: f"{row.part}: {row.call}" if row.call else row.part),
        Column("Takes (ms)", lambda row: number(row.ms), True),
        Column("More than the reference (ms)", lambda row: _with_bounds(row, "extra_ms"), True),
        Column("Grows by, an epoch (ms)", lambda row: _with_bounds(row, "growth_ms"), True),
        Column("n: launches", lambda row: number(row.launches, 0), True),
    ]
    caption = (
        "Wall time, mean over ranks, epochs and trainings. training: all to the end of the last epoch; to_accuracy: all until a"
        " validation shows the accuracy that was asked for (target_accuracy); epoch: steps,"
        " validation, metric (until all ranks have its values), checkpoint and boundary (what else stands between epochs);"
        " once in a training: head (before the first batch), resume (all made anew from a checkpoint), tail (behind the last"
        " epoch), test. Behind a colon: calls of yours and of callbacks, which are part of it, from"
        f" {LEAST_MS_OF_A_CALL:g} ms on. Intervals: t over launches; of parts and their growth all hold together, of the others"
        " each by itself."
    )
    head = Head("whole-trainings", "Whole trainings, part by part", caption, "trainings", 20)
    return [_came_to(results), plain_table(head, columns, rows, FILE)]


def _came_to(results: Results) -> PlainTable:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Samples per second", lambda row: number(row.samples_per_s), True),
        Column("Validation accuracy", lambda row: _percent(row.validation_accuracy), True),
        Column("Test accuracy", lambda row: _percent(row.test_accuracy), True),
        Column("Epochs", lambda row: number(row.epochs, 0), True),
        Column("n: launches", lambda row: number(row.launches, 0), True),
    ]
    caption = (
        "Samples per second: of all ranks, in the steps after the first epoch, where there are more. At each epoch's end the"
        " parameters were those of the reference, bit for bit or, where an arm says so, to rounding."
    )
    head = Head("whole-training-results", "What whole trainings came to", caption, "trainings", 10)
    return plain_table(head, columns, results.in_order(results.whole_training_results), RESULTS_FILE)


def _with_bounds(row: Row, name: str) -> str:
    value = getattr(row, name)
    if not math.isfinite(value):
        return ""
    return with_bounds(value, getattr(row, f"{name}_lo"), getattr(row, f"{name}_hi"))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if math.isfinite(share) else ""

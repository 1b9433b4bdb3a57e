"""The table of what a whole training would take at each size."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reports.html.findings.claim import EPOCHS
from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Mode", lambda row: row.mode),
        Column("Devices", lambda row: str(row.devices), True),
        Column("Global batch", lambda row: f"{row.global_batch_size:,}", True),
        Column("Hours", lambda row: bounded(row.hours, row.hours_lo, row.hours_hi), True),
        Column("Device-hours", lambda row: bounded(row.device_hours, row.device_hours_lo, row.device_hours_hi), True),
        Column("More than the fewest", more, True),
        Column("Faster than all smaller", faster),
    ]
    caption = (
        f"{EPOCHS} epochs{epoch_words(results.training)} at the throughput that was measured, bounds as there; start, validation"
        " and checkpoints are not in it. To finish within a time, take the first row of its group that is short enough: more"
        " devices cost more device-hours. A size that is not faster than all smaller ones, beyond chance, buys nothing; of one"
        " launch nothing is known beyond what was seen."
        " With the same batch per rank the global batch grows: whether the recipe bears that is not measured here."
    )
    head = Head("training", "What a whole training takes at each size", caption, "scale", 10)
    rows = sorted(results.training, key=lambda row: (row.mode, row.arm, row.reference_cell, row.world_size, row.cell_id))
    return [plain_table(head, columns, rows, "tables/training.csv", "No cells differ in the number of ranks alone.")]


def epoch_words(rows: Sequence[Row]) -> str:
    """Says how long an epoch is: the workload's training set, or CIFAR's for one that reads none."""
    numbers = sorted({row.epoch_samples for row in rows})
    return f" of {' or '.join(f'{number:,}' for number in numbers)} samples" if numbers else ""


def more(row: Row) -> str:
    low, high = row.more_device_hours_percent_lo, row.more_device_hours_percent_hi
    return f"{bounded(row.more_device_hours_percent, low, high)} %"


def faster(row: Row) -> str:
    if row.cell_id == row.reference_cell:
        return "–"
    if not row.is_tested:
        return "not tested"
    return "yes" if row.is_faster else "not seen"


def bounded(value: float, low: float, high: float) -> str:
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{number(value)} [no interval]"
    return f"{number(value)} [{number(low)}, {number(high)}]"

"""How much memory a batch takes, and the batch at which it ends."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FILE = "tables/batch_memory.csv"
MIB_PER_GIB = 1024


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Ranks", lambda row: f"{row.world_size:,}", True),
        Column("Memory of", lambda row: "the device" if row.where == "device" else "a share of the node"),
        Column("n: batch sizes", lambda row: str(row.batch_sizes), True),
        Column("Largest batch per rank", lambda row: f"{row.batch_size_per_rank:,}", True),
        Column("It takes (GiB)", lambda row: _gib(row.peak_mib), True),
        Column("There is (GiB)", lambda row: _gib(row.available_mib), True),
        Column("MiB per sample", _slope, True),
        Column("Batch that fits, about", lambda row: _count(row.largest_batch), True),
        Column("Did not fit", lambda row: _count(row.did_not_fit), True),
    ]
    caption = (
        "The most that any rank took in a launch, all its arms together, so that an arm alone needs less. The batch that fits is"
        " where a line through the batch sizes meets what there is: an estimate, for kernels choose other workspaces with other"
        " batches."
    )
    head = Head("batch-memory", "Memory and the batch", caption, "scale", 40)
    return [plain_table(head, columns, results.batch_memory, FILE, "No launch told its memory.")]


def _gib(mib: float) -> str:
    return number(mib / MIB_PER_GIB) if math.isfinite(mib) else ""


def _slope(row: Row) -> str:
    return number(row.mib_per_sample) if math.isfinite(row.mib_per_sample) else ""


def _count(batch: int) -> str:
    return f"{batch:,}" if batch else ""

"""What the step of each arm does, counted, beside what its reference does."""

from __future__ import annotations

import math

from reports.html.findings.metrics import readable
from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

NOTHING_MORE = "–"


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Tensor operations", lambda row: count_text(row.tensor_ops, row.extra_tensor_ops), True),
        Column("Reads on the host", lambda row: count_text(row.host_reads, row.extra_host_reads), True),
        Column("Collectives", lambda row: row.collective_kinds.replace(";", ", ").replace("=", " "), True),
        Column("More than the reference's", _more_collectives, True),
        Column("Calls in Python", lambda row: count_text(row.python_calls, row.extra_python_calls), True),
        Column("Heap allocations", lambda row: count_text(row.heap_allocations, row.extra_heap_allocations), True),
    ]
    measured = [row for row in results.counts if math.isfinite(row.resident_mib)]
    if measured:
        columns += [
            Column("Peak memory, MiB", lambda row: count_text(row.resident_mib, row.extra_resident_mib), True),
            Column("of tensors, MiB", lambda row: count_text(row.tensors_mib, row.extra_tensors_mib), True),
        ]
    caption = (
        "Per step, in steps of their own behind the timed ones; in brackets: how many more than the reference. What a"
        " tensor operation calls itself is not counted; a read on the host waits for a GPU; heap allocations are those"
        " of C++, counted where no Python hosts the launch."
    )
    if measured:
        caption += " Peak memory: the largest resident set of a rank that trains the arm alone, libraries included."
    rows = results.in_order(results.counts)
    head = Head("counts", "Counted in a step", caption, "where", 30)
    return [plain_table(head, columns, rows, "tables/counts.csv", "Nothing was counted.")]


def count_text(count: float, extra: float) -> str:
    """1234.5, 3 -> "1,235 (+3)"; what was not measured is a dash."""
    text = readable(count, "1") if math.isfinite(count) else NOTHING_MORE
    return f"{text} ({_signed(extra)})" if math.isfinite(extra) and extra else text


def _signed(extra: float) -> str:
    return ("+" if extra > 0 else "") + readable(extra, "1")


def _more_collectives(row: Row) -> str:
    if not row.extra_collectives or not math.isfinite(row.extra_collectives):
        return NOTHING_MORE
    return f"{_signed(row.extra_collectives)}, {readable(row.extra_collective_bytes, 'B')}"

"""The traces of the study: how each is opened, and where the step goes by it."""

from __future__ import annotations

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number
from reports.plots.tables.results import Results

FILE = "tables/traces.csv"
PARTS_FILE = "tables/traced_parts.csv"


def tables(results: Results) -> list[PlainTable]:
    return [*_parts(results), *_files(results)]


def _parts(results: Results) -> list[PlainTable]:
    if not results.traced_parts:
        return []
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Part", lambda row: f"{row.part} (rank {row.slowest_rank} is slow)" if row.slowest_rank else row.part),
        Column("Bottleneck", lambda row: "yes" if row.is_bottleneck else ""),
        Column("Time (ms)", lambda row: number(row.ms), True),
        Column("Of the step", lambda row: f"{100 * row.share:.1f} %", True),
        Column("Rank by rank", lambda row: f"{100 * row.least_share:.1f} to {100 * row.most_share:.1f} %", True),
        Column("n: ranks × steps", lambda row: f"{row.ranks} × {row.steps}", True),
    ]
    caption = (
        "Mean of the recorded steps; the parts of an arm add up to its step. Compute: in operations or kernels. Host: what it"
        " does between them, wherever in the step. A trace is of a launch of its own, and recording takes time: its step may be"
        " longer or shorter than the timed one, whose times stand above; this table says what is in it."
    )
    head = Head("trace-steps", "Where the step goes, by the traces", caption, "where", 88)
    return [plain_table(head, columns, results.in_order(results.traced_parts), PARTS_FILE)]


def _files(results: Results) -> list[PlainTable]:
    if not results.traces:
        return []
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arms", lambda row: row.arms, long=True),
        Column("Rank", lambda row: str(row.rank), True),
        Column("Steps of each arm", lambda row: f"{row.first_step} to {row.last_step}", True),
        Column("File in the results folder", lambda row: row.file, long=True),
        Column("Open it with", lambda row: row.open_with, long=True),
    ]
    caption = (
        "Each is of a launch of its own; only what is said to be of traces is made of it. The command ddpbench trace FILE says"
        " more of each."
    )
    head = Head("traces", "Traces", caption, "where", 90)
    return [plain_table(head, columns, results.traces, FILE)]

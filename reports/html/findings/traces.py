"""The traces of the study: how each is opened, and where the step goes by it."""

from __future__ import annotations

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number
from reports.plots.tables.results import Results

FILE = "tables/traces.csv"
STEPS_FILE = "tables/trace_steps.csv"


def tables(results: Results) -> list[PlainTable]:
    return [*_steps(results), *_files(results)]


def _steps(results: Results) -> list[PlainTable]:
    if not results.trace_steps:
        return []
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Rank", lambda row: str(row.rank), True),
        Column("Part", lambda row: row.part),
        Column("Time (ms)", lambda row: number(row.us / 1000), True),
        Column("Of the step", lambda row: f"{100 * row.share:.1f} %", True),
        Column("n: steps", lambda row: str(row.steps), True),
    ]
    caption = (
        "Mean of the steps in the trace; the parts add up to the step. Recording makes each operation about a microsecond longer:"
        " the times above, of launches without a profiler, are the step's; this table says what is in it."
    )
    head = Head("trace-steps", "Where the step goes, by the traces", caption, "where", 88)
    return [plain_table(head, columns, results.trace_steps, STEPS_FILE)]


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
    caption = "Each is of a launch of its own: no time above is from it. The command ddpbench trace FILE says more of each."
    head = Head("traces", "Traces", caption, "where", 90)
    return [plain_table(head, columns, results.traces, FILE)]

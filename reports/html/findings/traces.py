"""The traces of the study, and how each is opened."""

from __future__ import annotations

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.tables.results import Results

FILE = "tables/traces.csv"


def tables(results: Results) -> list[PlainTable]:
    if not results.traces:
        return []
    columns = [
        Column("Cell", lambda row: row.cell_id),
        Column("Arms", lambda row: row.arms, long=True),
        Column("Rank", lambda row: str(row.rank), True),
        Column("Steps of each arm", lambda row: f"{row.first_step} to {row.last_step}", True),
        Column("File in the results folder", lambda row: row.file, long=True),
        Column("Open it with", lambda row: row.open_with, long=True),
    ]
    caption = "Each is of a launch of its own: no figure on this page is from it. `ddpbench trace FILE` says where its steps go."
    head = Head("traces", "Traces", caption, "where", 90)
    return [plain_table(head, columns, results.traces, FILE)]

"""The tables of findings: every file beside this one hands over its own by `tables(results)`."""

from __future__ import annotations

from reports.html.plain_table import PlainTable
from reports.plots.folder_modules import modules_in
from reports.plots.tables.results import Results


def finding_tables(results: Results) -> list[PlainTable]:
    found = [table for module in modules_in(__name__, __path__) for table in module.tables(results)]
    return sorted(found, key=lambda table: (table.question, table.place))  # of one place: as their file has them

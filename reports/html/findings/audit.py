"""What differs between launches."""

from __future__ import annotations

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FILE = "tables/audit.csv"
SEVERITY_SIGNS = {"error": "✖", "warning": "▲", "asked_for": "="}


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("What", lambda row: row.what),
        Column("Severity", _severity),
        Column("Values", lambda row: row.values, long=True),
        Column("Differs", lambda row: "within a cell" if row.within_a_cell else "between cells"),
        Column("n: launches / cells", lambda row: f"{row.launches} / {row.cells}", True),
    ]
    caption = "From the facts of each launch in environment.json; errors first."
    head = Head("audit", "What differs between launches", caption, "trust", 30)
    why = "Nothing, of what each launch recorded." if FILE not in results.missing else "Not recorded."
    return [plain_table(head, columns, results.audit, FILE, why)]


def _severity(row: Row) -> str:
    words = f"asked for by {row.asked_for}" if row.severity == "asked_for" else row.severity
    return f"{SEVERITY_SIGNS.get(row.severity, '?')} {words}"


def audit_lines(results: Results) -> list[str]:
    """Returns what was not asked for, for the box at the top."""
    return [
        f"{_severity(row)}: {row.what} differs {'within a cell' if row.within_a_cell else 'between cells'}: {row.values}"
        for row in results.audit
        if row.severity != "asked_for"
    ]

"""Peak memory by phase: a row per arm that trained alone, a column per phase."""

from __future__ import annotations

import math

from reports.html.findings.counts import count_text
from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FILE = "tables/phase_memory.csv"
SET_UP = "set_up"
SMALLEST_EXTRA_MIB = 0.01  # less is the allocator's: it gives a little more than it is asked for, not always as much

ArmRows = dict[str, Row]  # by phase


def tables(results: Results) -> list[PlainTable]:
    arms: dict[tuple[str, str], ArmRows] = {}
    for row in results.in_order(results.phase_memory):
        arms.setdefault((row.cell_id, row.arm), {})[row.phase] = row
    if not arms:
        return []
    phases = list(dict.fromkeys(phase for rows in arms.values() for phase in rows))
    columns = [
        Column("Cell", lambda rows: results.label_of(_first(rows).cell_id)),
        Column("Arm", lambda rows: _first(rows).arm),
        Column("Peak (MiB)", lambda rows: _mib(_peak(rows)), True),
        Column("It is in", lambda rows: _title(_peak(rows).phase)),
        Column("Reserved (MiB)", _reserved, True),
        *(_column_of(phase) for phase in phases),
    ]
    caption = (
        "The most that tensors took at one time, of the rank that took most; in brackets: how many MiB more than the reference's"
        f" in the same phase, from {SMALLEST_EXTRA_MIB} on. What lives on from earlier phases is in it. Set-up: all before the"
        " steps, the first ones included; other and wrapper: around the other phases. Measured in processes that train one arm"
        " alone."
    )
    head = Head("phase-memory", "Peak memory by phase", caption, "where", 35)
    return [plain_table(head, columns, arms.values(), FILE)]


def _column_of(phase: str) -> Column:
    return Column(f"{_title(phase)} (MiB)", lambda rows: _mib(rows[phase]) if phase in rows else "", True)


def _title(phase: str) -> str:
    return "set-up" if phase == SET_UP else phase


def _first(rows: ArmRows) -> Row:
    return next(iter(rows.values()))


def _peak(rows: ArmRows) -> Row:
    return next(row for row in rows.values() if row.is_peak)


def _mib(row: Row) -> str:
    extra = row.extra_tensors_mib if abs(row.extra_tensors_mib) >= SMALLEST_EXTRA_MIB else 0.0
    return count_text(row.tensors_mib, extra)


def _reserved(rows: ArmRows) -> str:
    measured = [row.reserved_mib for row in rows.values() if math.isfinite(row.reserved_mib)]
    return number(max(measured)) if measured else ""

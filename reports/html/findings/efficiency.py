"""Where the efficiency of each arm goes, by POP's factors."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, estimate, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FACTORS = (
    ("Load balance", "load_balance"),
    ("Communi\u00adcation", "communication_efficiency"),
    ("Compu\u00adtation", "computation_scaling"),
    ("Global", "global_efficiency"),
)


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Cell", lambda row: results.label_of(row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("n: ranks / launches", lambda row: f"{row.ranks} / {row.launches}", True),
        Column("Parallel", _parallel, True),
        *(Column(title, _factor(name), True) for title, name in FACTORS),
        Column("Seriali\u00adsation × transfer", _split, True),
        Column("Exposed (µs)", _exposed, True),
        Column("Mode; identity missed by", _identity),
    ]
    caption = (
        "POP factors: load balance × communication = parallel (interval over launches); with an ideal-network arm communication ="
        " serialisation × transfer × contention (above 100 %: the same work took longer beside"
        " the real network), and what that arm saves, paired, is the exposed communication; against the smallest number of"
        " ranks global = parallel × computation, checked against the speed-up."
    )
    head = Head("efficiency", "Efficiency", caption, "where", 40)
    why = "The wait for communication was not measured."
    return [plain_table(head, columns, results.in_order(results.efficiency), "tables/efficiency.csv", why)]


def percent(value: float) -> str:
    return f"{100 * value:.1f} %" if math.isfinite(value) else ""


def _factor(name: str):  # noqa: ANN202 - a column's text
    return lambda row: percent(getattr(row, name))


def bounds(low: float, high: float) -> str:
    if not (math.isfinite(low) and math.isfinite(high)):
        return "[no interval]"
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


def _parallel(row: Row) -> str:
    return f"{percent(row.parallel_efficiency)} {bounds(row.parallel_efficiency_lo, row.parallel_efficiency_hi)}"


def _split(row: Row) -> str:
    if not math.isfinite(row.serialisation_efficiency):
        return ""
    return f"{100 * row.serialisation_efficiency:.1f} × {100 * row.transfer_efficiency:.1f} × {percent(row.contention)}"


def _exposed(row: Row) -> str:
    text = estimate(row.exposed_us, row.exposed_us_lo, row.exposed_us_hi)
    return "" if text == NOT_MEASURED else text


def _identity(row: Row) -> str:
    return f"{row.mode}; {number(row.identity_error_percent, signed=True)} %" if row.mode else ""

"""The tables of efficiency and scaling."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, estimate, interval, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FACTORS = (
    ("Load balance", "load_balance"),
    ("Communi\u00adcation", "communication_efficiency"),
    ("Compu\u00adtation", "computation_scaling"),
    ("Global", "global_efficiency"),
)


def efficiency_table(results: Results) -> PlainTable:
    labels = {cell.cell_id: cell.label for cell in results.cells}
    columns = [
        Column("Cell", lambda row: labels.get(row.cell_id, row.cell_id)),
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
    return plain_table(
        ("efficiency", "Efficiency", caption),
        columns,
        results.in_order(results.efficiency),
        "tables/efficiency.csv",
        "The wait for communication was not measured.",
    )


def percent(value: float) -> str:
    return f"{100 * value:.1f} %" if math.isfinite(value) else ""


def _factor(name: str):  # noqa: ANN202 - a column's text
    return lambda row: percent(getattr(row, name))


def _bounds(low: float, high: float) -> str:
    if not (math.isfinite(low) and math.isfinite(high)):
        return "[no interval]"
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


def _parallel(row: Row) -> str:
    return f"{percent(row.parallel_efficiency)} {_bounds(row.parallel_efficiency_lo, row.parallel_efficiency_hi)}"


def _split(row: Row) -> str:
    if not math.isfinite(row.serialisation_efficiency):
        return ""
    return f"{100 * row.serialisation_efficiency:.1f} × {100 * row.transfer_efficiency:.1f} × {percent(row.contention)}"


def _exposed(row: Row) -> str:
    text = estimate(row.exposed_us, row.exposed_us_lo, row.exposed_us_hi)
    return "" if text == NOT_MEASURED else text


def _identity(row: Row) -> str:
    return f"{row.mode}; {number(row.identity_error_percent, signed=True)} %" if row.mode else ""


# --- scaling ------------------------------------------------------------------------------------------------------


def scaling_table(results: Results) -> PlainTable:
    labels = {cell.cell_id: cell.label for cell in results.cells}
    columns = [
        Column("Cell", lambda row: labels.get(row.cell_id, row.cell_id)),
        Column("Arm", lambda row: row.arm),
        Column("Ranks", lambda row: str(row.world_size), True),
        Column("Images per second", _throughput, True),
        Column("Mode", lambda row: row.mode or "–"),
        Column("Speed-up", _speedup, True),
        Column("Efficiency", _efficiency, True),
        Column("n: super-blocks / launches", lambda row: f"{row.super_blocks:,} / {row.launches}", True),
    ]
    caption = (
        "From the median step of the slowest rank; bounds over launches: with fewer than five, by the scatter of all sizes; of"
        " one launch none."
        " Speed-up and efficiency against the smallest number of ranks that differs in nothing else."
    )
    return plain_table(
        ("scaling", "Throughput and scaling", caption), columns, results.in_order(results.scaling), "scaling.csv"
    )


def _throughput(row: Row) -> str:
    bounds = interval(row.images_per_s_lo, row.images_per_s_hi).replace("+", "")
    return f"{number(row.images_per_s)} {bounds if bounds != NOT_MEASURED else '[no interval]'}"


def _speedup(row: Row) -> str:
    if not math.isfinite(row.speedup):
        return ""
    bounds = interval(row.speedup_lo, row.speedup_hi, 2).replace("+", "")
    return f"{row.speedup:.2f} {bounds if bounds != NOT_MEASURED else '[no interval]'}"


def _efficiency(row: Row) -> str:
    if not math.isfinite(row.efficiency):
        return ""
    return f"{percent(row.efficiency)} {_bounds(row.efficiency_lo, row.efficiency_hi)}"

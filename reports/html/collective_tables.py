"""The collectives by themselves: each size by each arm, the lines through the sizes, a model's buckets."""

from __future__ import annotations

import math
from collections.abc import Iterable

from reports.html.plain_table import Column, PlainTable, plain_table
from reports.plots.collective_rows import (
    FILE,
    FITS_FILE,
    CollectiveFitRow,
    CollectiveRow,
    bytes_text,
    ranks_text,
)
from reports.plots.quantities import number, ratio, with_bounds
from reports.plots.results import Results

WHY_NONE = "No collective was measured by itself."


def collective_tables(results: Results) -> list[PlainTable]:
    return [_sizes(results), _buckets(results), _fits(results)]


def _measured() -> list[Column]:
    return [
        Column[CollectiveRow]("Arm", lambda row: row.arm),
        Column[CollectiveRow]("", lambda row: row.role),
        Column[CollectiveRow]("Time (µs)", lambda row: with_bounds(row.time_us, row.time_us_lo, row.time_us_hi), True),
        Column[CollectiveRow]("busbw (GB/s)", lambda row: _two(row.busbw_gb_s), True),
        Column[CollectiveRow]("Speed against the reference", lambda row: ratio(row.speed, row.speed_lo, row.speed_hi), True),
        Column[CollectiveRow]("Beyond the reference (µs)", _beyond, True),
        Column[CollectiveRow]("p99 / worst (µs)", _tail, True),
        Column[CollectiveRow]("Cores", lambda row: _two(row.cores), True),
        Column[CollectiveRow]("Wrong", _wrong, True),
    ]


def _sizes(results: Results) -> PlainTable:
    columns = [
        Column[CollectiveRow]("Nodes × ranks", ranks_text, True),
        Column[CollectiveRow]("Collective", lambda row: row.collective),
        Column[CollectiveRow]("Size", lambda row: bytes_text(row.bytes) if row.bytes else "", True),
        *_measured(),
    ]
    caption = (
        "One collective by itself; size and busbw as nccl-tests has them. Time: mean over ranks, Hodges–Lehmann over rounds, 95 %"
        " interval (Wilcoxon's; over launches t). Speed: the reference's time over the arm's, paired by round; the A/A row is the"
        " reference once more and shows the error. Cores: CPU time of a rank's whole process over wall time. Wrong: elements, by"
        " checks before and after the rounds."
    )
    rows = [row for row in results.collectives if not row.bucket_cap]
    return plain_table(("collectives-sizes", "Collectives by size", caption), columns, rows, FILE, WHY_NONE)


def _buckets(results: Results) -> PlainTable:
    columns = [
        Column[CollectiveRow]("Nodes × ranks", ranks_text, True),
        Column[CollectiveRow]("bucket_cap_mb", lambda row: row.bucket_cap, True),
        Column[CollectiveRow]("Gradients", lambda row: bytes_text(row.bytes), True),
        Column[CollectiveRow]("Buckets", lambda row: f"{row.messages:,}", True),
        Column[CollectiveRow]("DDP's own take", _default_over, True),
        *_measured(),
    ]
    caption = (
        "The all-reduces of a model's gradients, bucket by bucket in the order of its backward, all begun and then waited for,"
        " with no compute beside them: what communication takes at least. All sizes take turns in each round; for each arm the"
        " fastest first. DDP's own: bucket_cap_mb = default, against this size, paired by round."
    )
    rows = [row for row in results.collectives if row.bucket_cap]
    title = "A model's buckets"
    why = "No bucket sequence was measured."
    return plain_table(("collectives-buckets", title, caption), columns, _fastest_first(rows), FILE, why)


def _fastest_first(rows: Iterable[CollectiveRow]) -> list[CollectiveRow]:
    found = list(rows)
    order = {arm: place for place, arm in enumerate(dict.fromkeys(row.arm for row in found))}
    return sorted(found, key=lambda row: (row.nodes, row.ranks_per_node, order[row.arm], row.time_us))


def _fits(results: Results) -> PlainTable:
    columns = [
        Column[CollectiveFitRow]("Nodes × ranks", ranks_text, True),
        Column[CollectiveFitRow]("Collective", lambda row: row.collective),
        Column[CollectiveFitRow]("Arm", lambda row: row.arm),
        Column[CollectiveFitRow]("α (µs)", lambda row: with_bounds(row.alpha_us, row.alpha_us_lo, row.alpha_us_hi), True),
        Column[CollectiveFitRow]("Bandwidth (GB/s)", _bandwidth, True),
        Column[CollectiveFitRow]("Fails most", _worst, True),
        Column[CollectiveFitRow]("n: sizes", lambda row: str(row.sizes), True),
        Column[CollectiveFitRow]("No line", lambda row: row.reason, long=True),
    ]
    caption = (
        "Time = α + bytes / bandwidth through all sizes (weighted least squares, each time with its error but at least 2 %); 95 %"
        " intervals. Where a library changes its algorithm with the size no line holds: the largest miss stands beside it."
    )
    head = ("collectives-fits", "Latency and bandwidth (α–β)", caption)
    return plain_table(head, columns, results.collective_fits, FITS_FILE, WHY_NONE)


def _two(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else ""


def _default_over(row: CollectiveRow) -> str:
    return ratio(row.default_over, row.default_over_lo, row.default_over_hi)


def _beyond(row: CollectiveRow) -> str:
    return number(row.beyond_us, signed=True) if math.isfinite(row.beyond_us) else ""


def _tail(row: CollectiveRow) -> str:
    if not math.isfinite(row.longest_us):
        return ""
    p99 = number(row.p99_us) if math.isfinite(row.p99_us) else "–"
    return f"{p99} / {number(row.longest_us)}"


def _wrong(row: CollectiveRow) -> str:
    if not math.isfinite(row.wrong):
        return ""
    return f"✖ {row.wrong:,.0f}" if row.wrong else "0"


def _bandwidth(row: CollectiveFitRow) -> str:
    if row.reason:
        return ""
    if not math.isfinite(row.bandwidth_gb_s):
        return "no rise"
    high = f"{row.bandwidth_gb_s_hi:.2f}" if math.isfinite(row.bandwidth_gb_s_hi) else "no bound"
    return f"{row.bandwidth_gb_s:.2f} [{row.bandwidth_gb_s_lo:.2f}, {high}]"


def _worst(row: CollectiveFitRow) -> str:
    if not math.isfinite(row.worst_miss_percent):
        return ""
    return f"{number(row.worst_miss_percent, 0, signed=True)} % at {bytes_text(row.worst_miss_bytes)}"

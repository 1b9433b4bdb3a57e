"""The collectives by themselves: each size by each arm, the lines through the sizes, a model's buckets."""

from __future__ import annotations

import math
from collections.abc import Iterable

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import estimate, number, ratio, with_bounds
from reports.plots.tables.collectives import FILE, STEP, bytes_text, ranks_text
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

QUESTION = "collectives"
WHY_NONE = "No collective was measured by itself."


def tables(results: Results) -> list[PlainTable]:
    return [_backends(results), _steps(results), _buckets(results), _sizes(results), _fits(results)]


def _measured() -> list[Column]:
    return [
        Column("Arm", lambda row: row.arm),
        Column("", lambda row: row.role),
        Column("Time (µs)", lambda row: with_bounds(row.time_us, row.time_us_lo, row.time_us_hi), True),
        Column("busbw (GB/s)", lambda row: _two(row.busbw_gb_s), True),
        Column("Speed against the reference", lambda row: ratio(row.speed, row.speed_lo, row.speed_hi), True),
        Column("Beyond the reference (µs)", _beyond, True),
        Column("p99 / worst (µs)", _tail, True),
        Column("Cores", lambda row: _two(row.cores), True),
        Column("Wrong", _wrong, True),
    ]


def _sizes(results: Results) -> PlainTable:
    columns = [
        Column("Nodes × ranks", ranks_text, True),
        Column("Collective", lambda row: row.collective),
        Column("Size", lambda row: bytes_text(row.bytes) if row.bytes else "", True),
        *_measured(),
    ]
    caption = (
        "One collective by itself; size and busbw as nccl-tests has them. Time: mean over ranks, Hodges–Lehmann over rounds, 95 %"
        " interval (Wilcoxon's; over launches t). Speed: the reference's time over the arm's, paired by round; the A/A row is the"
        " reference once more and shows the error. Cores: CPU time of a rank's whole process over wall time. Wrong: elements, by"
        " checks before and after the rounds."
    )
    rows = [row for row in results.collectives if not row.bucket_cap]
    return plain_table(Head("collectives-sizes", "Collectives by size", caption, QUESTION), columns, rows, FILE, WHY_NONE)


def _buckets(results: Results) -> PlainTable:
    columns = [
        Column("Nodes × ranks", ranks_text, True),
        Column("bucket_cap_mb", lambda row: row.bucket_cap, True),
        Column("Gradients", lambda row: bytes_text(row.bytes), True),
        Column("Buckets", lambda row: f"{row.messages:,}", True),
        Column("DDP's own take", _default_over, True),
        Column("Predicted (µs)", _predicted, True),
        *_measured(),
    ]
    caption = (
        "The all-reduces of a model's gradients, bucket by bucket in the order of its backward, all begun and then waited for,"
        " with no compute beside them: what communication takes at least. All sizes take turns in each round; for each arm the"
        " fastest first. DDP's own: bucket_cap_mb = default, against this size, paired by round. Predicted: the times of its"
        " messages by size, added; in brackets what it misses by."
    )
    rows = [row for row in results.collectives if row.bucket_cap and row.collective != STEP]
    title = "A model's buckets"
    why = "No bucket sequence was measured."
    return plain_table(Head("collectives-buckets", title, caption, QUESTION), columns, _fastest_first(rows), FILE, why)


def _steps(results: Results) -> PlainTable:
    columns = [
        Column("Nodes × ranks", ranks_text, True),
        Column("bucket_cap_mb", lambda row: row.bucket_cap, True),
        Column("Buckets", lambda row: f"{row.messages:,}", True),
        Column("Arm", lambda row: row.arm),
        Column("", lambda row: row.role),
        Column("Step (µs)", lambda row: with_bounds(row.time_us, row.time_us_lo, row.time_us_hi), True),
        Column("Beyond computing alone (µs)", _exposed, True),
        Column("Its buckets alone (µs)", lambda row: _alone(results, row), True),
        Column("Predicted (µs)", _predicted, True),
        Column("In DDP's own buckets", _default_over, True),
        Column("Cores", lambda row: _two(row.cores), True),
    ]
    caption = (
        "A forward and a backward of the model on one batch, without the optimizer, DDP sending its buckets meanwhile; compute:"
        " the same without DDP; ideal: DDP on a network that takes no time. All sizes and arms take turns in each round and are"
        " compared by pairs; 95 % intervals. Beyond computing alone: what of the communication is not hidden behind the backward,"
        " and what it takes from the compute. In DDP's own buckets: how many times as long the step takes with bucket_cap_mb ="
        " default. Predicted: each bucket sent when it is handed over and the one before it is through, on the timeline of the"
        " ideal network, messages by the times of all_reduce by size; no less than the CPU time of all takes on a rank's cores."
    )
    rows = [row for row in results.collectives if row.collective == STEP]
    why = "No step was measured: --workload with --batch-size."
    head = Head("collectives-steps", "The buckets within a step", caption, QUESTION)
    return plain_table(head, columns, _fastest_first(rows), FILE, why)


def _backends(results: Results) -> PlainTable:
    columns = [
        Column("Nodes × ranks", ranks_text, True),
        Column("bucket_cap_mb", lambda row: row.bucket_cap, True),
        Column("Backend", lambda row: row.backend),
        Column("Step (µs)", lambda row: with_bounds(row.step_us, row.step_us_lo, row.step_us_hi), True),
        Column("Beyond the fastest backend (µs)", _beyond_fastest, True),
        Column("Beyond computing (µs)", lambda row: _share(row, "exposed_us"), True),
        Column("= floor", _floor, True),
        Column("+ the backend's own", lambda row: _share(row, "backend_us"), True),
        Column("+ DDP's work", lambda row: _share(row, "ddp_us"), True),
        Column("+ slowest rank", lambda row: _share(row, "skew_us"), True),
        Column("+ overlap", lambda row: _share(row, "overlap_us"), True),
        Column("+ remainder", lambda row: number(row.remainder_us, signed=True), True),
    ]
    caption = (
        "Backends with the same buckets, round by round: what a step pays for each, and whose that is. Floor: the same buckets,"
        " nothing beside them, by what moves them fastest. The backend's own: what it takes for them beyond that. DDP's work:"
        " its step on a network that takes no time, beyond computing alone; slowest rank: what others wait for it there. Overlap:"
        " what is left; below 0 it is hidden behind the backward, above 0 sending and computing hold each other up. Medians of"
        " rounds (Hodges–Lehmann) with 95 % intervals; remainder: a median of sums is no sum of medians."
    )
    rows = results.backend_shares
    why = "No step was measured beside its buckets: --workload with --batch-size."
    head = Head("collectives-backends", "What a step pays for its backend", caption, QUESTION)
    return plain_table(head, columns, rows, "tables/backend_shares.csv", why)


def _share(row: Row, name: str) -> str:
    value, low, high = (getattr(row, name + bound) for bound in ("", "_lo", "_hi"))
    return estimate(value, low, high) if math.isfinite(value) else ""


def _floor(row: Row) -> str:
    return f"{with_bounds(row.floor_us, row.floor_us_lo, row.floor_us_hi)} ({row.floor_arm})"


def _beyond_fastest(row: Row) -> str:
    return "the fastest" if row.backend == row.fastest else _share(row, "beyond_fastest_us")


def _exposed(row: Row) -> str:
    return with_bounds(row.beyond_us, row.beyond_us_lo, row.beyond_us_hi) if math.isfinite(row.beyond_us) else ""


def _alone(results: Results, step: Row) -> str:
    for row in results.collectives:
        is_same = (row.nodes, row.ranks_per_node, row.arm) == (step.nodes, step.ranks_per_node, step.arm)
        if is_same and row.collective != STEP and row.bucket_cap == step.bucket_cap:
            return number(row.time_us)
    return ""


def _fastest_first(rows: Iterable[Row]) -> list[Row]:
    found = list(rows)
    order = {arm: place for place, arm in enumerate(dict.fromkeys(row.arm for row in found))}
    return sorted(found, key=lambda row: (row.nodes, row.ranks_per_node, order[row.arm], row.time_us))


def _fits(results: Results) -> PlainTable:
    columns = [
        Column("Nodes × ranks", ranks_text, True),
        Column("Collective", lambda row: row.collective),
        Column("Arm", lambda row: row.arm),
        Column("α (µs)", lambda row: with_bounds(row.alpha_us, row.alpha_us_lo, row.alpha_us_hi), True),
        Column("Bandwidth (GB/s)", _bandwidth, True),
        Column("Fails most", _worst, True),
        Column("n: sizes", lambda row: str(row.sizes), True),
        Column("No line", lambda row: row.reason, long=True),
    ]
    caption = (
        "Time = α + bytes / bandwidth through all sizes (weighted least squares, each time with its error but at least 2 %); 95 %"
        " intervals. Where a library changes its algorithm with the size no line holds: the largest miss stands beside it."
    )
    head = Head("collectives-fits", "Latency and bandwidth (α–β)", caption, QUESTION)
    return plain_table(head, columns, results.collective_fits, "tables/collective_fits.csv", WHY_NONE)


def _two(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else ""


def _default_over(row: Row) -> str:
    return ratio(row.default_over, row.default_over_lo, row.default_over_hi)


def _predicted(row: Row) -> str:
    if not math.isfinite(row.predicted_us):
        return ""
    return f"{number(row.predicted_us)} ({number(100 * (row.predicted_us / row.time_us - 1), 0, signed=True)} %)"


def _beyond(row: Row) -> str:
    return number(row.beyond_us, signed=True) if math.isfinite(row.beyond_us) else ""


def _tail(row: Row) -> str:
    if not math.isfinite(row.longest_us):
        return ""
    p99 = number(row.p99_us) if math.isfinite(row.p99_us) else "–"
    return f"{p99} / {number(row.longest_us)}"


def _wrong(row: Row) -> str:
    if not math.isfinite(row.wrong):
        return ""
    return f"✖ {row.wrong:,.0f}" if row.wrong else "0"


def _bandwidth(row: Row) -> str:
    if row.reason:
        return ""
    if not math.isfinite(row.bandwidth_gb_s):
        return "no rise"
    high = f"{row.bandwidth_gb_s_hi:.2f}" if math.isfinite(row.bandwidth_gb_s_hi) else "no bound"
    return f"{row.bandwidth_gb_s:.2f} [{row.bandwidth_gb_s_lo:.2f}, {high}]"


def _worst(row: Row) -> str:
    if not math.isfinite(row.worst_miss_percent):
        return ""
    return f"{number(row.worst_miss_percent, 0, signed=True)} % at {bytes_text(row.worst_miss_bytes)}"

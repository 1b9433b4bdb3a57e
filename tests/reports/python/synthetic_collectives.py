"""Rows of the tables about collectives, made up by formula."""

from __future__ import annotations

NAN = float("nan")
COLLECTIVE_TIMES = {"mpi_nonblocking": ("reference", 1.0), "gloo": ("backend", 3.0), "mpi_nonblocking_again": ("A/A", 1.01)}


def collectives(cells: tuple) -> list[dict]:
    """As many numbers of ranks as there are cells."""
    sizes = [("all_reduce", "", size) for size in (64, 4096, 1 << 20)]
    cases = [*sizes, ("barrier", "", 0), ("all_reduce", "1", 94_083_368), ("all_reduce", "25", 94_083_368)]
    alone = [_collective(case, arm, place + 2) for place, _ in enumerate(cells) for case in cases for arm in COLLECTIVE_TIMES]
    return alone + [_step(row) for row in alone if row["bucket_cap"]]


def _step(alone: dict) -> dict:
    """A step of 0.9 s, in which a fifth of these buckets' time is hidden."""
    names = {"mpi_nonblocking": "compute", "mpi_nonblocking_again": "compute_again"}
    beyond = 0.8 * alone["time_us"] if alone["arm"] == "gloo" else 0
    rates = ("algbw_gb_s", "busbw_gb_s", "busbw_gb_s_lo", "busbw_gb_s_hi", "speed", "speed_lo", "speed_hi")
    nothing = {key: NAN for key in rates}
    step = {"collective": "step", "arm": names.get(alone["arm"], alone["arm"]), "reference": "compute", "redop": ""}
    times = {"time_us": 9e5 + beyond, "time_us_lo": 8.9e5 + beyond, "time_us_hi": 9.1e5 + beyond}
    bounds = {"beyond_us": beyond, "beyond_us_lo": 0.9 * beyond, "beyond_us_hi": 1.1 * beyond}
    step["predicted_us"] = 9e5 + 0.5 * beyond if beyond else NAN
    return alone | nothing | step | times | (bounds if step["arm"] != "compute" else {})


def _collective(case: tuple[str, str, int], arm: str, ranks: int) -> dict:
    name, cap, size = case
    role, factor = COLLECTIVE_TIMES[arm]
    us = factor * (2 + size / 2000 + (40 if cap == "25" else 0))
    rate = size / us / 1000 if size else NAN
    other = role != "reference"
    return {
        "nodes": 1,
        "ranks_per_node": ranks,
        "world_size": ranks,
        "collective": name,
        "bucket_cap": cap,
        "bytes": size,
        "count": size // 4,
        "messages": {"": 1, "1": 58, "25": 4}[cap],
        "type": "float" if size else "",
        "redop": "sum" if size else "",
        "arm": arm,
        "role": role,
        "reference": "mpi_nonblocking",
        "time_us": us,
        "time_us_lo": 0.98 * us,
        "time_us_hi": 1.02 * us,
        "algbw_gb_s": rate,
        "busbw_gb_s": rate,
        "busbw_gb_s_lo": 0.98 * rate,
        "busbw_gb_s_hi": 1.02 * rate,
        "speed": 1 / factor if other else NAN,
        "speed_lo": 0.98 / factor if other else NAN,
        "speed_hi": 1.02 / factor if other else NAN,
        "beyond_us": us - us / factor if other else NAN,
        "beyond_us_lo": 0.9 * (us - us / factor) if other else NAN,
        "beyond_us_hi": 1.1 * (us - us / factor) if other else NAN,
        "default_over": 1.2 if cap else NAN,
        "default_over_lo": 1.1 if cap else NAN,
        "default_over_hi": 1.3 if cap else NAN,
        "predicted_us": 0.9 * us if cap else NAN,
        "slowest_us": 1.1 * us,
        "p99_us": 2 * us if size == 64 else NAN,
        "longest_us": 4 * us,
        "cores": 0.6,
        "wrong": 0 if size else NAN,
        "rounds": 20,
        "calls": 10,
        "launches": 1,
    }


def collective_fits(_: tuple) -> list[dict]:
    fit = {"nodes": 1, "ranks_per_node": 2, "world_size": 2, "collective": "all_reduce", "arm": "gloo"}
    line = {"alpha_us": 6.1, "alpha_us_lo": 5.2, "alpha_us_hi": 7.0, "bandwidth_gb_s": 0.66, "bandwidth_gb_s_lo": 0.64}
    rest = {"bandwidth_gb_s_hi": NAN, "worst_miss_percent": -12.4, "worst_miss_bytes": 4096, "sizes": 3, "reason": ""}
    return [fit | line | rest]


SHARES = ("exposed", "floor", "backend", "ddp", "skew", "overlap")


def backend_shares(cells: tuple) -> list[dict]:
    """Half as many numbers of ranks as cells. A step of 0.9 s; mpi hides 12 of 90 ms, over gloo nothing is hidden."""
    of_gloo = dict(zip(SHARES, (162_000, 40_000, 80_000, 5_000, 3_000, 32_000), strict=True))
    of_mpi = dict(zip(SHARES, (80_000, 40_000, 44_000, 5_000, 3_000, -12_000), strict=True))
    backends = (("gloo", of_gloo), ("mpi", of_mpi))
    ranks = range(2, 2 + max(1, len(cells) // 2))
    return [_share_row((cap, count), backend, us) for count in ranks for cap in ("1", "25") for backend, us in backends]


def _share_row(buckets: tuple[str, int], backend: str, shares: dict[str, float]) -> dict:
    cap, ranks = buckets
    more = 20_000 if cap == "1" else 0
    step = {"step": 900_000 + shares["exposed"] + more}
    beyond = {"beyond_fastest": 80_000, "alone_beyond": 36_000} if backend == "gloo" else {}
    row: dict = {"nodes": 1, "ranks_per_node": ranks, "world_size": ranks, "bucket_cap": cap, "bytes": 94_083_368}
    row |= {"messages": {"1": 58, "25": 4}[cap], "backend": backend, "floor_arm": "mpi_nonblocking", "fastest": "mpi"}
    for name, us in (step | shares | {"beyond_fastest": NAN, "alone_beyond": NAN} | beyond).items():
        row |= {f"{name}_us": us, f"{name}_us_lo": us - 1_000, f"{name}_us_hi": us + 1_000}
    row |= {"beside_beyond_us": NAN, "beside_beyond_us_lo": NAN, "beside_beyond_us_hi": NAN}
    rest = shares["exposed"] - sum(shares[name] for name in SHARES[1:])
    return row | {"remainder_us": rest, "is_shortest": int(cap == "25"), "rounds": 12, "launches": 1}

"""Rows of the tables about collectives; as rows.py has the others."""

from __future__ import annotations

from dataclasses import dataclass

FILE = "collectives.csv"
FITS_FILE = "tables/collective_fits.csv"
BACKEND_SHARES_FILE = "tables/backend_shares.csv"
STEP = "step"  # in the place of a collective's name: a forward and a backward


@dataclass(frozen=True, slots=True)
class CollectiveRow:
    nodes: int
    ranks_per_node: int
    world_size: int
    collective: str
    bucket_cap: str
    bytes: int
    messages: int
    arm: str
    role: str
    reference: str
    time_us: float
    time_us_lo: float
    time_us_hi: float
    busbw_gb_s: float
    busbw_gb_s_lo: float
    busbw_gb_s_hi: float
    speed: float
    speed_lo: float
    speed_hi: float
    beyond_us: float
    beyond_us_lo: float
    beyond_us_hi: float
    default_over: float
    default_over_lo: float
    default_over_hi: float
    predicted_us: float
    p99_us: float
    longest_us: float
    cores: float
    wrong: float
    rounds: int
    calls: int
    launches: int


@dataclass(frozen=True, slots=True)
class CollectiveFitRow:
    nodes: int
    ranks_per_node: int
    world_size: int
    collective: str
    arm: str
    alpha_us: float
    alpha_us_lo: float
    alpha_us_hi: float
    bandwidth_gb_s: float
    bandwidth_gb_s_lo: float
    bandwidth_gb_s_hi: float
    worst_miss_percent: float
    worst_miss_bytes: int
    sizes: int
    reason: str


@dataclass(frozen=True, slots=True)
class BackendShareRow:
    nodes: int
    ranks_per_node: int
    bucket_cap: str
    bytes: int
    messages: int
    backend: str
    floor_arm: str
    step_us: float
    step_us_lo: float
    step_us_hi: float
    exposed_us: float
    exposed_us_lo: float
    exposed_us_hi: float
    floor_us: float
    floor_us_lo: float
    floor_us_hi: float
    backend_us: float
    backend_us_lo: float
    backend_us_hi: float
    ddp_us: float
    ddp_us_lo: float
    ddp_us_hi: float
    skew_us: float
    skew_us_lo: float
    skew_us_hi: float
    overlap_us: float
    overlap_us_lo: float
    overlap_us_hi: float
    remainder_us: float
    fastest: str
    beyond_fastest_us: float
    beyond_fastest_us_lo: float
    beyond_fastest_us_hi: float
    alone_beyond_us: float
    alone_beyond_us_lo: float
    alone_beyond_us_hi: float
    is_shortest: int
    rounds: int
    launches: int


def bytes_text(size: int) -> str:
    """Returns "64 B", "1 MiB"; a size that is none of these powers with a decimal."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} B"


def ranks_text(row: CollectiveRow | CollectiveFitRow | BackendShareRow) -> str:
    return f"{row.nodes} × {row.ranks_per_node}"

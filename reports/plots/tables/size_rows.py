"""Rows of the tables about nodes, ranks and sizes; as rows.py has the others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NodeRow:
    node: str
    source: str
    started_utc: str
    check: str
    value: float
    ratio: float
    ratio_lo: float
    ratio_hi: float
    samples: int
    finding: str
    reason: str


@dataclass(frozen=True, slots=True)
class SkewRow:
    cell_id: str
    arm: str
    rank: int
    node_rank: int
    node: str
    ratio: float
    ratio_lo: float
    ratio_hi: float
    samples: int
    launches: int


@dataclass(frozen=True, slots=True)
class HeldOutRow:
    cell_id: str
    arm: str
    mode: str
    nodes: int
    world_size: int
    sizes: int
    step_ms: float
    predicted_ms: float
    predicted_ms_lo: float
    predicted_ms_hi: float
    compute_ms: float
    skew_ms: float
    exposed_ms: float
    error_percent: float
    is_inside: bool
    reason: str


@dataclass(frozen=True, slots=True)
class StartUpRow:
    group: str
    cell_id: str
    nodes: int
    ranks_per_node: int
    world_size: int
    seconds: float
    shortest_s: float
    longest_s: float
    launches: int
    growth: float


@dataclass(frozen=True, slots=True)
class BatchMemoryRow:
    cell_id: str
    where: str
    world_size: int
    batch_sizes: int
    batch_size_per_rank: int
    peak_mib: float
    available_mib: float
    fixed_mib: float
    mib_per_image: float
    largest_batch: int
    did_not_fit: int

"""Rows of the table about the links of nodes; as rows.py has the others."""

from __future__ import annotations

from dataclasses import dataclass

FILE = "tables/links.csv"


@dataclass(frozen=True, slots=True)
class LinkRow:
    started_utc: str
    node: str
    peer: str
    latency_us: float
    transfer_us: float
    rate_gb_s: float
    visits: int

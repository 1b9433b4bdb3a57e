"""Rows of the table about links, made up by formula."""

from __future__ import annotations

NODES = ("jza1", "jza2", "jza3")
MANY_CELLS = 14  # a study of so many was resumed: its nodes were checked again


def links(cells: tuple) -> list[dict]:
    """That between jza2 and jza3 is slow."""
    days = (1, 2) if len(cells) >= MANY_CELLS else (1,)
    return [_link(node, peer, day) for day in days for node in NODES for peer in NODES if node != peer]


def _link(node: str, peer: str, day: int) -> dict:
    factor = 4 if {node, peer} == {"jza2", "jza3"} else 1
    us = 800 * factor
    pair = {"started_utc": f"2026-01-0{day}T00:00:00Z", "node": node, "peer": peer}
    return pair | {"latency_us": 21 * factor, "transfer_us": us, "rate_gb_s": 8 * 2**20 / us / 1000, "visits": 3}

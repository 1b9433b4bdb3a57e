"""How long launches take to start, made up by formula."""

from __future__ import annotations


def start_up(cells: tuple) -> list[dict]:
    """A curve per cell: as many as the figure of a sweep has to choose from."""
    return [
        {
            "group": f"{cell.workload} {place}, ddp, gloo",
            "cell_id": cell.cell_id,
            "nodes": 1,
            "ranks_per_node": ranks,
            "world_size": ranks,
            "seconds": 0.5 * ranks**0.8,
            "shortest_s": 0.45 * ranks**0.8,
            "longest_s": 0.6 * ranks**0.8,
            "launches": 3,
            "growth": 0.8,
        }
        for place, cell in enumerate(cells)
        for ranks in (2, 8, 32)
    ]

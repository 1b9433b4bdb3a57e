"""What the figures and tables of collectives share."""

from __future__ import annotations

from reports.plots.tables.csv_table import Row

FILE = "collectives.csv"
STEP = "step"  # in the place of a collective's name: a forward and a backward


def bytes_text(size: int) -> str:
    """Returns "64 B", "1 MiB"; a size that is none of these powers with a decimal."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} B"


def ranks_text(row: Row) -> str:
    return f"{row.nodes} × {row.ranks_per_node}"

"""The nodes against each other: what each could do before the sweep, and what its own steps show."""

from __future__ import annotations

import math

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import number, ratio
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

FILE = "tables/nodes.csv"

# check -> what was compared; what is not here stands by its name
CHECKS = {
    "product_s": "a product of matrices",
    "chain_cpu_s": "a chain of additions (the core's clock)",
    "copy_s": "a copy in memory",
    "link_latency_s": "8 bytes over its best link and back",
    "link_transfer_s": "4 MiB over its best link and back",
    "wrong_sums": "wrong elements of sums",
    "wrong_products": "wrong products",
    "useful_s": "a step's work beside waiting",
}
FINDINGS = {"ok": "–", "slow": "▲ slow", "broken": "✖ broken"}
WELL = 12  # rows of nodes that are well: the rest would bury the others


def tables(results: Results) -> list[PlainTable]:
    columns = [
        Column("Node", lambda row: row.node),
        Column("", lambda row: FINDINGS.get(row.finding, row.finding)),
        Column("Compared", lambda row: CHECKS.get(row.check, row.check)),
        Column("When", lambda row: row.started_utc or "in the sweep"),
        Column("Took", _value, True),
        Column("Against the others", lambda row: ratio(row.ratio, row.ratio_lo, row.ratio_hi), True),
        Column("n", lambda row: f"{row.samples:,}" if row.samples else "", True),
        Column("Why", lambda row: row.reason, long=True),
    ]
    caption = (
        "All nodes did the same at the same time, before the sweep and in its steps. The ratio is that of the node's slowest rank"
        " to the median of the other nodes, with a 95 % interval (Wilcoxon's, over launches t). Slow: beyond 1.1 (copies: 1.25)"
        " by a test, Holm over the nodes at 1 %; links: beyond 1.5. Such nodes come first."
    )
    bad = sum(row.finding != "ok" for row in results.nodes)
    rows = sorted(results.nodes, key=lambda row: (row.finding == "ok", -row.ratio if math.isfinite(row.ratio) else 0.0))
    why = "No launch used several nodes whose work was measured."
    head = Head("nodes", "Nodes", caption, "trust", 10)
    return [plain_table(head, columns, rows, FILE, why, bad + WELL)]


def _value(row: Row) -> str:
    if not row.check.endswith("_s"):
        return number(row.value, 0)
    return f"{number(1000 * row.value)} ms"

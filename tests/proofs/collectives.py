"""What `ddpbench collectives` finds of a link whose delay is known."""

from __future__ import annotations

from conftest import Ddpbench
from finding import Finding
from nodes import PROGRAM, SHARED, Cluster, between_nodes, rows, why_not

DELAY_US, MBIT = 5000, 1000
# A gather of two ranks is one exchange; Open MPI's non-blocking sum goes up to the first rank and down again.
DELAYS_OF = {("all_gather", "mpi_nonblocking"): 1, ("all_gather", "mpi"): 1, ("all_reduce", "mpi_nonblocking"): 2}
TOLERANCE = 0.1


def delayed_link(_: Ddpbench) -> list[Finding]:
    """α of a collective is its number of delays times half a round trip of plain sockets, just before."""
    if why_not():
        return [Finding("the delayed link", why_not(), "a cluster", held=False)]
    with Cluster(nodes=2, shared=SHARED, link=(DELAY_US, MBIT)) as cluster:
        plain = float(between_nodes(cluster, "ping_pong.py", "100"))
        out = cluster.work / "out"
        words = ["collectives", "--backends", "gloo,mpi", "--ranks-per-node", "1", "--collectives", "all_gather,all_reduce"]
        command = ["salloc", "--nodes=2", "--exclusive", "--quiet", PROGRAM, *words, "--max-bytes", "16K", "--out", out]
        done = cluster.run(command, timeout=1200)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])
        found = {(row["collective"], row["arm"]): float(row["alpha_us"]) for row in rows(out, "tables/collective_fits.csv")}
    findings = []
    for (collective, arm), delays in DELAYS_OF.items():
        alpha, expected = found[collective, arm], delays * plain
        claim = f"{DELAY_US / 1000:g} ms each way: α of {collective} by {arm}"
        bound = f"{expected / 1000:.2f} ms ± {TOLERANCE:.0%} ({delays} × plain sockets)"
        findings.append(Finding(claim, f"{alpha / 1000:.2f} ms", bound, abs(alpha - expected) <= TOLERANCE * expected))
    return findings

"""A node of which another process takes the core is named before the sweep, and two that are alike are not accused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conftest import Ddpbench
from finding import Finding
from nodes import PROGRAM, SHARED

TESTS = Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "cluster"))
from cluster import Cluster, why_not  # noqa: E402

RUNS = int(os.environ.get("DDPBENCH_PROOF_PREFLIGHTS", "100"))
BUSY = "while True: pass"


def bind(cluster: Cluster, node: str, core: int) -> None:
    """All that the node's daemon starts inherits it."""
    for pid in cluster.processes_on(node, "slurmd"):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})


def accused(cluster: Cluster) -> set[str]:
    """By one preflight, of both nodes."""
    command = ["salloc", "--nodes=2", "--exclusive", "--quiet", PROGRAM, "preflight"]
    done = cluster.run(command)
    if done.returncode not in (0, 1) or "could not be compared" in done.stdout:
        raise RuntimeError(done.stdout + done.stderr)
    return {node for node in cluster.names if f"{node} is " in done.stdout}


def beside_a_busy_process(cluster: Cluster, core: int) -> set[str]:
    with subprocess.Popen([sys.executable, "-c", BUSY], preexec_fn=lambda: os.sched_setaffinity(0, {core})) as busy:
        try:
            return accused(cluster)
        finally:
            busy.kill()


def slow_node_is_named(_: Ddpbench) -> list[Finding]:
    """Two nodes with a core each; in turn one of them beside a busy process, the other, and none."""
    cores = sorted(os.sched_getaffinity(0))
    missing = why_not() or ("needs two cores" if len(cores) < 2 else "")
    if missing:
        return [Finding("the slow node", missing, "a cluster", held=False)]
    named = wrong = healthy = 0
    with Cluster(nodes=2, shared=SHARED) as cluster:
        for node, core in zip(cluster.names, cores, strict=False):
            bind(cluster, node, core)
        for run in range(RUNS):
            slow = run % 2
            found = beside_a_busy_process(cluster, cores[slow])
            named += found == {cluster.names[slow]}
            wrong += bool(found - {cluster.names[slow]})
            healthy += bool(accused(cluster))
    return [
        Finding(f"of {RUNS} looks beside a busy process: its node is named, and no other", str(named), f"{0.95 * RUNS:g}",
                named >= 0.95 * RUNS),
        Finding(f"of {RUNS} looks beside a busy process: the other node is accused", str(wrong), f"at most {0.05 * RUNS:g}",
                wrong <= 0.05 * RUNS),
        Finding(f"of {RUNS} looks at two alike: one is accused", str(healthy), f"at most {0.05 * RUNS:g}",
                healthy <= 0.05 * RUNS),
    ]  # fmt: skip

"""How long the tool's own parts take."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from pathlib import Path

from conftest import PROGRAM, Ddpbench
from finding import Finding, at_most

STARTS = 21


def commands_start_at_once(ddpbench: Ddpbench) -> list[Finding]:
    findings = []
    for arguments in (["--help"], ["list"], ["plan", "demo"]):
        seconds = []
        for _ in range(STARTS):
            begin = time.perf_counter()
            ddpbench.run(*arguments)
            seconds.append(time.perf_counter() - begin)
        claim = f"`ddpbench {' '.join(arguments)}` answers at once (median of {STARTS})"
        findings.append(at_most(claim, 1e3 * statistics.median(seconds), 30, "ms"))
    return findings


def marks_of_a_step(_: Ddpbench) -> list[Finding]:
    """Caches warm: what the clocks and ranges of one step take when nothing else runs."""
    micro = Path(PROGRAM).with_name("ddpbench-micro")
    options = ["--benchmark_filter=^marks_of_a_step", "--benchmark_format=json"]
    done = subprocess.run([micro, *options], capture_output=True, text=True, check=True)
    measured = {entry["name"]: entry["real_time"] for entry in json.loads(done.stdout)["benchmarks"]}
    claim = "clocks and NVTX ranges of one step, caches warm"
    return [at_most(f"{claim} ({name})", nanoseconds / 1e3, 1, "us") for name, nanoseconds in measured.items()]

"""What this host resolves of the frameworks, and whether the step-wise figure is theirs."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from conftest import LONG_ENOUGH, Ddpbench, rows
from finding import Finding, at_most, half_width_us, interval_us
from python_launches import experiment, run
from scipy import stats

HERE = Path(__file__).resolve().parent
SHARE = Path(os.environ["DDPBENCH_PROGRAM"]).resolve().parents[1] / "share" / "ddpbench"
ROUNDS = 120
FAMILY = ["py_raw", "py_raw_again", "py_injected", "py_lightning", "py_lightning+typical"]


def experiment_text(arms: list[str], ranks: int, launches: int = 1) -> str:
    strategy = "single" if ranks == 1 else "ddp"
    return experiment(arms, strategy=strategy, ranks=ranks, protocol="injected_us = 200", launches=launches)


def measured(ddpbench: Ddpbench, name: str, text: str, protocol: str, **environment: str) -> tuple[dict, Path]:
    done, out = run(ddpbench, text, protocol=protocol, out=name, **environment)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return {(row["arm"], row["clock"]): row for row in rows(out, "overhead.csv")}, out


def resolved(row: dict[str, str], where: str, percent: float) -> Finding:
    share = 100 * half_width_us(row) / float(row["overhead_us"])
    claim = f"{row['arm']} {where}: the interval's half-width, share of the cost"
    return Finding(claim, f"{share:.1f} % of {interval_us(row)}", f"at most {percent:g} %", share <= percent)


def costs_are_resolved(ddpbench: Ddpbench) -> list[Finding]:
    alone, _ = measured(ddpbench, "alone", experiment_text(FAMILY, 1, 5), "max_seconds_per_launch = 30\nmin_super_blocks = 300")
    pair, _ = measured(ddpbench, "pair", experiment_text(FAMILY, 2, 5), "max_seconds_per_launch = 60\nmin_super_blocks = 300")
    findings = []
    for where, found, percent in (("in one process", alone, 5), ("on two ranks", pair, 15)):
        for arm in ("py_lightning", "py_lightning+typical"):
            findings.append(resolved(found[arm, "thread_cpu"], where, percent))
    wall = pair["py_lightning", "wall"]
    wait = f"{float(wall['comm_wait_us']):+.0f} [{float(wall['comm_wait_us_lo']):+.0f}, {float(wall['comm_wait_us_hi']):+.0f}] us"
    claim = "py_lightning on two ranks: longer in collectives than py_raw; of its cost on the wall clock"
    findings.append(Finding(claim, f"{wait}; of {interval_us(wall)}", "told, not judged", held=True))
    again = alone["py_raw_again", "wall"] if ("py_raw_again", "wall") in alone else alone["py_lightning", "wall"]
    edges = [abs(float(again[edge])) for edge in ("aa_us_lo", "aa_us_hi")]
    findings.append(at_most("the A/A interval of the Python family in one process", max(edges), 5, "us"))
    control = alone["py_lightning", "thread_cpu"]
    true_us, found_us = float(control["injected_true_us"]), float(control["injected_us"])
    claim = "200 us are found in the Python family"
    is_found = abs(found_us - true_us) <= 0.05 * true_us
    findings.append(Finding(claim, f"{found_us:.1f} us, truth {true_us:.1f}", "truth ± 5 %", is_found))
    return findings


def mean_interval(values: list[float]) -> tuple[float, float, float]:
    """Mean and 95 % t-interval."""
    mean = statistics.fmean(values)
    half = stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return mean, mean - half, mean + half


def step_wise_is_the_frameworks_own(ddpbench: Ddpbench) -> list[Finding]:
    environment = ddpbench.environment | {"DDPBENCH_PYTHON_ARMS": str(SHARE / "python"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-B", HERE / "stepped_against_uncut.py", str(ROUNDS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=LONG_ENOUGH)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    added = statistics.fmean(line["uncut"] for line in rounds)
    mean, lo, hi = (100 * value / added for value in mean_interval([line["stepped"] - line["uncut"] for line in rounds]))
    figure = f"{mean:+.1f} [{lo:+.1f}, {hi:+.1f}] % of {added:.1f} us; {len(rounds)} rounds"
    claim = "what py_lightning adds, stepped in blocks, less what uncut fits of 400 steps add"
    return [Finding(claim, figure, "the interval within ± 5 %", lo >= -5 and hi <= 5)]


def raw_step_us(out: Path) -> float:
    steps = [step for step in rows(out, "steps.csv.gz") if step["arm"] == "raw" and step["discarded"] == "0" and step["step_s"]]
    return 1e6 * statistics.median(float(step["thread_cpu_s"]) for step in steps if step["super_block"] != "0")


def hosts_cost_the_same(ddpbench: Ddpbench) -> list[Finding]:
    """raw beside its A/A control, and beside an arm in Python, which changes nothing but the process around it; in turn."""
    ratios = []
    for number in range(8):
        protocol = f"seed = {number + 1}\nmin_super_blocks = 400\nmax_super_blocks = 400"
        in_worker = measured(ddpbench, f"worker{number}", experiment_text(["raw", "raw_again"], 1), protocol)[1]
        in_python = measured(ddpbench, f"python{number}", experiment_text(["raw", "py_raw"], 1), protocol)[1]
        ratios.append(100 * (raw_step_us(in_python) / raw_step_us(in_worker) - 1))
    mean, lo, hi = mean_interval(ratios)
    figure = f"{mean:+.1f} [{lo:+.1f}, {hi:+.1f}] %; {len(ratios)} pairs of launches"
    claim = "raw hosted by Python, beside an arm in Python, against raw in the worker"
    return [Finding(claim, figure, "told, not judged", held=True)]

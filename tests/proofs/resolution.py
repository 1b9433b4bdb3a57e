"""What this host resolves: a known delay, a delay behind every n-th step, arms beside a busy neighbour, the trainer's rungs."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from conftest import NULL_EXPERIMENT, Ddpbench, rows
from finding import WIDER, Finding, at_most, half_width_us, interval_us

Rows = dict[tuple[str, str], dict[str, str]]


def measured(ddpbench: Ddpbench, protocol: str, *settings: str) -> Rows:
    """The rows of overhead.csv by arm and clock, of one run of two ranks over gloo."""
    out = ddpbench.folder / "out"
    arguments = [part for setting in settings for part in ("--set", setting)]
    experiment = ddpbench.experiment(NULL_EXPERIMENT, protocol)
    done = ddpbench.run("run", experiment, "--out", out, *arguments)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return {(row["arm"], row["clock"]): row for row in rows(out, "overhead.csv")}


def one_known_delay(ddpbench: Ddpbench, injected_us: int) -> list[Finding]:
    found = measured(ddpbench, f"injected_us = {injected_us}\nmin_super_blocks = 300\nmax_super_blocks = 300")
    row = found["injected", "thread_cpu"]
    true_us, found_us = float(row["injected_true_us"]), float(row["injected_us"])
    tolerance = max(0.05 * true_us, 2) + WIDER * half_width_us(row)
    claim = f"a delay of {injected_us} us before every step is found on the main thread's CPU clock"
    figure, bound = f"{found_us:.1f} us, truth {true_us:.1f}", f"truth ± {tolerance:.1f} us"
    kept = injected_us <= true_us <= injected_us + 5
    return [
        Finding(claim, figure, bound, abs(found_us - true_us) <= tolerance),
        Finding(f"the delay itself takes {injected_us} us", f"{true_us:.2f} us", "at most 5 us more", kept),
    ]


def known_delays(ddpbench: Ddpbench) -> list[Finding]:
    findings = []
    for injected_us in (20, 50, 200):
        folder = ddpbench.folder / str(injected_us)
        folder.mkdir()
        findings += one_known_delay(Ddpbench(folder), injected_us)
    return findings


def periodic_delay(ddpbench: Ddpbench) -> list[Finding]:
    protocol = "injected_us = 200\nmin_super_blocks = 40\nmax_super_blocks = 40"
    row = measured(ddpbench, protocol, "arms=raw,raw_again,injected_periodic")["injected_periodic", "thread_cpu"]
    centre, lo, hi = (float(row[f"periodic_us{bound}"]) for bound in ("", "_lo", "_hi"))
    tolerance = 0.05 * 4 + WIDER * 0.5 * (hi - lo)
    claim = "200 us behind every 50th step are 4 us per step"
    return [Finding(claim, f"{centre:.2f} [{lo:.2f}, {hi:.2f}] us", f"4 ± {tolerance:.2f} us", abs(centre - 4) <= tolerance)]


@contextlib.contextmanager
def busy_neighbour() -> Iterator[None]:
    """A process that does nothing but compute, until the block is left."""
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        neighbour.kill()
        neighbour.wait()


def beside_a_neighbour(ddpbench: Ddpbench) -> list[Finding]:
    """Whether the control is found is not claimed: beside a neighbour a delay costs the step behind it more than itself."""
    with busy_neighbour():
        protocol = "margin_us = 12\ninjected_us = 200\nmin_super_blocks = 300\nmax_seconds_per_launch = 40"
        found = measured(ddpbench, protocol)
    wall, cpu = found["trainer", "wall"], found["trainer", "thread_cpu"]
    lo, hi = float(cpu["aa_us_lo"]), float(cpu["aa_us_hi"])
    beside = "beside a process that only computes "
    return [
        Finding(beside + "the A/A pair agrees on CPU time", f"[{lo:+.1f}, {hi:+.1f}] us", "inside ±12 us", -12 <= lo <= hi <= 12),
        at_most(beside + "the trainer is resolved on CPU time", half_width_us(cpu), 12, "us half-width"),
        Finding(
            beside + "the wall clock claims no more than CPU time",
            f"{wall['verdict']}, half-width {half_width_us(wall):.1f} us",
            f"wider than {half_width_us(cpu):.1f} us",
            half_width_us(wall) > half_width_us(cpu),
        ),
    ]


def empty_rungs(ddpbench: Ddpbench) -> list[Finding]:
    """One process, so that no peer's wait is in it."""
    protocol = "margin_us = 4\nmin_super_blocks = 400\nmax_super_blocks = 400"
    arms = "arms=raw,raw_again,injected,trainer,trainer-loss,trainer-loss-fetch"
    found = measured(ddpbench, protocol, "strategy=single", "ranks_per_node=1", arms)
    cpu = {arm: row for (arm, clock), row in found.items() if clock == "thread_cpu"}
    aa, rungs = cpu["raw_again"], cpu["trainer-loss"]
    aa_inside = -2 <= float(aa["overhead_us_lo"]) <= float(aa["overhead_us_hi"]) <= 2
    return [
        Finding("400 pairs resolve 2 us on CPU time, one process", interval_us(aa), "A/A inside ±2 us", aa_inside),
        at_most("the rungs `loops` and `fetch` together, one process", float(rungs["overhead_us"]), 2, "us"),
    ]

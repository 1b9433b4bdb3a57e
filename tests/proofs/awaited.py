"""Awaited time on this host: the wall clock where nobody else has the cores, and the same beside three busy processes."""

from __future__ import annotations

import contextlib

from conftest import Ddpbench
from finding import WIDER, Finding, half_width_us, interval_us
from resolution import Rows, busy_neighbour, measured

DELAY_US = 100
ARMS = "arms=raw,raw_again,injected,injected+wait,injected+rank0,trainer"
ALONE = "arms=raw,raw_again,injected,injected+wait,trainer"
BUSY = 3


def fresh(ddpbench: Ddpbench, name: str) -> Ddpbench:
    folder = ddpbench.folder / name
    folder.mkdir()
    return Ddpbench(folder)


def cost(row: dict[str, str]) -> float:
    return float(row["overhead_us"])


def as_wall(found: Rows, arm: str, where: str) -> Finding:
    """Within 2 % or 5 us of the wall's cost, and what the two intervals leave open."""
    awaited, wall = found[arm, "awaited"], found[arm, "wall"]
    bound = max(0.02 * abs(cost(wall)), 5) + WIDER * (half_width_us(awaited) + half_width_us(wall))
    claim = f"{where}, {arm} costs on the awaited clock what it costs on the wall"
    figure = f"{interval_us(awaited)}, wall {interval_us(wall)}"
    return Finding(claim, figure, f"± {bound:.1f} us", abs(cost(awaited) - cost(wall)) <= bound)


def as_quiet(busy: Rows, quiet: Rows, arm: str) -> Finding:
    """A fifth: caches are colder, and threads are woken on cores that compute."""
    a, b = busy[arm, "awaited"], quiet[arm, "awaited"]
    bound = 0.2 * abs(cost(b)) + WIDER * (half_width_us(a) + half_width_us(b))
    claim = f"beside {BUSY} busy processes {arm} costs on the awaited clock what it costs without them"
    return Finding(claim, f"{interval_us(a)}, quiet {interval_us(b)}", f"± {bound:.1f} us", abs(cost(a) - cost(b)) <= bound)


def is_found_asleep(found: Rows, where: str) -> list[Finding]:
    """The arm sleeps its delay: CPU time sees what waking costs, and not the sleep."""
    awaited, cpu = found["injected+wait", "awaited"], found["injected+wait", "thread_cpu"]
    slept = float(awaited["injected_true_us"]) if awaited["injected_true_us"] else DELAY_US
    return [
        Finding(
            f"{where}, a delay that is slept is found on the awaited clock",
            f"{interval_us(awaited)}; on CPU time {interval_us(cpu)}",
            f"from {DELAY_US} us on, and more than on CPU time",
            cost(awaited) >= min(slept, DELAY_US) and cost(awaited) > cost(cpu) + half_width_us(awaited),
        )
    ]


def awaited_time(ddpbench: Ddpbench) -> list[Finding]:
    protocol = f"injected_us = {DELAY_US}\nmin_super_blocks = 300\nmax_super_blocks = 300"
    alone = measured(fresh(ddpbench, "alone"), protocol, ALONE, "strategy=single", "ranks_per_node=1")
    quiet = measured(fresh(ddpbench, "quiet"), protocol, ARMS)
    with contextlib.ExitStack() as neighbours:
        for _ in range(BUSY):
            neighbours.enter_context(busy_neighbour())
        busy = measured(fresh(ddpbench, "busy"), protocol, ARMS)
    findings = [as_wall(alone, arm, "of one rank") for arm in ("injected", "injected+wait", "trainer")]
    findings += [as_wall(quiet, arm, "of two ranks") for arm in ("injected", "injected+rank0", "trainer")]
    findings += is_found_asleep(quiet, "of two ranks")
    findings += [as_quiet(busy, quiet, arm) for arm in ("injected", "injected+wait", "injected+rank0", "trainer")]
    return findings + is_found_asleep(busy, f"beside {BUSY} busy processes")

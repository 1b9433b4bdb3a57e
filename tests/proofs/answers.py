"""What a run answers: costs that a plain comparison of medians misses or misnames, and the demo beside a busy process."""

from __future__ import annotations

from pathlib import Path

from conftest import Ddpbench, rows
from finding import WIDER, Finding, half_width_us
from resolution import busy_neighbour, measured

DEMOS = 5


def probe(ddpbench: Ddpbench, feature: str, injected_us: int, pairs: int) -> dict[str, str]:
    """The row of `injected` with a feature, on thread CPU. The delay is known, so that no other control runs beside it."""
    protocol = (
        f"injected_us = {injected_us}\nmin_super_blocks = {pairs}\nmax_super_blocks = {pairs}\nmax_seconds_per_launch = 600"
    )
    found = measured(ddpbench, protocol, f"arms=raw,raw_again,trainer,injected+{feature}")
    return found["injected+" + feature, "thread_cpu"]


def delay_on_one_rank(ddpbench: Ddpbench) -> list[Finding]:
    row = probe(ddpbench, "rank0", 20, 2400)
    rank, us = int(row["largest_rank"]), float(row["largest_rank_us"])
    mean_us = float(row["overhead_us"])
    told = f"rank {rank}: {us:.1f} [{float(row['largest_rank_us_lo']):.1f}, {float(row['largest_rank_us_hi']):.1f}] us"
    return [
        Finding("20 us on rank 0 of two are found there", told, "rank 0, 20 ± 5 us", rank == 0 and abs(us - 20) <= 5),
        Finding("their mean over the ranks is half of that", f"{mean_us:.1f} us", "10 ± 5 us", abs(mean_us - 10) <= 5),
        Finding("they are named", row["verdict"], "SLOWER", row["verdict"] == "SLOWER"),
    ]


def delay_in_every_tenth_step(ddpbench: Ddpbench) -> list[Finding]:
    row = probe(ddpbench, "every=10", 1000, 600)
    mean_us = float(row["overhead_us_of_means"])
    half_us = 0.5 * (float(row["overhead_us_of_means_hi"]) - float(row["overhead_us_of_means_lo"]))
    tolerance = 10 + WIDER * half_us
    told = row["reason"]
    return [
        Finding(
            "1 ms in every tenth step is 100 us of the mean step",
            f"{mean_us:.0f} us",
            f"100 ± {tolerance:.0f} us",
            abs(mean_us - 100) <= tolerance,
        ),
        Finding(
            "the median step misses it, and the verdict does not",
            f"{row['verdict']}: {told}",
            "SLOWER, by its mean",
            row["verdict"] == "SLOWER" and "mean step" in told,
        ),
    ]


def demo_beside_a_busy_process(ddpbench: Ddpbench) -> list[Finding]:
    quiet_us = half_width_us(nulls_trainer(run_demo(ddpbench, ddpbench.folder / "quiet")))
    findings = []
    with busy_neighbour():
        for number in range(1, DEMOS + 1):
            table = run_demo(ddpbench, ddpbench.folder / f"demo-{number}")
            findings += demo_findings(table, f"demo {number} beside a process that only computes: ", quiet_us)
    return findings


def run_demo(ddpbench: Ddpbench, out: Path) -> list[dict[str, str]]:
    done = ddpbench.run("run", "demo", "--out", out)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return rows(out, "overhead.csv")


def nulls_trainer(table: list[dict[str, str]]) -> dict[str, str]:
    wanted = ("trainer", "thread_cpu")
    return next(row for row in table if row["cell_id"].startswith("null") and (row["arm"], row["clock"]) == wanted)


def demo_findings(table: list[dict[str, str]], which: str, quiet_us: float) -> list[Finding]:
    judged = [row for row in table if row["verdict"]]
    mute = [row for row in judged if row["verdict"] == "UNMEASURABLE" or not row["at_most_us"]]
    named = "; ".join(f"{row['cell_id']} {row['arm']} {row['clock']}" for row in mute)
    trainer = nulls_trainer(table)
    figure = (
        f"{trainer['verdict']} {float(trainer['overhead_us']):+.1f} ± {half_width_us(trainer):.1f} us (quiet: ± {quiet_us:.1f})"
    )
    return [
        Finding(
            which + "a verdict with its bound in every row",
            f"{len(mute)} of {len(judged)} mute {named}".strip(),
            "none",
            not mute,
        ),
        Finding(which + "the null model's trainer", figure, "SLOWER", trainer["verdict"] == "SLOWER"),
    ]

"""The protocol on this machine, whatever else it does: two real ranks over gloo, delays far above any noise, consistent claims.

How finely a quiet machine resolves is a proof (tests/proofs/resolution.py).
"""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Ddpbench, rows

EXPERIMENT = """
name = "protocol"
arms = ["raw", "raw_again", "trainer", "injected", "injected+wait", "injected_periodic"]
[axes]
workload = ["null"]
ranks_per_node = [2]
batch_size_per_rank = [4]
[protocol]
launches = 1
"""


def counts_run_delays() -> bool:
    """Of a kernel that does not, the file is missing or holds zeros."""
    with contextlib.suppress(OSError):
        return Path("/proc/self/schedstat").read_text(encoding="ascii").split()[2] != "0"
    return False


NO_RUN_DELAYS = pytest.mark.skipif(not counts_run_delays(), reason="this kernel counts no run delays (/proc/self/schedstat)")
CLOCKS = ("wall", "thread_cpu", "process_cpu", *(["awaited"] if counts_run_delays() else []))

# A step of the null model takes 0.1 ms of CPU, and noise is a fraction of that.
INJECTED_US = 20_000
EVERY = 50  # steps, of injected_periodic
EVENTS = 40
MARGIN_US = 5_000
PROTOCOL = f"injected_us = {INJECTED_US}\nmargin_us = {MARGIN_US}\nmin_super_blocks = 12\nmax_super_blocks = 12"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory):
    """The results folder of one run, and the rows of its overhead.csv by arm and clock."""
    ddpbench = Ddpbench(tmp_path_factory.mktemp("measured"))
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(EXPERIMENT, PROTOCOL), "--out", out)
    assert done.returncode == 0, done.stderr
    return out, {(row["arm"], row["clock"]): row for row in rows(out, "overhead.csv")}


def numbers(row: dict[str, str], *columns: str) -> list[float]:
    return [float(row[column]) for column in columns]


def test_every_arm_has_a_row_for_every_clock_with_ordered_bounds(measured):
    _, found = measured
    arms = {"raw_again", "trainer", "injected", "injected+wait", "injected_periodic"}
    assert {arm for arm, _ in found} == arms
    for clock in CLOCKS:
        for arm in arms:
            row = found[arm, clock]
            for unit in ("us", "percent"):
                lo, centre, hi = numbers(row, f"overhead_{unit}_lo", f"overhead_{unit}", f"overhead_{unit}_hi")
                assert lo <= centre <= hi, row
            assert row["pairs"] == "12" and row["launches"] == "1", row
            assert row["reason"], row


def test_a_delay_far_above_the_noise_is_found_with_its_sign(measured):
    row = measured[1]["injected", "thread_cpu"]
    true_us, found_us, lo = numbers(row, "injected_true_us", "injected_us", "overhead_us_lo")
    assert true_us >= INJECTED_US, "it spins at least so long"
    assert lo > 0, row
    assert 0.5 * true_us < found_us < 2 * true_us, row
    assert row["verdict"] == "SLOWER", row["reason"]


@NO_RUN_DELAYS
def test_a_delay_that_is_slept_is_found_on_the_awaited_clock_and_not_on_cpu_time(measured):
    """CPU time alone would call it equal within ±5 ms."""
    out, found = measured
    awaited, cpu = found["injected+wait", "awaited"], found["injected+wait", "thread_cpu"]
    (lo, waiting_us) = numbers(awaited, "overhead_us_lo", "waiting_us_lo")
    assert lo > 0.5 * INJECTED_US and waiting_us > 0.5 * INJECTED_US, awaited
    assert awaited["verdict"] == "SLOWER", awaited["reason"]
    assert float(cpu["overhead_us_hi"]) < 0.5 * INJECTED_US, cpu
    assert cpu["verdict"] not in ("EQUIVALENT", ""), cpu
    summary = json.loads((out / "tables" / "summary.json").read_text(encoding="utf-8"))
    assert summary["primary_clock"] == "awaited"


@NO_RUN_DELAYS
def test_a_step_is_awaited_by_all_ranks_alike(measured):
    out, _ = measured
    by_step: dict[tuple[str, ...], set[str]] = {}
    for row in rows(out, "steps.csv.gz"):
        if row["super_block"] != "0":
            by_step.setdefault((row["block"], row["step"]), set()).add(row["awaited_s"])
    assert by_step and all(len(told) == 1 and float(next(iter(told))) > 0 for told in by_step.values())


def test_a_delay_behind_every_nth_step_is_a_term_of_its_own(measured):
    out, found = measured
    row = found["injected_periodic", "thread_cpu"]
    lo, centre, hi = numbers(row, "periodic_us_lo", "periodic_us", "periodic_us_hi")
    truth = INJECTED_US / EVERY
    assert lo <= centre <= hi
    assert 0.5 * truth < centre < 2 * truth
    assert found["trainer", "thread_cpu"]["periodic_us"] == "", "it has no such work"
    events = [row for row in rows(out, "metrics.csv") if row["metric"] == "periodic_thread_cpu_s.spin"]
    assert [event["rank"] for event in events] == ["0"] * EVENTS + ["1"] * EVENTS
    assert all(float(event["value"]) >= 1e-6 * INJECTED_US for event in events)


def test_no_verdict_says_more_than_its_interval(measured):
    """The rules of docs/measurement.md, "Verdicts", for whatever this machine allowed to be said."""
    for (arm, clock), row in measured[1].items():
        if clock == "process_cpu":
            assert row["verdict"] == "", "it bears none"
            continue
        terms = [column for column in ("overhead_us", "periodic_us") if row[column]]
        centre = sum(float(row[term]) for term in terms)
        aa_lo, aa_hi = numbers(row, "aa_us_lo", "aa_us_hi")
        if row["verdict"] == "UNMEASURABLE":
            assert "the positive control is off" in row["reason"], row
            continue
        margin = float(row["margin_us"])
        assert margin == pytest.approx(max(MARGIN_US, 0.005 * float(row["step_us"])))
        at_least, at_most, resolution = numbers(row, "at_least_us", "at_most_us", "resolution_us")
        mean = sum(float(row[term]) for term in ("overhead_us_of_means", "periodic_us") if row[term])
        assert at_least <= max(centre, mean) and min(centre, mean) <= at_most and resolution > 0, row
        if row["verdict"] == "EQUIVALENT":
            assert -margin <= min(centre, aa_lo) <= max(centre, aa_hi) <= margin, (arm, clock, row)
        elif row["verdict"] == "FASTER":
            assert at_most < 0 and float(row["p_holm"]) < 0.05, (arm, clock, row)
        elif row["verdict"] == "AMBIGUOUS":
            assert "at most" in row["reason"], (arm, clock, row)
        else:
            assert row["verdict"] == "SLOWER", (arm, clock, row)
            median_step, mean_step, one_rank = "overhead_us_lo", "overhead_us_of_means_lo", "largest_rank_us_lo"
            lower = [float(row[column]) for column in (median_step, mean_step, one_rank) if row[column]]
            assert max(lower) > 0 or centre > 0, (arm, clock, row)


@contextlib.contextmanager
def busy_neighbours(count: int):
    """Processes that do nothing but compute, until the block is left."""
    neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


def test_neighbours_on_every_core_are_seen(ddpbench):
    out = ddpbench.folder / "out"
    with busy_neighbours(os.cpu_count()):
        protocol = "min_super_blocks = 300\nmax_super_blocks = 300"
        arguments = ["--set", "arms=raw,raw_again", "--out", out]
        done = ddpbench.run("run", ddpbench.experiment(EXPERIMENT, protocol), *arguments)
    assert done.returncode == 0, done.stderr
    assert any(block["disturbed"] == "1" for block in rows(out, "blocks.csv.gz"))

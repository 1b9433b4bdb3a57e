"""A rank or a launcher that stands still: it is named with what it was at, and everything ends."""

import os
import re
import signal

import pytest
from conftest import (
    LONG_ENOUGH,
    NULL_EXPERIMENT,
    alive,
    check_partial_results,
    descendants,
    process_file,
    ranks_of,
    rows,
    wait_until,
    workers_below,
)

PHASES = ["data", "h2d", "forward", "backward", "optimizer", "wrapper", "other"]


@pytest.mark.parametrize("rank", [0, 1])
def test_a_rank_that_hangs_is_named_with_its_phase_and_everything_ends(ddpbench, rank, launcher):
    out = ddpbench.folder / "out"
    hang_timeout_seconds = 20  # ranks also meet within it, on a machine that has other work

    def stop_one_rank(process):
        os.kill(ranks_of(process.pid)[rank], signal.SIGSTOP)

    text = NULL_EXPERIMENT + f"hang_timeout_seconds = {hang_timeout_seconds}\n"
    done, _ = ddpbench.interrupt(stop_one_rank, out, text, arguments=["--launcher", launcher])
    assert done.returncode == 1
    reason = rows(out, "runs.csv")[0]["reason"]
    suspended = r"rank (\d) hangs: its process is suspended \(SIGSTOP\) in phase (\w+) of \S+ after (\d+) super-blocks"
    found = re.search(suspended, reason)
    assert found, reason
    assert int(found[1]) == rank
    assert found[2] in PHASES
    assert int(found[3]) > 0
    assert reason in done.stdout
    check_partial_results(ddpbench, out, "failed")


def first_workers(process, count):
    """The workers of a driver from their first instant: most have said nothing yet."""
    found = []

    def are_there():
        nonlocal found
        found = workers_below(process.pid)
        return len(found) >= count or process.poll() is not None

    wait_until(are_there, "ranks", interval=0.001)
    return found


@pytest.mark.parametrize("count", [1, 2], ids=["one rank", "all ranks"])
def test_ranks_that_stall_before_their_first_step_end_the_launch_and_are_named(ddpbench, count, launcher):
    experiment = ddpbench.experiment(NULL_EXPERIMENT + "hang_timeout_seconds = 10\n")
    assert ddpbench.run("doctor").returncode == 0, "its probe is kept: what starts from here on is a rank"
    out = ddpbench.folder / "out"
    process = ddpbench.start("run", experiment, "--out", out, "--launcher", launcher)
    stalled = first_workers(process, count)[:count]
    for pid in stalled:
        os.kill(pid, signal.SIGSTOP)
    stdout, stderr = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 1, stderr
    reason = rows(out, "runs.csv")[0]["reason"]
    assert re.search(r"rank \d hangs: its process is suspended \(SIGSTOP\) [a-z ]+, before its first step", reason), reason
    assert reason in stdout
    assert [pid for pid in stalled if alive(pid)] == []


def test_a_torchrun_that_stalls_ends_the_launch(ddpbench):
    experiment = ddpbench.experiment(NULL_EXPERIMENT + "hang_timeout_seconds = 10\n")
    out = ddpbench.folder / "out"
    process = ddpbench.start("run", experiment, "--out", out, "--launcher", "torchrun")
    wait_until(lambda: torchruns_below(process.pid) or process.poll() is not None, "torchrun", interval=0.001)
    for torchrun in torchruns_below(process.pid):
        os.kill(torchrun, signal.SIGSTOP)
    _, stderr = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 1, stderr
    assert "before its first step" in rows(out, "runs.csv")[0]["reason"]


def torchruns_below(pid):
    return [p for p in descendants(pid) if b"torch.distributed.run" in process_file(p, "cmdline")]

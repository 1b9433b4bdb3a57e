"""What goes wrong in a launch with arms in Python: it ends, is named, and nothing is lost."""

import os
import re
import signal

import pytest
from conftest import LONG_ENOUGH, PROGRAM, alive, bytes_of_parts, check_partial_results, ranks_of, rows, wait_until
from python_launches import ENDLESS, TWO_LANGUAGES, experiment, python_that, run

BLOCKS = 4  # four arms, each once: a reference stands more than once only beside more than four others
BY_HAND = ["raw", "trainer", "py_raw", "py_raw_item"]  # where no framework has a say: to import one takes longer than the rest


def test_an_exception_in_user_code_is_shown_with_its_traceback_and_its_arm(ddpbench):
    failing = """
def change(trainer):
    from ddpbench_arms.modules import Module
    step, calls = Module.training_step, []

    def fails_later(module, batch, batch_idx):
        calls.append(1)
        if len(calls) > 30:
            raise ValueError("what the user wrote")
        return step(module, batch, batch_idx)

    Module.training_step = fails_later

when_imported("ddpbench_arms.trainer", change)
"""
    done, out = run(ddpbench, experiment(TWO_LANGUAGES), **python_that(ddpbench, failing))
    assert done.returncode == 1
    reason = rows(out, "runs.csv")[0]["reason"]
    assert "arm 'py_lightning': ValueError: what the user wrote" in reason
    said = done.stdout + done.stderr
    assert "py_lightning: Traceback" in said and "fails_later" in said


def test_a_failure_is_told_once_where_it_is_read(ddpbench):
    failing = """
def change(raw):
    raise ValueError("what the user wrote")

when_imported("ddpbench_arms.raw", change)
"""
    path = ddpbench.experiment(experiment(BY_HAND, launches=2))
    variables = " ".join(f"{name}='{value}'" for name, value in python_that(ddpbench, failing).items())
    together = ddpbench.paste(f"{variables} {PROGRAM} run {path} --tables-only --out together 2>&1").stdout
    for ended in {row["launch_id"]: row for row in rows(ddpbench.folder / "together", "runs.csv")}.values():
        line = f"launch {ended['launch_id']} failed: {ended['reason']}"
        assert together.count(line) == 1, together
        assert together.count(ended["reason"]) <= 2, "another launch may have failed alike"
    assert "There is no answer: no launch finished; of 2 launches: 2 failed." in together
    apart = ddpbench.paste(f"{PROGRAM} report together --tables-only 2> /dev/null").stdout
    reasons = {row["reason"] for row in rows(ddpbench.folder / "together", "runs.csv")}
    assert [apart.count(reason) for reason in reasons] == [1] * len(reasons), "launches that failed alike share a line"


def test_a_killed_rank_ends_the_launch_and_keeps_its_super_blocks(ddpbench):
    out = ddpbench.folder / "out"

    def kill(process):
        os.kill(ranks_of(process.pid)[1], signal.SIGKILL)

    done, _ = ddpbench.interrupt(kill, out, experiment(BY_HAND))
    assert done.returncode == 1
    assert "rank 1" in done.stdout + done.stderr and "signal 9" in done.stdout + done.stderr
    check_partial_results(ddpbench, out, "failed", BLOCKS)


def test_a_peer_that_dies_inside_lightnings_own_broadcast_ends_the_launch(ddpbench):
    dying = """
def change(trainer):
    import os, signal
    from lightning.pytorch.loops.training_epoch_loop import _TrainingEpochLoop
    broadcast = _TrainingEpochLoop._broadcast_sigterm_tensor
    calls = []

    def dies_there(loop):
        calls.append(1)
        if len(calls) == 200 and os.environ["RANK"] == "1":
            os.kill(os.getpid(), signal.SIGKILL)
        broadcast(loop)

    _TrainingEpochLoop._broadcast_sigterm_tensor = dies_there

when_imported("ddpbench_arms.trainer", change)
"""
    done, out = run(ddpbench, experiment(TWO_LANGUAGES), protocol=ENDLESS, **python_that(ddpbench, dying))
    assert done.returncode == 1
    reason = rows(out, "runs.csv")[0]["reason"]
    assert "rank 1" in reason and "signal 9" in reason


def test_a_stopped_rank_is_named(ddpbench):
    out = ddpbench.folder / "out"

    def suspend(process):
        os.kill(ranks_of(process.pid)[1], signal.SIGSTOP)

    done, _ = ddpbench.interrupt(suspend, out, experiment(BY_HAND, protocol="hang_timeout_seconds = 6"))
    assert done.returncode == 1
    assert "SIGSTOP" in rows(out, "runs.csv")[0]["reason"]


def test_a_thread_that_holds_the_interpreters_lock_is_a_hang_that_is_named(ddpbench):
    holding = """
def change(trainer):
    import ctypes, os, threading
    from ddpbench_arms.modules import Module
    step, calls = Module.training_step, []

    def hold():
        ctypes.PyDLL(None).sleep(3600)  # PyDLL: without letting the lock go

    def held_later(module, batch, batch_idx):
        calls.append(1)
        if len(calls) == 200 and os.environ["RANK"] == "1":
            threading.Thread(target=hold, daemon=True).start()
        return step(module, batch, batch_idx)

    Module.training_step = held_later

when_imported("ddpbench_arms.trainer", change)
"""
    text = experiment(TWO_LANGUAGES, protocol="hang_timeout_seconds = 6")
    done, out = run(ddpbench, text, protocol=ENDLESS, **python_that(ddpbench, holding))
    assert done.returncode == 1
    reason = rows(out, "runs.csv")[0]["reason"]
    assert "hangs" in reason and "rank 1" in reason


@pytest.mark.parametrize(
    ("call", "limits", "where"),
    [
        (1, "hang_timeout_seconds = 6\nfirst_step_timeout_seconds = 25", "(after 0 super-blocks|before its first step)"),
        (400, "hang_timeout_seconds = 6", "after [1-9][0-9]* super-blocks"),
    ],
    ids=["first step", "measuring"],
)
def test_a_rank_that_computes_and_comes_no_further_is_named(ddpbench, call, limits, where):
    spinning = f"""
def change(raw):
    import os
    step, calls = raw.Raw.step, []

    def spins(arm):
        calls.append(1)
        while len(calls) == {call} and os.environ["RANK"] == "1":
            pass
        return step(arm)

    raw.Raw.step = spins

when_imported("ddpbench_arms.raw", change)
"""
    done, out = run(ddpbench, experiment(BY_HAND, protocol=limits), protocol=ENDLESS, **python_that(ddpbench, spinning))
    assert done.returncode == 1
    reason = rows(out, "runs.csv")[0]["reason"]
    assert re.search(f"rank 1 comes no further: it is .*{where}, for [0-9]+ s now", reason), reason
    if call == 1:
        assert "(first_step_timeout_seconds = 25)" in reason


def test_ctrl_c_stops_the_run(ddpbench):
    out = ddpbench.folder / "out"
    done, _ = ddpbench.interrupt(lambda process: process.send_signal(signal.SIGINT), out, experiment(TWO_LANGUAGES))
    assert done.returncode == 75, done.stderr
    assert "KeyboardInterrupt" not in done.stdout + done.stderr
    check_partial_results(ddpbench, out, "partial", BLOCKS)


@pytest.mark.parametrize(
    ("module", "owner", "where"),
    [("ddpbench_arms.runtime", "Runtime", "make_arm"), ("ddpbench_arms.trainer", "LightningArm", "close")],
)
def test_a_sigterm_behind_a_framework_s_head_or_its_end_is_the_launchs(ddpbench, module, owner, where):
    """Lightning's fit() would set handlers of its own and put others back; a SIGTERM must ask this rank to stop as ever."""
    imported = "ddpbench_harness" if owner == "Runtime" else module  # which is imported by its name
    stopping = f"""
def change(_):
    import os, signal
    from {module} import {owner}
    before = {owner}.{where}

    def then_stop(self, *arguments):
        result = before(self, *arguments)
        os.kill(os.getpid(), signal.SIGTERM)
        return result

    {owner}.{where} = then_stop

when_imported("{imported}", change)
"""
    done, out = run(ddpbench, experiment(TWO_LANGUAGES, strategy="single", ranks=1), **python_that(ddpbench, stopping))
    status = {run["status"] for run in rows(out, "runs.csv")}
    assert status == ({"partial"} if where == "make_arm" else {"ok"}), done.stdout + done.stderr


def test_a_driver_that_dies_leaves_no_rank(ddpbench):
    out = ddpbench.folder / "out"
    path = ddpbench.experiment(experiment(BY_HAND), protocol="max_seconds_per_launch = 600")
    process = ddpbench.start("run", path, "--out", out)
    wait_until(lambda: bytes_of_parts(out) > 20_000, "super-blocks on disk")
    ranks = ranks_of(process.pid)
    process.kill()
    process.communicate(timeout=LONG_ENOUGH)
    wait_until(lambda: not any(map(alive, ranks)), "end of the ranks")

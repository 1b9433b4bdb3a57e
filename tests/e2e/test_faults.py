"""What goes wrong while it runs: everything ends, nothing is lost, nobody is left."""

import os
import signal
import subprocess
import time

import pytest
from conftest import alive, children, kill_one_rank, rows, wait_until

SOON = 10  # seconds, the contract's


def check_partial_results(ddpbench, out, status):
    runs = rows(out, "runs.csv")
    assert {run["status"] for run in runs} == {status}
    assert all(run["reason"] for run in runs)
    steps = [step for step in rows(out, "steps.csv.gz") if step["super_block"] != "0"]
    super_blocks = int(runs[0]["super_blocks"])
    assert super_blocks > 0
    assert len(steps) == super_blocks * 4 * 5 * 2, "only whole super-blocks, of both ranks"
    assert ddpbench.run("verify", out).returncode == 0
    assert (out / "report.html").exists()


def test_a_killed_rank_ends_the_launch_and_keeps_its_super_blocks(ddpbench):
    out = ddpbench.folder / "out"
    done, seconds = ddpbench.interrupt(kill_one_rank, out)
    assert done.returncode == 1
    assert seconds < SOON
    assert "rank 1" in done.stdout + done.stderr and "signal 9" in done.stdout + done.stderr
    check_partial_results(ddpbench, out, "failed")


def test_ctrl_c_stops_the_run_and_resume_finishes_it(ddpbench):
    out = ddpbench.folder / "out"
    done, seconds = ddpbench.interrupt(lambda process: process.send_signal(signal.SIGINT), out)
    assert done.returncode == 75, done.stderr
    assert seconds < SOON
    check_partial_results(ddpbench, out, "partial")


def test_sigterm_does_the_same(ddpbench):
    out = ddpbench.folder / "out"
    done, seconds = ddpbench.interrupt(lambda process: process.terminate(), out)
    assert done.returncode == 75, done.stderr
    assert seconds < SOON
    check_partial_results(ddpbench, out, "partial")


def test_resume_runs_what_was_stopped(ddpbench):
    experiment = ddpbench.experiment(protocol="max_seconds_per_launch = 3\nmin_super_blocks = 1")
    out = ddpbench.folder / "out"
    process = ddpbench.start("run", experiment, "--out", out)
    wait_until(lambda: any(part.stat().st_size > 20_000 for part in out.rglob("steps.0.csv")), "super-blocks on disk")
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 75
    done = ddpbench.run("run", experiment, "--out", out, "--resume")
    assert done.returncode == 0, done.stderr
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}
    assert ddpbench.run("verify", out).returncode == 0


def test_no_rank_outlives_a_killed_driver(ddpbench):
    out = ddpbench.folder / "out"
    process = ddpbench.start("run", ddpbench.experiment(protocol="max_seconds_per_launch = 600"), "--out", out)
    wait_until(lambda: len(children(process.pid)) == 2, "two ranks")
    ranks = children(process.pid)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + SOON
    while any(alive(pid) for pid in ranks):
        assert time.monotonic() < deadline, "orphans"
        time.sleep(0.05)


def test_without_libtorch_run_says_what_is_missing(ddpbench):
    """LibTorch hidden in a mount namespace of the test's own."""
    worker = os.path.join(os.path.dirname(os.environ["DDPBENCH_PROGRAM"]), "ddpbench-worker")
    torch = next(line.split("=>")[1].split()[0] for line in os.popen(f"ldd {worker}") if "libtorch_cpu" in line)
    empty = ddpbench.folder / "empty"
    empty.mkdir()
    hidden = f'mount --bind {empty} {os.path.dirname(torch)} && exec "$@"'
    if subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        pytest.skip("no mount namespaces here (needs root)")
    run = [os.environ["DDPBENCH_PROGRAM"], "run", str(ddpbench.experiment())]
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", hidden, "sh", *run],
        capture_output=True,
        text=True,
        check=False,
        cwd=ddpbench.folder,
        env=ddpbench.environment,
        timeout=60,
    )
    assert done.returncode == 3, done.stderr
    assert "libtorch" in done.stderr and "bootstrap.sh" in done.stderr


def test_a_folder_that_cannot_be_written_is_exit_3(ddpbench):
    done = ddpbench.run("run", ddpbench.experiment(), "--out", "/proc/results")
    assert done.returncode == 3, done.stderr
    assert "/proc/results" in done.stderr

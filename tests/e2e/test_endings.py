"""How a run ends that is ended from outside: with its exit code, a word, and a whole folder."""

import os
import shutil
import signal
import subprocess

import pytest
from conftest import LONG_ENOUGH, PROGRAM, alive, check_partial_results, descendants, rows, wait_until

STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGALRM", "SIGXCPU"]


@pytest.mark.parametrize("name", STOP_SIGNALS)
def test_a_signal_before_measuring_is_exit_75(ddpbench, name):
    """In the probe, which a script stands for."""
    probing, out = ddpbench.folder / "probing", ddpbench.folder / "out"
    stand_in = script(ddpbench.folder / "worker", f"touch {probing}; exec sleep 600")
    process = ddpbench.start("run", ddpbench.experiment(), "--out", out, DDPBENCH_WORKER=str(stand_in))
    wait_until(probing.exists, "probe")
    check_stopped(process, name)
    assert not out.exists()


@pytest.mark.parametrize("name", STOP_SIGNALS)
def test_a_signal_after_measuring_is_exit_75_and_keeps_everything(ddpbench, name):
    """While the page is drawn, by a script."""
    drawing, out = ddpbench.folder / "drawing", ddpbench.folder / "out"
    stand_in = script(ddpbench.folder / "python", f"touch {drawing}; exec sleep 600")
    process = ddpbench.start("run", ddpbench.experiment(), "--out", out, page=True, DDPBENCH_PYTHON=str(stand_in))
    wait_until(drawing.exists, "drawing")
    check_stopped(process, name)
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}
    assert ddpbench.run("verify", out).returncode == 0


def script(path, body):
    path.write_text("#!/bin/sh\n" + body + "\n")
    path.chmod(0o755)
    return path


def check_stopped(process, name):
    below = descendants(process.pid)
    number = getattr(signal, name).value
    process.send_signal(number)
    _, stderr = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 75, stderr
    assert f"stopped by signal {number} (" in stderr
    wait_until(lambda: not any(alive(pid) for pid in below), "end of what it started")


@pytest.mark.parametrize("name", ["SIGHUP", "SIGQUIT", "SIGUSR1", "SIGALRM"])
def test_every_signal_that_would_end_it_stops_the_run(ddpbench, name):
    out = ddpbench.folder / "out"
    done, _ = ddpbench.interrupt(lambda process: process.send_signal(getattr(signal, name)), out)
    assert done.returncode == 75, done.stderr
    check_partial_results(ddpbench, out, "partial")


def test_a_file_size_limit_is_told(ddpbench):
    """`ulimit -f`, in blocks of 512 bytes: enough for the small files, too little for the samples; then for nothing."""
    out = ddpbench.folder / "out"
    experiment = ddpbench.experiment(protocol="max_seconds_per_launch = 600\nmin_super_blocks = 30000")
    run = f"{os.environ['DDPBENCH_PROGRAM']} run {experiment} --out {out}"
    done = ddpbench.paste(f"ulimit -f 1000; {run}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "file size limit (ulimit -f)" in rows(out, "runs.csv")[0]["reason"]
    assert ddpbench.run("verify", out).returncode == 0
    done = ddpbench.paste(f"ulimit -f 1; {run}-2")
    assert done.returncode in (1, 3), done.stdout + done.stderr
    assert "file size limit (ulimit -f)" in done.stderr


def test_a_folder_that_is_removed_while_it_runs_is_no_mistake_of_the_callers(ddpbench):
    out = ddpbench.folder / "out"
    done, _ = ddpbench.interrupt(lambda process: shutil.rmtree(out, ignore_errors=True), out)
    assert done.returncode in (1, 3), done.stderr
    assert "the results folder was changed or removed during the run" in done.stderr


@pytest.mark.parametrize(
    ("within", "words"),
    [
        ("ulimit -v 400000; exec {}", "there is no more memory within its limit (ulimit -v is 390 MiB)"),
        ("ulimit -v 100000; exec {}", "there is no more memory within its limit (ulimit -v is 97 MiB)"),
        ("ulimit -n 8; exec {}", "a limit on open files is reached (ulimit -n is 8)"),
        ("exec unshare --net {}", "launcher 'local' is not available here: the loopback interface is down"),
        ("exec unshare --mount sh -c 'mount -t tmpfs none /proc; exec {}'", "there is no /proc"),
    ],
    ids=["little memory", "less memory", "few files", "no loopback", "no proc"],
)
def test_a_machine_that_lacks_something_is_told_by_name(ddpbench, within, words):
    if "unshare" in within and subprocess.run(["unshare", "--mount", "--net", "true"], check=False).returncode != 0:
        pytest.skip("this user makes no namespaces")
    path = ddpbench.experiment()
    done = ddpbench.paste(within.format(f"{PROGRAM} run {path} --out out --tables-only"))
    assert done.returncode in (1, 3), done.stderr
    assert words in done.stderr
    assert "LibTorch is missing" not in done.stderr

"""What goes wrong while it runs: everything ends, nothing is lost, nobody is left."""

import contextlib
import errno
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from conftest import (
    LONG_ENOUGH,
    NULL_EXPERIMENT,
    PROGRAM,
    alive,
    bytes_of_parts,
    check_partial_results,
    children,
    descendants,
    kill_one_rank,
    process_file,
    ranks_of,
    rows,
    timed_steps,
    wait_until,
)


def test_a_killed_rank_ends_the_launch_and_keeps_its_super_blocks(ddpbench, launcher):
    out = ddpbench.folder / "out"
    done, _ = ddpbench.interrupt(kill_one_rank, out, arguments=["--launcher", launcher], page=True)
    assert done.returncode == 1
    assert "rank 1" in done.stdout + done.stderr and "signal 9" in done.stdout + done.stderr
    check_partial_results(ddpbench, out, "failed")
    assert (out / "report.html").stat().st_size > 0


@contextlib.contextmanager
def memory_group(mib):
    """A control group with a limit: a folder, whose cgroup.procs takes processes."""
    own = dict(line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines())
    if "memory" in own:
        parent, limit = Path("/sys/fs/cgroup/memory" + own["memory"]), "memory.limit_in_bytes"
    else:
        parent, limit = Path("/sys/fs/cgroup" + own.get("", "/")), "memory.max"
    group = parent / f"ddpbench-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / limit).write_text(str(mib << 20), encoding="utf-8")
        for swap, most in (("memory.memsw.limit_in_bytes", mib << 20), ("memory.swap.max", 0)):
            if (group / swap).exists():
                (group / swap).write_text(str(most), encoding="utf-8")
    except OSError as error:
        with contextlib.suppress(OSError):
            group.rmdir()
        pytest.skip(f"no control group with a limit can be made here: {error}")
    try:
        yield group
    finally:
        wait_until(lambda: not (group / "cgroup.procs").read_text(encoding="utf-8"), "end of what is in the group")
        group.rmdir()


def test_a_rank_that_is_killed_for_memory_says_so_and_names_the_limit(ddpbench, launcher):
    out, path = ddpbench.folder / "out", ddpbench.experiment()
    with memory_group(200 if launcher == "local" else 500) as group:  # two ranks of 130 MiB; beside torchrun
        run = f"{PROGRAM} run {path} --tables-only --launcher {launcher} --set batch_size_per_rank=65536 --out {out}"
        done = ddpbench.paste(f"echo $$ > {group}/cgroup.procs && {run}")
    assert done.returncode == 1, done.stderr
    limit = "200" if launcher == "local" else "500"
    assert f"signal 9 (Killed), for memory: the limit of its control group is {limit} MiB" in rows(out, "runs.csv")[0]["reason"]


def test_a_write_to_a_peer_that_died_is_no_end_of_its_own(ddpbench):
    """Under torchrun, which tells one failure only, rank 0 died of SIGPIPE in time to hide that rank 1 was killed."""
    ignored = []

    def look_then_kill(process):
        for pid in ranks_of(process.pid):
            mask = re.search(rb"^SigIgn:\s*(\w+)$", process_file(pid, "status"), re.MULTILINE)[1]
            ignored.append(bool(int(mask, 16) >> (signal.SIGPIPE - 1) & 1))
        kill_one_rank(process)

    done, _ = ddpbench.interrupt(look_then_kill, ddpbench.folder / "out")
    assert ignored == [True, True]
    assert "rank 1" in done.stdout + done.stderr and "signal 9" in done.stdout + done.stderr


def test_a_torchrun_that_is_killed_takes_its_ranks_with_it(ddpbench):
    out = ddpbench.folder / "out"

    def kill_torchrun(process):
        (torchrun,) = children(process.pid)
        os.kill(torchrun, signal.SIGKILL)

    done, _ = ddpbench.interrupt(kill_torchrun, out, arguments=["--launcher", "torchrun"])
    assert done.returncode == 1
    assert "torchrun was killed by signal 9" in rows(out, "runs.csv")[0]["reason"]
    check_partial_results(ddpbench, out, "failed")


def test_ctrl_c_stops_the_run_and_resume_finishes_it(ddpbench):
    out = ddpbench.folder / "out"
    done, _ = ddpbench.interrupt(lambda process: process.send_signal(signal.SIGINT), out, page=True)
    assert done.returncode == 75, done.stderr
    check_partial_results(ddpbench, out, "partial")
    assert (out / "report.html").stat().st_size > 0


def test_sigterm_does_the_same(ddpbench, launcher):
    out = ddpbench.folder / "out"
    done, _ = ddpbench.interrupt(lambda process: process.terminate(), out, arguments=["--launcher", launcher])
    assert done.returncode == 75, done.stderr
    check_partial_results(ddpbench, out, "partial")


def test_resume_runs_what_was_stopped(ddpbench):
    experiment = ddpbench.experiment(protocol="max_super_blocks = 300\nmin_super_blocks = 300")
    out = ddpbench.folder / "out"
    process = ddpbench.start("run", experiment, "--out", out)
    wait_until(lambda: bytes_of_parts(out) > 20_000, "super-blocks on disk")
    process.terminate()
    process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 75
    done = ddpbench.run("run", experiment, "--out", out, "--resume")
    assert done.returncode == 0, done.stderr
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}
    assert ddpbench.run("verify", out).returncode == 0


def test_a_driver_that_is_killed_leaves_no_rank_and_resume_finishes_the_plan(ddpbench, launcher):
    text = NULL_EXPERIMENT.replace("launches = 1", "launches = 3")
    experiment = ddpbench.experiment(text, protocol="max_super_blocks = 60\nmin_super_blocks = 60")
    out = ddpbench.folder / "out"
    process = ddpbench.start("run", experiment, "--out", out, "--launcher", launcher)
    wait_until(lambda: out.joinpath("runs.csv").exists() and rows(out, "runs.csv"), "a committed launch")
    wait_until(lambda: bytes_of_parts(out) > 0 and len(ranks_of(process.pid)) == 2, "super-blocks of the next launch")
    ranks = descendants(process.pid)
    committed = rows(out, "runs.csv")
    process.kill()
    process.communicate()
    wait_until(lambda: not any(alive(pid) for pid in ranks), "end of the ranks")
    assert ddpbench.run("verify", out).returncode == 1, "a plan that is not finished"

    done = ddpbench.run("run", experiment, "--out", out, "--resume", "--launcher", launcher)
    assert done.returncode == 0, done.stderr
    runs = rows(out, "runs.csv")
    assert {run["status"] for run in runs} == {"ok"}
    assert runs[: len(committed)] == committed, "what was committed is not run again"
    assert [(run["launch_id"], run["super_blocks"]) for run in runs[::4]] == [
        (launch["launch_id"], "60") for launch in rows(out, "plan.csv")
    ]
    assert ddpbench.run("verify", out).returncode == 0


def test_a_full_disk_ends_the_run_and_keeps_what_was_committed(ddpbench):
    """A small disk of the test's own, in a mount namespace: one launch fits, the next one fills it."""
    need_mount_namespace()
    disk = ddpbench.folder / "disk"
    disk.mkdir()
    text = NULL_EXPERIMENT.replace("launches = 1", "launches = 3")
    experiment = ddpbench.experiment(text, protocol="max_seconds_per_launch = 600\nmin_super_blocks = 30000")
    program = os.environ["DDPBENCH_PROGRAM"]
    script = f"""
        mount -t tmpfs -o size=3m disk {disk}
        {program} run {experiment} --out {disk}/out; echo "run $?"
        {program} verify {disk}/out; echo "verify $?"
        cp -r {disk}/out {ddpbench.folder}/kept
    """
    done = in_mount_namespace(ddpbench, script)
    assert "run 1\n" in done.stdout, done.stdout + done.stderr
    assert "No space left on device" in done.stdout + done.stderr
    out = ddpbench.folder / "kept"
    runs = rows(out, "runs.csv")
    assert {run["status"] for run in runs} == {"failed"}
    assert "No space left on device" in runs[0]["reason"]
    super_blocks = int(runs[0]["super_blocks"])
    assert super_blocks > 0, "whole super-blocks are kept"
    assert len(timed_steps(out)) == super_blocks * 4 * 4 * 2
    assert not list(out.rglob("*.new*")), "half a file"
    told = [line for line in done.stdout.splitlines() if line.startswith("ddpbench: ")]
    assert all("never ran" in line or "note: " in line for line in told), told


def taken_port(port):
    """By this test, or by whoever has it already: that does as well."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        return contextlib.nullcontext()


def test_a_port_that_is_taken_disturbs_no_run(ddpbench):
    """29500 is torchrun's default and stands in the commands that `plan` prints; the driver's own store takes another."""
    with taken_port(29500):
        done = ddpbench.run("run", ddpbench.experiment(), "--out", ddpbench.folder / "out")
    assert done.returncode == 0, done.stderr


def test_ranks_by_hand_say_that_others_meet_where_they_would(ddpbench):
    """Two launches by hand with one MASTER_PORT: it names the socket at which ranks of one user meet."""
    planned = ddpbench.run("plan", ddpbench.experiment()).stdout
    rank_0 = re.search(r"; do (.* --launch-id .*) & done", planned)[1].replace("$process", "0")
    with socket.socket(socket.AF_UNIX) as taken:
        port = 20_000 + os.getpid() % 30_000  # the same test may run beside this one
        taken.bind(f"\0ddpbench-{os.geteuid()}-{port}")
        taken.listen()
        done = ddpbench.paste(rank_0.replace("MASTER_PORT=29500", f"MASTER_PORT={port}"))
    assert done.returncode == 1, done.stderr
    assert str(port) in done.stderr and "in use" in done.stderr


def need_mount_namespace():
    if subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        pytest.skip("no mount namespaces here (needs root)")


def in_mount_namespace(ddpbench, script, *arguments):
    return subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ddpbench.folder,
        env=ddpbench.environment,
        timeout=LONG_ENOUGH,
    )


def test_without_libtorch_run_says_what_is_missing(ddpbench):
    """LibTorch hidden in a mount namespace of the test's own."""
    worker = os.path.join(os.path.dirname(os.environ["DDPBENCH_PROGRAM"]), "ddpbench-worker")
    torch = next(line.split("=>")[1].split()[0] for line in os.popen(f"ldd {worker}") if "libtorch_cpu" in line)
    empty = ddpbench.folder / "empty"
    empty.mkdir()
    need_mount_namespace()
    hidden = f'mount --bind {empty} {os.path.dirname(torch)} && exec "$@"'
    done = in_mount_namespace(ddpbench, hidden, os.environ["DDPBENCH_PROGRAM"], "run", ddpbench.experiment())
    assert done.returncode == 3, done.stderr
    assert "libtorch" in done.stderr and "bootstrap.sh" in done.stderr


def test_a_folder_that_cannot_be_written_is_exit_3(ddpbench):
    done = ddpbench.run("run", ddpbench.experiment(), "--out", "/proc/results")
    assert done.returncode == 3, done.stderr
    assert "/proc/results" in done.stderr

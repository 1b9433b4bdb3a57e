"""What breaks on another node ends its launch in time and is named with its node; nothing is lost, nobody is left behind."""

import os
import signal
import subprocess

import pytest
from cluster import LONG_ENOUGH, wait_for
from conftest import PROGRAM, RUN, RUN_LINE, RUN_LOOKING_LINE, cut_off_once_it_is_asked, in_a_job, salloc
from node_experiment import TEN_SECONDS, experiment, rows

ENDLESS = "min_super_blocks = 1000000\nmax_seconds_per_launch = 600\nhang_timeout_seconds = 10"
TORCHRUN = "pt_elastic"  # as a torchrun that has started its ranks calls itself
A_FEW_SUPER_BLOCKS = 2_000  # bytes of a rank's steps


def bytes_written(out) -> int:
    """By the last rank; a folder may go while it is looked through: its launch is committed."""
    try:
        return sum(part.stat().st_size for part in out.rglob("steps.3.csv"))
    except FileNotFoundError:
        return 0


class Running:
    """A driver in a job of two nodes with two ranks each, its ranks training."""

    def __init__(self, cluster, out, *arguments: str, protocol: str = ENDLESS, launches: int = 1) -> None:
        self.cluster, self.out = cluster, out
        path = experiment(cluster, protocol=protocol, launches=launches)
        command = [*salloc(2, "--no-kill"), *RUN, path, "--out", out, *arguments]
        self.salloc = subprocess.Popen(
            [str(word) for word in command],
            env=cluster.environment, cwd=cluster.work, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    @property
    def driver(self) -> int:
        with open(f"/proc/{self.salloc.pid}/task/{self.salloc.pid}/children", encoding="utf-8") as file:
            return int(file.read().split()[0])

    def end(self) -> tuple[int, str]:
        """Exit code of the driver, as salloc hands it on, and what it said."""
        out, err = self.salloc.communicate(timeout=LONG_ENOUGH)
        wait_for(lambda: not self.left_behind(), "end of all ranks")
        return self.salloc.returncode, out + err

    def left_behind(self) -> list[int]:
        nodes = [name for name in self.cluster.inits if name != "controller"]
        return [pid for name in nodes for word in ("ddpbench", TORCHRUN) for pid in self.cluster.processes_on(name, word)]


@pytest.fixture
def started(cluster, out):
    """Starts a driver in a job; whatever comes of it, it ends with the test."""
    drivers: list[Running] = []

    def start(*arguments: str, **options) -> Running:
        driver = Running(cluster, out, *arguments, **options)
        drivers.append(driver)
        wait_for(lambda: bytes_written(out) > A_FEW_SUPER_BLOCKS, "super-blocks on disk")
        return driver

    yield start
    for driver in drivers:
        driver.salloc.kill()
        driver.salloc.wait()


def continue_as_told(cluster, said: str):
    """By the command that a stopped run prints, in another job."""
    command = next(line for line in said.splitlines() if line.startswith("to continue: ")).partition(": ")[2]
    return in_a_job(cluster, "bash", "-c", command)


def reason_of(out) -> str:
    (reason,) = {row["reason"] for row in rows(out, "runs.csv")}
    return reason


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (signal.SIGKILL, "on node2 was killed by signal 9 (Killed)"),
        (signal.SIGSTOP, "on node2 hangs: its process is suspended (SIGSTOP) in phase"),
    ],
    ids=["killed", "suspended"],
)
def test_a_rank_that_is_lost_is_named_with_its_node(cluster, started, out, number, words):
    running = started()
    os.kill(cluster.processes_on("node2", "ddpbench-worker")[0], number)
    code, said = running.end()
    assert code == 1, said
    assert words in reason_of(out)


def test_a_node_that_dies_is_named(cluster, started, out):
    running = started()
    cluster.kill_node("node2")
    try:
        code, said = running.end()
        assert code == 1, said
        assert "on node2 is lost: the connection to its node broke" in reason_of(out)
    finally:
        cluster.revive("node2")


def test_a_node_whose_network_fails_is_named(cluster, started, out):
    running = started()
    cluster.cut_off("node2")
    try:
        out_text, err = running.salloc.communicate(timeout=LONG_ENOUGH)
        assert running.salloc.returncode == 1, out_text + err
        assert "on node2 is lost: its node has said nothing for" in reason_of(out)
    finally:
        cluster.revive("node2")


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGTERM])
def test_a_batch_systems_warning_stops_the_run_and_resume_ends_it(cluster, started, out, number):
    protocol = "min_super_blocks = 20\nmax_super_blocks = 20\nmax_seconds_per_launch = 600"
    running = started(protocol=protocol, launches=3)
    os.kill(running.driver, number)
    code, said = running.end()
    assert code == 75, said
    done = continue_as_told(cluster, said)
    assert done.returncode == 0, done.stderr
    assert sorted(row["status"] for row in rows(out, "runs.csv")) == ["ok"] * 6
    assert cluster.run([PROGRAM, "verify", out]).returncode == 0


def test_no_torchrun_waits_for_one_that_stands_still(cluster, started):
    """By itself it waits for those of other nodes for five minutes, deaf to SIGTERM."""
    running = started("--launcher", "torchrun")
    (torchrun,) = cluster.processes_on("node2", TORCHRUN)
    os.kill(torchrun, signal.SIGSTOP)
    os.kill(running.driver, signal.SIGTERM)
    out, err = running.salloc.communicate(timeout=LONG_ENOUGH)
    assert running.salloc.returncode == 75, out + err
    before_slurm_ends_it = 25  # it does so half a minute after the job
    wait_for(lambda: not cluster.processes_on("node1", TORCHRUN), "end of the torchrun on node1", before_slurm_ends_it)


@pytest.mark.parametrize(
    ("options", "seconds_left"), [(("--signal=B:USR1@50",), 50), ((), 1)], ids=["warned", "not warned"]
)
def test_a_time_limit_stops_the_run_and_resume_ends_it(cluster, out, options, seconds_left):
    """Then Slurm starts no step, sends SIGTERM, and kills after KillWait. It looks every 30 s, so that the limit comes within
    one of four launches of ten seconds, or between two."""
    launches = 4
    path = experiment(cluster, launches=launches, protocol=TEN_SECONDS)
    script = f"exec {RUN_LINE} {path} --out {out}\n"
    number = cluster.submit(script, "--nodes=2", "--no-requeue", *options)
    wait_for(lambda: bytes_written(out) > A_FEW_SUPER_BLOCKS, "super-blocks on disk")
    done = cluster.run(["scontrol", "update", f"jobid={number}", f"EndTime=now+{seconds_left}"])
    assert done.returncode == 0, done.stderr
    ended = cluster.wait_for_end(number)
    said = (cluster.work / f"slurm-{number}.out").read_text()
    assert ended["JobState"] in (["FAILED"] if options else ["FAILED", "TIMEOUT"]), (ended, said)
    before = (out / "runs.csv").read_text().splitlines() if (out / "runs.csv").exists() else []
    assert len([line for line in before if ",ok," in line]) < 2 * launches, said
    assert not [line for line in before if ",failed," in line], said
    done = continue_as_told(cluster, said)
    assert done.returncode == 0, done.stderr
    after = (out / "runs.csv").read_text().splitlines()
    assert not {line for line in before if ",ok," in line} - set(after), "what had finished was not run again"
    assert [row["status"] for row in rows(out, "runs.csv")] == ["ok"] * 2 * launches
    assert cluster.run([PROGRAM, "verify", out]).returncode == 0


def test_a_job_that_is_requeued_goes_on_where_it_was(cluster, out):
    """As after a preemption: Slurm ends the job, and starts its script once more."""
    protocol = "min_super_blocks = 20\nmax_super_blocks = 20\nmax_seconds_per_launch = 600"
    path = experiment(cluster, protocol=protocol, launches=4)
    script = f"echo start $SLURM_RESTART_COUNT; exec {RUN_LINE} {path} --out {out} --resume\n"
    number = cluster.submit(script, "--nodes=2", "--requeue", "--open-mode=append")
    said = cluster.work / f"slurm-{number}.out"
    wait_for(lambda: (out / "runs.csv").exists() and len(rows(out, "runs.csv")) > 0, "finished launch")
    before = (out / "runs.csv").read_text().splitlines()
    cluster.run(["scontrol", "requeue", str(number)])
    wait_for(lambda: "start 1" in said.read_text(), "second start")
    assert cluster.wait_for_end(number)["JobState"] == "COMPLETED", said.read_text()
    after = (out / "runs.csv").read_text().splitlines()
    assert after[: len(before)] == before, "what had finished was not run again"
    assert sorted(row["status"] for row in rows(out, "runs.csv")) == ["ok"] * 8
    assert cluster.run([PROGRAM, "verify", out]).returncode == 0


def test_a_job_that_is_cancelled_leaves_a_whole_folder_and_no_rank(cluster, started, out):
    running = started()
    jobs = cluster.run(["squeue", "-h", "-o", "%A"]).stdout.split()
    assert len(jobs) == 1
    cluster.run(["scancel", jobs[0]])
    code, said = running.end()
    assert code != 0, said
    assert cluster.run([PROGRAM, "verify", out]).returncode == 0


def test_a_driver_that_is_killed_leaves_no_rank(cluster, started, out):
    running = started()
    os.kill(running.driver, signal.SIGKILL)
    running.end()


def test_a_node_that_is_cut_off_while_it_is_asked_is_named(cluster, out):
    """What ranks can use there is asked by an agent on it, before anything else."""
    path = experiment(cluster, protocol="hang_timeout_seconds = 8")
    with cut_off_once_it_is_asked(cluster, "node1"):
        done = in_a_job(cluster, *RUN, path, "--out", out, options=("--no-kill",))
    assert done.returncode == 3, done.stderr
    assert "what ranks can use on node1 cannot be told: " in done.stderr
    wait_for(lambda: not cluster.processes_on("node1", "ddpbench"), "end of the agent on node1")


def test_a_node_that_cannot_be_reached_is_named_before_the_first_step(cluster, out):
    path = experiment(cluster, protocol="hang_timeout_seconds = 10")
    cut_off = f"ip link set {cluster.link_of('node2')} down; exec {RUN_LOOKING_LINE} {path} --out {out}"
    try:
        done = in_a_job(cluster, "bash", "-c", cut_off, options=("--no-kill",))
        assert done.returncode == 1, done.stderr
        assert "node2" in reason_of(out)
        assert "node2 is broken: " in done.stderr, "found when the nodes were looked at, and one alone is left"
    finally:
        cluster.revive("node2")

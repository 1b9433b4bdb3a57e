"""Launches on several nodes of a real Slurm."""

import json
import re
import shutil

import pytest
from conftest import PROGRAM, RUN, RUN_LINE, RUN_LOOKING_LINE, in_a_job
from node_experiment import SHORT, experiment, rows


def test_two_nodes_of_two_ranks_from_a_shell_outside_of_them(cluster, out):
    done = in_a_job(cluster, PROGRAM, "run", experiment(cluster), "--out", out)
    assert done.returncode == 0, done.stderr
    assert (out / "report.html").stat().st_size > 0
    runs = rows(out, "runs.csv")
    assert {row["status"] for row in runs} == {"ok"}
    assert {row["host_list"] for row in runs} == {"node1 node2"}
    assert {(row["nodes"], row["ranks_per_node"]) for row in runs} == {("2", "2")}


def test_from_a_batch_script_with_a_sites_usual_options(cluster, out):
    path = experiment(cluster)
    number = cluster.submit(
        f"exec {RUN_LOOKING_LINE} {path} --out {out}\n",
        "--nodes=2", "--ntasks-per-node=4", "--cpus-per-task=10", "--hint=nomultithread", "--gres=gpu:4",
    )  # fmt: skip
    assert cluster.wait_for_end(number)["JobState"] == "COMPLETED", (cluster.work / f"slurm-{number}.out").read_text()
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}


def test_all_world_sizes_in_one_allocation(cluster, out):
    path = experiment(cluster, nodes=(1, 2, 3, 4), ranks=1, launches=2)
    done = in_a_job(cluster, *RUN, path, "--out", out, nodes=4)
    assert done.returncode == 0, done.stderr
    hosts = {(row["nodes"], row["repetition"]): row["host_list"] for row in rows(out, "runs.csv")}
    assert hosts["4", "0"] == hosts["4", "1"] == "node1 node2 node3 node4"
    assert hosts["1", "0"] == "node1" and hosts["1", "1"] == "node2", "repetitions take turns on the nodes"
    assert hosts["2", "0"] == "node1 node2" and hosts["2", "1"] == "node3 node4"
    assert hosts["3", "1"] == "node1 node2 node4"


def test_arms_in_python_beside_arms_in_cpp(cluster, out):
    path = experiment(cluster, arms=("raw", "raw_again", "py_raw", "py_raw_again", "py_lightning", "py_fabric", "py_accelerate"))
    done = in_a_job(cluster, *RUN, path, "--out", out)
    assert done.returncode == 0, done.stderr
    assert {(row["arm"], row["status"]) for row in rows(out, "runs.csv")} >= {("py_lightning", "ok"), ("raw", "ok")}


def test_more_nodes_than_the_job_has_are_skipped_with_the_reason(cluster, out):
    done = in_a_job(cluster, *RUN, experiment(cluster, nodes=(1, 3)), "--out", out)
    assert done.returncode == 0, done.stderr
    skipped = [row["skip_reason"] for row in rows(out, "plan.csv") if row["nodes"] == "3"]
    assert "launcher 'srun' starts 2 nodes, this cell has 3" in skipped[0]


def test_what_starts_ranks_may_stand_in_a_command_of_its_own(cluster, out):
    """As in a container: `apptainer exec IMAGE`."""
    log = cluster.work / "within"
    wrapper = cluster.script("within.sh", f'echo "$(hostname) $*" >> {log}\n"$@"\n')  # not exec: a container's program stays, too
    variables = cluster.environment | {"DDPBENCH_NODE_COMMAND": f"{wrapper} env"}
    done = in_a_job(cluster, *RUN, experiment(cluster, protocol=SHORT), "--out", out, env=variables)
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}
    assert {line.split()[0] for line in log.read_text().splitlines()} == {"node1", "node2"}


def test_a_command_of_the_plan_can_be_pasted(cluster, out):
    planned = in_a_job(cluster, PROGRAM, "plan", experiment(cluster))
    command = next(line.strip() for line in planned.stdout.splitlines() if "srun " in line and "ddpbench-worker" in line)
    pasted = in_a_job(cluster, "bash", "-c", f"mkdir -p {out}; cd {out}; {command}")
    assert pasted.returncode == 0, pasted.stderr
    assert len(list(out.glob("ddpbench-parts/*/outcome.*"))) == 4


def test_mpirun_starts_the_same_launch_in_both_languages(cluster, out):
    if shutil.which("mpirun") is None:
        pytest.skip("needs mpirun: apt-get install openmpi-bin")
    path = experiment(cluster, arms=("raw", "raw_again", "py_raw", "py_lightning"), ranks=1)
    done = in_a_job(cluster, *RUN, path, "--out", out, "--launcher", "mpirun")
    assert done.returncode == 0, done.stderr
    runs = rows(out, "runs.csv")
    assert {row["status"] for row in runs} == {"ok"}
    assert {row["host_list"] for row in runs} == {"node1 node2"}


@pytest.mark.parametrize("launcher", ["srun", "mpirun"])
def test_backend_mpi_on_nodes(cluster, out, launcher):
    """By Slurm's own PMIx, and by Open MPI's launcher."""
    path = experiment(cluster, arms=("raw", "raw_again", "py_raw", "py_lightning"), ranks=1)
    done = in_a_job(cluster, *RUN, path, "--out", out, "--launcher", launcher, "--set", "backend=mpi")
    told = [row["skip_reason"] for row in rows(out, "plan.csv") if row["skip_reason"]]
    if told:
        pytest.skip(told[0])
    assert done.returncode == 0, done.stderr
    assert {(row["backend"], row["status"], row["host_list"]) for row in rows(out, "runs.csv")} == {("mpi", "ok", "node1 node2")}


@pytest.mark.parametrize(
    ("launcher", "collectives"), [("srun", []), ("mpirun", ["--collectives", "all_reduce,all_to_all"])], ids=["srun", "mpirun"]
)
def test_collectives_on_nodes(cluster, out, launcher, collectives):
    words = [*collectives, "--check", "--max-bytes", "4K", "--factor", "32", "--ranks-per-node", "2", "--launcher", launcher]
    done = in_a_job(cluster, PROGRAM, "collectives", "--tables-only", *words, "--out", out)
    assert done.returncode == 0, done.stderr
    found = rows(out, "collectives.csv")
    assert {(row["nodes"], row["ranks_per_node"]) for row in found} == {("2", "2")}
    assert {row["wrong"] for row in found if row["role"] == "backend" and row["bytes"] != "0"} == {"0"}
    assert {row["arm"] for row in found} >= {"gloo"}
    assert "all_to_all" in done.stdout


def test_ranks_meet_by_ipv6_on_a_named_interface_and_port(cluster, out):
    path = experiment(
        cluster, protocol=SHORT + '\n[launcher]\naddress_family = "ipv6"\ninterface = "eth0"\nports = "23000-23010"'
    )
    done = in_a_job(cluster, *RUN, path, "--out", out)
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}


def test_an_interface_that_no_node_has_is_told_with_those_that_are_there(cluster, out):
    path = experiment(cluster, protocol=SHORT + '\n[launcher]\ninterface = "ib7"')
    done = in_a_job(cluster, *RUN, path, "--out", out)
    assert done.returncode == 1
    (reason,) = {row["reason"] for row in rows(out, "runs.csv")}
    reason = rows(out, "runs.csv")[0]["reason"]
    assert re.match(r"node(1|2) has no address on interface 'ib7' \(there: eth0 10.77.0.1\1, eth0 fd77::1\1\)", reason), reason


def test_ports_that_are_no_range_are_refused_before_anything_starts(cluster, out):
    path = experiment(cluster, protocol=SHORT + '\n[launcher]\nports = "80000"')
    done = in_a_job(cluster, *RUN, path, "--out", out)
    assert done.returncode == 2
    assert "ports = '80000': must be a range such as 20000-20100" in done.stderr


def test_a_part_of_each_node(cluster, out):
    """12 ranks on 4 nodes: 3 of each, though the job's own options say 4 tasks and 4 GPUs."""
    path = experiment(cluster, nodes=(4,), ranks=3)
    done = in_a_job(cluster, *RUN, path, "--out", out, nodes=4, options=("--ntasks-per-node=4", "--gres=gpu:4"))
    assert done.returncode == 0, done.stderr
    assert {row["host_list"] for row in rows(out, "runs.csv")} == {"node1 node2 node3 node4"}


def test_a_results_folder_that_only_the_drivers_node_sees(cluster):
    """/tmp is each node's own: what ranks on node2 write comes to the driver on node1 by their agents."""
    path = experiment(cluster, arms=("raw", "raw_again", "py_raw", "py_lightning"), ranks=1)
    run = f"{RUN_LINE} {path} --out /tmp/out"
    script = f"cd /tmp; {run} || exit; cp -r /tmp/out {cluster.work}/from-tmp; ls /tmp"
    number = cluster.submit(script, "--nodes=2")
    said = cluster.work / f"slurm-{number}.out"
    assert cluster.wait_for_end(number)["JobState"] == "COMPLETED", said.read_text()
    out = cluster.work / "from-tmp"
    assert {(row["host_list"], row["status"]) for row in rows(out, "runs.csv")} == {("node1 node2", "ok")}
    assert cluster.run([PROGRAM, "verify", out]).returncode == 0
    left = cluster.on("node2", ["ls", "/tmp"]).stdout.split()
    assert not [name for name in left if name.startswith("ddpbench")], left


def test_what_python_can_host_is_asked_of_the_nodes(cluster, out):
    """Lightning is taken away on node1, and is there where `run` is called."""
    python = json.loads(cluster.run([PROGRAM, "doctor", "--json"]).stdout)["installation"]["python"]
    where = "import importlib.metadata as m; print(m.distribution('lightning')._path)"
    package = cluster.run([python, "-c", where]).stdout.strip()
    nothing = cluster.work / "nothing"
    nothing.mkdir()
    cluster.on("node1", ["mount", "--bind", nothing, package])
    try:
        path = experiment(cluster, arms=("raw", "raw_again", "py_raw", "py_lightning"), ranks=1)
        done = in_a_job(cluster, *RUN, path, "--out", out)
    finally:
        cluster.on("node1", ["umount", package])
    assert done.returncode == 0, done.stderr
    status = {row["arm"]: row["status"] for row in rows(out, "runs.csv")}
    assert status == {"raw": "ok", "raw_again": "ok", "py_raw": "ok", "py_lightning": "skipped"}


def test_the_probe_and_the_record_are_of_the_nodes(cluster, out):
    """The shell of salloc is on a machine that runs no rank."""
    done = in_a_job(cluster, *RUN, experiment(cluster), "--out", out)
    assert done.returncode == 0, done.stderr
    record = json.loads((out / "environment.json").read_text(encoding="utf-8"))
    assert record["probe"]["hostname"] == "node1"
    assert record["allocation"]["job"].startswith("Slurm job ")
    assert record["allocation"]["hosts"] == ["node1", "node2"]


@pytest.mark.parametrize("launcher", ["srun", "mpirun"])
@pytest.mark.parametrize("profiler", ["kineto", "nsys"])
def test_each_rank_on_its_node_leaves_a_trace(cluster, out, launcher, profiler):
    nsys = PROGRAM.parents[1] / "nsys" / "nsys"
    if profiler == "nsys" and not nsys.exists():
        pytest.skip("needs nsys beside the build: tests/support/get_nsys.sh BUILD/nsys")
    if shutil.which(launcher) is None:
        pytest.skip(f"needs {launcher}")
    chosen = ("--profile", profiler, "--profile-only", "--profile-arms", "raw", "--launcher", launcher)
    variables = cluster.environment | {"DDPBENCH_NSYS": str(nsys)}
    done = in_a_job(cluster, *RUN, experiment(cluster, protocol=SHORT), "--out", out, *chosen, env=variables)
    assert done.returncode == 0, done.stderr
    found = rows(out, "profiles.csv")
    assert {row["rank"] for row in found} == {"0", "1", "2", "3"}
    assert all((out / row["file"]).stat().st_size > 0 and row["status"] == "ok" for row in found)

"""Launches on several nodes that no batch system starts, or that it starts once on each."""

import json
import os
import re
import shutil

import pytest
from cluster import wait_for
from conftest import PROGRAM, ROOT, RUN, RUN_LINE, RUN_LOOKING, cut_off_once_it_is_asked, in_a_job
from node_experiment import experiment, rows
from ssh_access import give_ssh, why_not_ssh

ALL_LANGUAGES = ("raw", "raw_again", "py_raw", "py_lightning")


@pytest.fixture(scope="module")
def ssh_path(cluster) -> str:
    missing = why_not_ssh()
    if missing:
        pytest.skip(missing)
    return give_ssh(cluster)


def on_first_node(cluster, path: str, *command, **variables: str):
    """As a person has it who is logged in to a node: no job, no variable of Slurm's."""
    return cluster.on("node1", list(command), env=os.environ | {"PATH": path} | variables)


def hosts_and_states(out) -> set[tuple[str, str]]:
    return {(row["host_list"], row["status"]) for row in rows(out, "runs.csv")}


def test_ssh_to_named_hosts_starts_both_languages(cluster, out, ssh_path):
    path = experiment(cluster, arms=ALL_LANGUAGES)
    done = on_first_node(cluster, ssh_path, *RUN_LOOKING, path, "--out", out, "--hosts", "node1,node2")
    assert done.returncode == 0, done.stderr
    assert hosts_and_states(out) == {("node1 node2", "ok")}


def test_ranks_started_by_ssh_have_the_drivers_environment_but_not_its_session(cluster, out, ssh_path):
    path = experiment(cluster, arms=("raw", "raw_again"), nodes=(1, 3), ranks=1)
    hosts = cluster.work / "hosts"
    hosts.write_text("node2\nnode3\nnode4\n", encoding="utf-8")
    done = on_first_node(
        cluster, ssh_path, *RUN, path, "--out", out, "--hosts", hosts, GLOO_SOCKET_IFNAME="no-such-interface",
    )  # fmt: skip
    assert done.returncode == 1
    reason = rows(out, "runs.csv")[-1]["reason"]
    assert "GLOO_SOCKET_IFNAME names 'no-such-interface', and node" in reason and "(it has lo, eth0)" in reason
    done = on_first_node(cluster, ssh_path, *RUN, path, "--out", f"{out}-2", "--hosts", hosts, HOSTNAME="elsewhere")
    assert done.returncode == 0, done.stderr
    assert {row["host_list"] for row in rows(out.with_name(out.name + "-2"), "runs.csv")} == {"node2", "node2 node3 node4"}


def test_a_command_for_ssh_can_be_pasted(cluster, out, ssh_path):
    planned = on_first_node(cluster, ssh_path, PROGRAM, "plan", experiment(cluster), "--hosts", "node1,node2")
    command = next(line.strip() for line in planned.stdout.splitlines() if "ssh " in line and "ddpbench-worker" in line)
    pasted = on_first_node(cluster, ssh_path, "bash", "-c", f"mkdir -p '{out} x'; cd '{out} x'; {command}")
    assert pasted.returncode == 0, pasted.stderr
    assert len(list(out.with_name(out.name + " x").glob("ddpbench-parts/*/outcome.*"))) == 4


def test_a_node_that_ssh_cannot_enter_is_told_with_what_ssh_said(cluster, out, ssh_path):
    done = on_first_node(cluster, ssh_path, *RUN, experiment(cluster), "--out", out, "--hosts", "node1,node9")
    assert done.returncode == 1, done.stderr
    reason = rows(out, "runs.csv")[0]["reason"]
    assert re.search(r"node9.*did not come", reason) and "Could not resolve hostname node9" in reason, reason


def test_a_node_that_is_cut_off_while_ssh_asks_it_is_named(cluster, out, ssh_path):
    path = experiment(cluster, protocol="hang_timeout_seconds = 8")
    with cut_off_once_it_is_asked(cluster, "node2"):
        done = on_first_node(cluster, ssh_path, *RUN, path, "--out", out, "--hosts", "node2,node3")
    assert done.returncode == 3, done.stderr
    assert "what ranks can use on node2 cannot be told: " in done.stderr
    for name in ("node1", "node2"):
        wait_for(lambda name=name: not cluster.processes_on(name, "ddpbench"), f"end of all on {name}")
    wait_for(lambda: not cluster.processes_on("node1", "ssh\n"), "end of the driver's ssh")


def test_a_rank_that_ssh_started_ends_with_the_driver(cluster, out, ssh_path):
    path = experiment(cluster, protocol="min_super_blocks = 1000000\nmax_seconds_per_launch = 600")
    until_it_measures = f"until [ -s {out}/parts/*/steps.3.csv ]; do sleep 0.2; done"
    killed = f"{RUN_LINE} {path} --out {out} --hosts node1,node2 & {until_it_measures}; kill -KILL $!"
    on_first_node(cluster, ssh_path, "bash", "-c", killed)
    wait_for(lambda: not [pid for name in cluster.names for pid in cluster.processes_on(name, "ddpbench")], "end of all ranks")


def test_torchrun_on_nodes_of_a_job(cluster, out):
    path = experiment(cluster, arms=ALL_LANGUAGES)
    done = in_a_job(cluster, *RUN, path, "--out", out, "--launcher", "torchrun")
    assert done.returncode == 0, done.stderr
    assert hosts_and_states(out) == {("node1 node2", "ok")}


def test_torchrun_by_ssh(cluster, out, ssh_path):
    path = experiment(cluster)
    done = on_first_node(
        cluster, ssh_path, *RUN_LOOKING, path, "--out", out, "--launcher", "torchrun", "--hosts", "node2,node3"
    )
    assert done.returncode == 0, done.stderr
    assert hosts_and_states(out) == {("node2 node3", "ok")}


def test_a_torchrun_command_can_be_pasted(cluster, out):
    planned = in_a_job(cluster, PROGRAM, "plan", experiment(cluster), "--launcher", "torchrun")
    command = next(line.strip() for line in planned.stdout.splitlines() if "torch.distributed.run" in line)
    pasted = in_a_job(cluster, "bash", "-c", f"mkdir -p {out}; cd {out}; {command}")
    assert pasted.returncode == 0, pasted.stderr
    assert len(list(out.glob("ddpbench-parts/*/outcome.*"))) == 4


# What OpenPBS says of pbsdsh, by nsenter: it starts a program at a place of the job, hands on neither environment nor input, and
# ends with 0 however the program ended. Debian has no PBS: a real one has never run this.
PBSDSH_PLACE = """
[[ $1 == -n && $3 == -- ]] || { echo "usage: pbsdsh -n N -- PROGRAM" >&2; exit 1; }
node=$(sed -n "$(($2 + 1))p" "$PBS_NODEFILE")
"""
PBSDSH = PBSDSH_PLACE + """
number=node_pid_$node
nsenter --target="${!number}" --all --wd=/ env -i PATH=/usr/bin:/bin PBS_JOBID="$PBS_JOBID" "${@:4}" </dev/null || true
"""


@pytest.mark.parametrize("launcher", ["pbsdsh", "torchrun"])
def test_a_stand_in_for_pbsdsh(cluster, out, launcher):
    bin_folder = cluster.work / "pbs-bin"
    bin_folder.mkdir(exist_ok=True)
    cluster.script("pbs-bin/pbsdsh", PBSDSH)
    nodes = cluster.work / "pbs-nodes"
    nodes.write_text("node1\nnode1\nnode2\nnode2\n", encoding="utf-8")
    variables = {f"node_pid_{name}": str(cluster.pid_of(name)) for name in cluster.names}
    variables |= {"PBS_JOBID": "17.controller", "PBS_NODEFILE": str(nodes), "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    path = experiment(cluster)
    words = ["--launcher", launcher] if launcher == "torchrun" else []
    done = cluster.run([*RUN, path, "--out", out, *words], env=os.environ | variables)
    assert done.returncode == 0, done.stderr
    assert hosts_and_states(out) == {("node1 node2", "ok")}
    assert not list(out.rglob("environment")), "the file that handed it on is gone"


# The same from within a node, by ssh.
PBSDSH_ON_A_NODE = PBSDSH_PLACE + """
ssh "$node" "cd /; env -i PATH=/usr/bin:/bin PBS_JOBID=$PBS_JOBID $(printf '%q ' "${@:4}")" </dev/null || true
"""
# What qsub and the module command of a PBS site do, for one job at a time: the script runs on the job's first node, with the path
# of these tests in place of a login shell's, and has ended when its number is told.
QSUB = """
script=${!#}
first=node_pid_$(head -n 1 "$PBS_NODEFILE")
log=$(sed -n 's/^#PBS -j oe -o //p' "$script")
nsenter --target="${!first}" --all --wd="$PWD" env PBS_JOBID=17.pbs PBS_O_WORKDIR="$PWD" \\
  'BASH_FUNC_module%%=() { echo "module $*"; }' bash "$script" >"$log" 2>&1 </dev/null || true
echo 17.pbs
"""


@pytest.mark.parametrize("launcher", ["mpirun", "pbsdsh"])
def test_gadis_job_runs_from_its_list_of_hosts(cluster, out, ssh_path, launcher):
    """The shipped site's own script; Open MPI starts the ranks by ssh, for Debian's knows no PBS."""
    if launcher == "mpirun" and shutil.which("mpirun") is None:
        pytest.skip("needs mpirun: apt-get install openmpi-bin")
    bin_folder = cluster.work / "pbs-bin"
    bin_folder.mkdir(exist_ok=True)
    cluster.script("pbs-bin/pbsdsh", PBSDSH_ON_A_NODE)
    cluster.script("pbs-bin/qsub", QSUB)
    site = cluster.work / "gadi.toml"
    shipped = (ROOT / "slurm/sites/gadi-gpuvolta.toml").read_text(encoding="utf-8")
    site.write_text(shipped.replace('launcher     = "mpirun"', f'launcher     = "{launcher}"'), encoding="utf-8")
    nodes = cluster.work / "gadi-nodes"
    nodes.write_text("node2\n" * 48 + "node3\n" * 48, encoding="utf-8")
    variables = {f"node_pid_{name}": str(cluster.pid_of(name)) for name in cluster.names}
    variables |= {"PBS_NODEFILE": str(nodes), "PATH": f"{bin_folder}:{ssh_path}"}
    variables |= {"BASH_FUNC_module%%": '() { echo "module $*"; }'}  # where submit is called, too
    path = experiment(cluster, nodes=(1, 2), ranks=2)
    words = ["--site", site, "--account", "ab12", "--output", out, "--set", "backend=gloo"]
    done = cluster.run([PROGRAM, "submit", path, *words], env=os.environ | variables)
    assert done.returncode == 2
    assert "each node of site 'gadi' has 4, which the job would ask for and leave idle" in done.stderr
    done = cluster.run([PROGRAM, "submit", path, *words, "--leave-gpus-idle"], env=os.environ | variables)
    assert done.returncode == 0, done.stderr
    assert "#PBS -l ngpus=8" in done.stdout
    said = (out / "all.log").read_text(encoding="utf-8")
    assert "module load openmpi" in said
    assert hosts_and_states(out / "results-all") == {("node2", "ok"), ("node2 node3", "ok")}, said
    environment = json.loads((out / "results-all/environment.json").read_text(encoding="utf-8"))
    assert environment["launcher"] == launcher

"""Training over MPI, whose processes mpirun starts; and MPICH's mpirun, which speaks other words than Open MPI's."""

import json
import os
import re
import shutil
import signal

import pytest
from conftest import NULL_EXPERIMENT, check_partial_results, ranks_of, rows

WITH_FRAMEWORK = NULL_EXPERIMENT.replace('"trainer", "injected"', '"py_raw", "py_lightning"')


@pytest.fixture
def mpi(ddpbench):
    """The words that ask for it; skipped where it is missing."""
    if shutil.which("mpirun") is None:
        pytest.skip("needs mpirun: apt-get install openmpi-bin")
    offered = json.loads(ddpbench.run("doctor", "--json").stdout)["worker"]["backends"]
    if offered["mpi"] != "available":
        pytest.skip(f"backend mpi: {offered['mpi']}")
    return ["--launcher", "mpirun", "--set", "backend=mpi"]


@pytest.fixture
def hydra(ddpbench):
    """Its words, with MPICH's mpirun first in $PATH. The module of backend mpi is Open MPI's: ranks meet over gloo."""
    program = shutil.which("mpirun.mpich")
    if program is None:
        pytest.skip("needs MPICH's mpirun: apt-get install mpich")
    programs = ddpbench.folder / "programs"
    programs.mkdir()
    (programs / "mpirun").write_text(f'#!/bin/sh\nexec {program} "$@"\n', encoding="utf-8")  # it finds its parts beside itself
    (programs / "mpirun").chmod(0o755)
    ddpbench.environment["PATH"] = f"{programs}:{ddpbench.environment['PATH']}"
    return ["--launcher", "mpirun"]


@pytest.mark.parametrize("progress", ["thread", "poll"])
def test_arms_of_both_languages_train_over_mpi(ddpbench, mpi, progress):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(WITH_FRAMEWORK), "--out", out, *mpi, "--set", f"mpi_progress={progress}")
    assert done.returncode == 0, done.stderr
    assert {run["arm"]: run["status"] for run in rows(out, "runs.csv")}["py_lightning"] == "ok"
    assert {(run["backend"], run["status"]) for run in rows(out, "runs.csv")} == {("mpi", "ok")}
    assert ddpbench.run("verify", out).returncode == 0


def test_backends_are_compared_in_one_run(ddpbench, mpi):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(), "--out", out, "--set", "backend=gloo,mpi")
    assert done.returncode == 0, done.stderr
    environment = json.loads((out / "environment.json").read_text(encoding="utf-8"))
    assert environment["launcher"] == "mpirun", "both start alike"
    over_mpi = [facts for facts in environment["launches"].values() if "backend_library" in facts]
    assert over_mpi and all("MPI" in facts["backend_library"] for facts in over_mpi)
    assert {facts["mpi_thread_level"] for facts in over_mpi} <= {"MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"}
    assert all("=" in facts["mpi_transport"] for facts in over_mpi)
    assert {(run["backend"], run["status"]) for run in rows(out, "runs.csv")} == {("gloo", "ok"), ("mpi", "ok")}
    assert [row["what"] for row in rows(out, "tables/audit.csv") if "OMPI" in row["what"]] == [], "mpirun's own"


def test_a_launcher_that_starts_no_mpi_is_told_with_those_that_do(ddpbench, mpi):
    done = ddpbench.run("plan", ddpbench.experiment(), "--launcher", "local", "--set", "backend=mpi")
    assert "launcher 'local' cannot start MPI processes; --launcher srun or mpirun can" in done.stdout


def test_mpichs_mpirun_starts_the_ranks(ddpbench, hydra):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(), "--out", out, *hydra)
    assert done.returncode == 0, done.stderr
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}
    facts = json.loads((out / "environment.json").read_text(encoding="utf-8"))
    assert facts["launcher"] == "mpirun"


@pytest.mark.parametrize("kind", ["mpi", "hydra"])
@pytest.mark.parametrize(
    ("number", "words"),
    [(signal.SIGKILL, r"rank 1 was killed by signal 9"), (signal.SIGSTOP, r"rank 1 hangs: its process is suspended")],
    ids=["killed", "suspended"],
)
def test_a_rank_that_is_lost_is_named(ddpbench, request, kind, number, words):
    mpi = request.getfixturevalue(kind)
    out = ddpbench.folder / "out"
    text = NULL_EXPERIMENT + "hang_timeout_seconds = 20\n"

    def lose(process):
        os.kill(ranks_of(process.pid)[1], number)

    done, _ = ddpbench.interrupt(lose, out, text, arguments=mpi)
    assert done.returncode == 1
    assert re.search(words, rows(out, "runs.csv")[0]["reason"])
    check_partial_results(ddpbench, out, "failed")

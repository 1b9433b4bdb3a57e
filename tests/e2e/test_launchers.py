"""Every way of starting a launch, and the commands that `plan` prints for it."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LONG_ENOUGH, NULL_EXPERIMENT, rows

SINGLE = NULL_EXPERIMENT.replace("ranks_per_node = [2]", 'strategy = ["single"]\nranks_per_node = [1]')
WORKER = str(Path(os.environ["DDPBENCH_PROGRAM"]).parent / "ddpbench-worker")


def printed_commands(planned):
    return [line.strip() for line in planned.stdout.splitlines() if "ddpbench-worker" in line]


# libgomp puts every rank's main thread on the first core while it is loaded; torchrun waits for three more nodes.
WITHHELD = {"OMP_PROC_BIND": "true", "OMP_THREAD_LIMIT": "1", "PET_NNODES": "4"}


def test_a_run_is_the_same_whatever_started_its_ranks(ddpbench, launcher):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(), "--out", out, "--launcher", launcher, **WITHHELD)
    assert done.returncode == 0, done.stderr
    assert [(run["status"], run["super_blocks"]) for run in rows(out, "runs.csv")] == [("ok", "8")] * 4
    environment = json.loads((out / "environment.json").read_text())
    assert environment["launcher"] == launcher
    assert environment["withheld_variables"] == WITHHELD
    told = ", ".join(f"{name}={value}" for name, value in sorted(WITHHELD.items()))
    assert f"not handed to the ranks, for the plan decides it: {told}" in done.stderr
    (facts,) = environment["launches"].values()
    if len(os.sched_getaffinity(0)) > 1:
        assert "-" in str(facts["allowed_cores"]) or " " in str(facts["allowed_cores"]), "more than the core of OMP_PROC_BIND"
    assert "| measure |" in done.stderr and "@progress" not in done.stderr
    assert not (out / "parts").exists()


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_printed_command_can_be_pasted(ddpbench, launcher, ranks):
    path = ddpbench.experiment(SINGLE if ranks == 1 else NULL_EXPERIMENT)
    (command,) = printed_commands(ddpbench.run("plan", path, "--launcher", launcher))
    done = ddpbench.paste(command)
    assert done.returncode == 0, done.stderr
    check_parts(ddpbench.folder / "ddpbench-parts", ranks)


def check_parts(folder, ranks):
    outcomes = sorted(folder.glob("*/outcome.*.json"))
    assert [json.loads(outcome.read_text())["status"] for outcome in outcomes] == ["ok"] * ranks
    assert all(part.stat().st_size > 0 for part in folder.glob("*/steps.*.csv"))
    assert len(list(folder.glob("*/steps.*.csv"))) == ranks


def test_a_command_of_plan_csv_can_be_pasted(ddpbench):
    experiment = ddpbench.experiment(SINGLE.replace("[protocol]", '[workload]\ndata = "cifar"\n[protocol]'))
    out = ddpbench.folder / "out"
    assert ddpbench.run("run", experiment, "--out", out).returncode == 0
    done = ddpbench.paste(rows(out, "plan.csv")[0]["command"])
    assert done.returncode == 0, done.stderr
    check_parts(ddpbench.folder / "ddpbench-parts", 1)


def test_ranks_by_torch_distributed_launch(ddpbench):
    """torchrun's older name; its scripts are still about."""
    (command,) = printed_commands(ddpbench.run("plan", ddpbench.experiment(), "--launcher", "torchrun"))
    worker = command[command.index(WORKER) :]
    python = os.environ.get("DDPBENCH_PYTHON", sys.executable)
    done = ddpbench.paste(f"{python} -m torch.distributed.launch --use-env --no-python --nproc-per-node 2 {worker}")
    assert done.returncode == 0, done.stderr
    check_parts(ddpbench.folder / "ddpbench-parts", 2)


def test_no_python_of_the_working_folder_is_run(ddpbench):
    """It may be somebody else's: `python -m` and `python -c` look there first."""
    for name in ("types", "enum", "random", "json", "site", "torch", "lightning"):
        (ddpbench.folder / f"{name}.py").write_text(f"open('ran-{name}', 'w')", encoding="utf-8")
    path = ddpbench.experiment(NULL_EXPERIMENT.replace('"trainer"', '"py_raw"'))
    for words in (["doctor"], ["run", path, "--out", "local"], ["run", path, "--out", "torchrun", "--launcher", "torchrun"]):
        done = ddpbench.run(*words)
        assert done.returncode in (0, 1), done.stderr
        assert not list(ddpbench.folder.glob("ran-*")), words
    assert "runs.csv" in {file.name for file in (ddpbench.folder / "torchrun").iterdir()}


def test_a_launcher_that_is_not_here_says_why(ddpbench):
    no_torch = {"DDPBENCH_PYTHON": "/bin/false"}
    assert "/bin/false has no torch" in ddpbench.run("list", "launchers", **no_torch).stdout
    done = ddpbench.run("run", ddpbench.experiment(), "--launcher", "torchrun", "--out", ddpbench.folder / "out", **no_torch)
    assert done.returncode == 3, done.stderr
    assert "launcher 'torchrun' is not available here: /bin/false has no torch" in done.stderr
    assert not (ddpbench.folder / "out").exists()


def worker(ddpbench, *arguments, **environment):
    return subprocess.run(
        [WORKER, "--launch-id", "L", "--workload", "null", "--workload-option", "data=constant", "--arms", "raw", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ddpbench.folder,
        env=ddpbench.environment | environment,
        timeout=LONG_ENOUGH,
    )


ONE_OF_ONE = {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0"}


@pytest.mark.parametrize(("environment", "words"), [(ONE_OF_ONE, "torchrun started 1 rank"), ({}, "no launcher's variables")])
def test_a_rank_refuses_another_world_than_was_planned(ddpbench, environment, words):
    done = worker(ddpbench, "--ranks-per-node", "2", "--part-dir", "parts", **environment)
    assert done.returncode == 2, done.stderr
    assert "planned for 2 ranks" in done.stderr and words in done.stderr
    assert not (ddpbench.folder / "parts").exists()


def test_a_rank_started_by_hand_refuses_what_binds_its_threads(ddpbench):
    done = worker(ddpbench, "--part-dir", "parts", "--strategy", "single", OMP_PROC_BIND="true", **ONE_OF_ONE)
    assert done.returncode == 2, done.stderr
    assert "OMP_PROC_BIND=true is set" in done.stderr and "unset it" in done.stderr


def test_a_rank_without_a_part_folder_writes_nowhere(ddpbench):
    before = set(Path("/").glob("*.0.*"))
    done = worker(ddpbench)
    assert done.returncode == 2, done.stderr
    assert "--part-dir" in done.stderr
    assert set(Path("/").glob("*.0.*")) == before


def example_of_the_workers_help(folder):
    text = subprocess.run([WORKER, "--help"], capture_output=True, text=True, check=True).stdout
    line = next(line for line in text.splitlines() if line.strip().startswith("ddpbench-worker "))
    return shlex.split(line.replace("DIR", str(folder / "parts")))[1:]


def test_the_example_of_the_workers_help_works(ddpbench):
    flags = [*example_of_the_workers_help(ddpbench.folder), "--max-super-blocks", "6"]
    done = subprocess.run(
        [WORKER, *flags], capture_output=True, text=True, check=False, env=ddpbench.environment, timeout=LONG_ENOUGH
    )
    assert done.returncode == 0, done.stderr
    assert (ddpbench.folder / "parts" / "steps.0.csv").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--batch-size-per-rank", "0"], "batch_size_per_rank = '0': must be from 1 to 1000000"),
        (["--block-steps", "0"], "block_steps = '0': must be from 1"),
        (["--workload-option", "matmul=3"], "unknown workload option 'matmul'"),
        (["--workload-option", "workers=-1"], "workers = '-1': must be from 0 to 64"),
    ],
)
def test_a_rank_refuses_what_the_tables_do_not_allow(ddpbench, flags, words):
    done = worker(ddpbench, "--part-dir", "parts", *flags)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert not (ddpbench.folder / "parts").exists()

"""What doctor, list and plan say about GPUs; on a machine with or without one."""

import json

import pytest
from conftest import NULL_EXPERIMENT, Ddpbench


@pytest.fixture
def examined(ddpbench: Ddpbench) -> dict:
    done = ddpbench.run("doctor", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["worker"]


def test_doctor_loads_the_cuda_libraries_and_says_what_they_are(examined):
    libraries = examined["cuda"]["libraries"]
    if isinstance(libraries, str):
        pytest.skip(libraries)
    assert libraries["architectures"] and all(name.startswith(("sm_", "compute_")) for name in libraries["architectures"])
    assert float(libraries["runtime"]) >= 11
    assert libraries["nccl"].count(".") == 2
    assert libraries["nccl_path"].startswith("/")


def test_without_a_gpu_nccl_is_skipped_with_the_reason(ddpbench, examined):
    reason = examined["backends"]["nccl"]
    if reason == "available":
        pytest.skip("there is a GPU")
    planned = ddpbench.run("plan", ddpbench.experiment(), "--set", "backend=nccl")
    assert f"is not available here: {reason}" in planned.stdout or f"is not built: {reason}" in planned.stdout


def test_what_needs_a_gpu_is_skipped_on_a_backend_of_the_cpu(ddpbench):
    planned = ddpbench.run("plan", ddpbench.experiment(), "--set", "precision=tf32,fp32", "--set", "arms=raw,raw+graph")
    assert planned.returncode == 0, planned.stderr
    assert "precision 'tf32' needs device cuda, this cell has cpu (backend 'gloo')" in planned.stdout
    assert "feature 'graph' needs device cuda, this cell has cpu (backend 'gloo')" in planned.stdout
    assert "null-ddp-gloo-n1r2-fp32-b4" in planned.stdout.partition("skipped")[0]


def test_switches_of_the_protocol_reach_the_ranks_and_are_recorded(ddpbench):
    experiment = ddpbench.experiment(NULL_EXPERIMENT, "max_super_blocks = 6\nmin_super_blocks = 6\ndeterministic = true")
    done = ddpbench.run("run", experiment, "--set", "arms=raw,raw_again", "--out", ddpbench.folder / "out")
    assert done.returncode == 0, done.stderr
    recorded = (ddpbench.folder / "out" / "metrics.csv").read_text()
    assert ",deterministic,1,1" in recorded and ",cudnn_benchmark,0,1" in recorded and ",tf32_cudnn,0,1" in recorded

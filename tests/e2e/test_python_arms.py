"""The real frameworks as arms of a launch, beside arms in C++."""

import json
import platform
from pathlib import Path

import pytest
from conftest import Ddpbench, rows
from python_launches import SHORT, TWO_LANGUAGES, experiment, python_that, run

# Beside the broadcast of SIGTERM's flag: an average over the ranks is an all-reduce behind a barrier.
ADDED_COLLECTIVES = {"+log": 1, "+log+bar_item": 1, "+log+sync_dist": 3, "+accuracy": 1, "+bar": 1, "+csv=2": 1}
ADDED_COLLECTIVES |= {"+tensorboard": 1, "+checkpoint": 1, "+typical": 1, "+typical-sigterm": 0, "+everything": 3}
ADDED_COLLECTIVES |= {"-sigterm+sigterm=10": 0, "+gather": 3, "+rank_zero": 1}
ENOUGH_FOR_INTERVALS = "max_super_blocks = 6\nmin_super_blocks = 6\nwarmup_steps = 1"
GATHERING = ["py_fabric+gather", "py_accelerate+gather"]

ALL_ARMS = ["raw", "raw_again", "injected", "trainer", "py_raw", "py_raw_again", "py_injected", "py_raw_item", "py_fabric"]
ALL_ARMS += ["py_accelerate", "py_hf_trainer", "py_lightning", "py_lightning+typical", "py_lightning-sigterm"]
ONE_OF_EACH = ["raw", "trainer", "py_raw", "py_fabric", "py_accelerate", "py_hf_trainer", "py_lightning", "py_lightning-sigterm"]


def check_collectives(out, ranks):
    """A step of every arm issues what raw's does; Lightning's one more, its flag of SIGTERM, where there are several ranks."""
    found = [row for row in rows(out, "metrics.csv") if row["metric"] == "collectives_per_step"]
    counts = {(row["arm"], row["rank"]): float(row["value"]) for row in found}
    for rank in map(str, range(ranks)):
        for arm in ("py_raw", "py_fabric", "py_accelerate", "py_hf_trainer", "py_lightning-sigterm"):
            assert counts[arm, rank] == counts["raw", rank], arm
        assert counts["py_lightning", rank] == counts["raw", rank] + (ranks > 1)


@pytest.fixture(scope="module")
def with_features(tmp_path_factory):
    """The results of one launch that has every feature beside the arms that it is compared with. Tests only read them."""
    ddpbench = Ddpbench(tmp_path_factory.mktemp("features"))
    arms = ["raw", "trainer", "py_raw", "py_raw_item", "py_lightning", "py_lightning-sigterm", *GATHERING]
    arms += [f"py_lightning{features}" for features in ADDED_COLLECTIVES]
    done, out = run(ddpbench, experiment(arms))
    assert done.returncode == 0, done.stderr + done.stdout
    assert {run["arm"]: run["status"] for run in rows(out, "runs.csv")} == dict.fromkeys(arms, "ok")
    return out


# Every strategy that they have, and both languages: losses and parameters are compared bit for bit before anything is measured.
@pytest.mark.parametrize(
    ("arms", "workload", "precision", "strategy", "ranks"),
    [
        (ALL_ARMS, "null", "fp32", "single", 1),
        (ALL_ARMS, "null", "fp32", "ddp", 2),
        (ALL_ARMS, "convnet_cifar10", "fp32", "ddp", 2),
        (ALL_ARMS, "convnet_cifar10", "amp_bf16", "single", 1),
        (ALL_ARMS, "mnist_convnet", "fp32", "single", 1),
        (ALL_ARMS, "mnist_convnet", "fp32", "ddp", 2),
        (ALL_ARMS, "transformer_lm", "fp32", "ddp", 2),
        (ONE_OF_EACH, "resnet18_cifar10", "fp32", "ddp", 2),
    ],
)
def test_all_arms_do_equal_work_in_one_launch(ddpbench, arms, workload, precision, strategy, ranks):
    text = experiment(arms, workload, strategy, precision, ranks)
    sets = ["min_super_blocks=1", "max_super_blocks=1"]
    if workload.startswith("resnet"):
        sets += ["stem=imagenet", "batch_size_per_rank=2"]
    done, out = run(ddpbench, text, *(word for setting in sets for word in ("--set", setting)))
    assert done.returncode == 0, done.stderr + done.stdout
    runs = rows(out, "runs.csv")
    assert {run["arm"]: run["status"] for run in runs} == dict.fromkeys(arms, "ok")
    checked = [step for step in rows(out, "steps.csv.gz") if step["super_block"] == "0"]
    losses = {(step["arm"], step["rank"]): [] for step in checked}
    for step in checked:
        losses[step["arm"], step["rank"]].append(step["loss"])
    for rank in range(ranks):
        assert len({tuple(losses[arm, str(rank)]) for arm in arms}) == 1
    assert ddpbench.run("verify", out).returncode == 0
    check_collectives(out, ranks)
    references = {row["arm"]: row["reference"] for row in rows(out, "overhead.csv") if row["clock"] == "wall"}
    assert references["py_lightning"] == "py_raw" and references["trainer"] == "raw"


def test_micro_batches_and_clipping_are_equal_work_too(ddpbench):
    sets = ["accumulate=2", "clip_norm=0.05"]
    text = experiment(["raw", "py_raw", "py_fabric", "py_accelerate", "py_lightning"], "convnet_cifar10")
    done, out = run(ddpbench, text, *(word for setting in sets for word in ("--set", setting)))
    assert done.returncode == 0, done.stdout + done.stderr
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}


def test_a_compiled_network_is_the_same_work_in_all_arms_in_python(ddpbench):
    arms = ["raw", "py_raw", "py_raw_again", "py_fabric", "py_accelerate", "py_hf_trainer", "py_lightning", "py_loop=mine"]
    loop = f'\n[loops]\nmine = "{Path(__file__).parents[2] / "docs" / "examples" / "my_loop.py"}:plain"\n'
    done, out = run(ddpbench, experiment(arms, protocol=SHORT) + loop, "--set", "compiled=true", protocol="")
    assert done.returncode == 0, done.stdout + done.stderr
    status = {row["arm"]: (row["status"], row["reason"]) for row in rows(out, "runs.csv")}
    skipped, why = status.pop("raw")
    assert skipped == "skipped" and "torch.compile is for arms in Python" in why
    assert set(status.values()) == {("ok", "")}
    seconds = {row["arm"]: float(row["value"]) for row in rows(out, "metrics.csv") if row["metric"] == "once_s.compile"}
    assert set(seconds) == set(status) and max(seconds, key=seconds.get) == "py_raw"
    assert "torch.compile works, takes up to" in done.stdout


def test_cells_with_and_without_python_are_told_apart_by_nothing_else(ddpbench):
    sets = ["workload=null,convnet_cifar10", "arms_where.py_raw=workload == 'null'"]
    done, out = run(ddpbench, experiment(TWO_LANGUAGES), *(word for setting in sets for word in ("--set", setting)))
    assert done.returncode == 0, done.stderr
    arms = {(row["workload"], row["arm"]) for row in rows(out, "runs.csv")}
    assert arms == {("null", arm) for arm in TWO_LANGUAGES} | {("convnet_cifar10", arm) for arm in ("raw", "trainer")}
    assert [row for row in rows(out, "tables/audit.csv") if row["severity"] == "error"] == []


def test_features_are_arms_of_their_own(with_features):
    out = with_features
    found = [row for row in rows(out, "metrics.csv") if row["metric"] == "collectives_per_step" and row["rank"] == "0"]
    counts = {row["arm"]: float(row["value"]) for row in found}
    added = {features: counts[f"py_lightning{features}"] - counts["py_raw"] for features in ADDED_COLLECTIVES}
    assert added == ADDED_COLLECTIVES
    periodic = {row["arm"] for row in rows(out, "metrics.csv") if row["metric"] == "periodic_every.loggers"}
    assert "py_lightning+csv=2" in periodic and "py_lightning+log" not in periodic
    rare = {row["arm"] for row in rows(out, "metrics.csv") if row["metric"] == "periodic_wall_s.sigterm"}
    assert rare == {"py_lightning-sigterm+sigterm=10"}


# A step of another work is compared with a loop by hand of the same work.
def test_clipping_and_micro_batches_have_references_of_their_own(ddpbench):
    bases = ["py_raw", "py_raw_again", "py_injected", "py_lightning", "py_fabric", "py_accelerate"]
    arms = [base + work for work in ("", "+clip=0.05", "+accumulate=2") for base in bases]
    text = experiment([*arms, "raw", "raw+clip=0.05", "trainer+clip=0.05"], "convnet_cifar10")
    done, out = run(ddpbench, text, protocol=ENOUGH_FOR_INTERVALS)
    assert done.returncode == 0, done.stderr + done.stdout
    runs = {row["arm"]: row for row in rows(out, "runs.csv")}
    assert {row["status"] for row in runs.values()} == {"ok"}
    checked = [row for row in rows(out, "steps.csv.gz") if row["super_block"] == "0" and row["step"] == "5"]
    losses = {row["arm"]: row["loss"] for row in checked if row["rank"] == "0"}
    assert losses["py_lightning+clip=0.05"] == losses["raw+clip=0.05"] != losses["py_lightning"]
    for arm in ("py_raw", "py_raw+accumulate=2"):
        samples = float(runs[arm]["samples_per_s"]) * float(runs[arm]["step_ms_p50"]) / 1e3
        assert samples == pytest.approx(16 if "accumulate" in arm else 8)
    compared = {row["arm"]: (row["reference"], row["aa_us_lo"]) for row in rows(out, "overhead.csv") if row["clock"] == "wall"}
    assert compared["py_lightning+accumulate=2"][0] == "py_raw+accumulate=2" and compared["py_lightning"][0] == "py_raw"
    assert compared["trainer+clip=0.05"][0] == "raw+clip=0.05"
    assert compared["py_fabric+clip=0.05"][1] != compared["py_fabric"][1]


def test_gathering_for_metrics_costs_collectives(with_features):
    found = [row for row in rows(with_features, "metrics.csv") if row["metric"] == "collectives_per_step" and row["rank"] == "0"]
    counts = {row["arm"]: float(row["value"]) for row in found}
    assert {arm: counts[arm] - counts["py_raw"] for arm in GATHERING} == dict.fromkeys(GATHERING, 2)


def test_a_step_of_each_language_is_counted(with_features):
    """torch's tensor operations are the same where the work is the same; what Lightning adds is what its source does."""
    out = with_features
    counts = {row["arm"]: row for row in rows(out, "tables/counts.csv")}
    assert float(counts["py_raw_item"]["extra_host_reads"]) == 1
    assert float(counts["py_lightning-sigterm"]["extra_host_reads"]) == 0
    assert float(counts["py_lightning"]["extra_host_reads"]) == 1  # the flag of SIGTERM, and its broadcast
    assert float(counts["py_lightning"]["extra_collectives"]) == 1
    assert float(counts["py_lightning+rank_zero"]["extra_host_reads"]) > 1  # rank zero's alone
    assert "broadcast=1" in counts["py_lightning"]["collective_kinds"]
    assert float(counts["py_lightning-sigterm"]["extra_tensor_ops"]) > 0
    assert float(counts["py_lightning-sigterm"]["extra_python_calls"]) > 300
    assert counts["raw"]["python_calls"] == "" and float(counts["py_raw"]["python_calls"]) > 0
    assert {row["heap_allocations"] for row in counts.values()} == {""}


def test_versions_stand_with_the_results(with_features):
    out = with_features
    versions = {row["arm"]: row["versions"] for row in rows(out, "runs.csv")}
    assert versions["raw"] == versions["py_raw"] and versions["raw"].startswith("torch=")
    assert f"python={platform.python_version()}" in versions["raw"] and ";lightning=" in versions["py_lightning"]
    told = {row["versions"] for row in rows(out, "overhead.csv") if row["arm"] == "py_lightning"}
    assert told == {versions["py_lightning"]}
    once = {(row["arm"], row["metric"]) for row in rows(out, "metrics.csv")}
    assert ("py_lightning", "once_s.head") in once and ("py_lightning", "once_s.validation") in once
    text = (out / "environment.json").read_text(encoding="utf-8")
    assert json.loads(text)["probe"]["python_arms"]["packages"]["lightning"]
    assert "python_lightning" in text and "python_gc" in text


def test_a_launch_without_arms_in_python_needs_no_python(ddpbench):
    path = ddpbench.experiment()
    planned = ddpbench.run("plan", path)
    assert "ddpbench-worker" in planned.stdout and "ddpbench_arms" not in planned.stdout
    done = ddpbench.run("run", path, "--out", ddpbench.folder / "out", DDPBENCH_PYTHON="/nonexistent/python")
    assert {run["status"] for run in rows(ddpbench.folder / "out", "runs.csv")} == {"ok"}, done.stderr
    counts = {row["arm"]: row for row in rows(ddpbench.folder / "out", "tables/counts.csv")}
    assert float(counts["trainer"]["extra_heap_allocations"]) > 0 and float(counts["raw"]["host_reads"]) == 0


def test_without_a_python_its_arms_are_skipped_with_the_reason(ddpbench):
    done, out = run(ddpbench, experiment(TWO_LANGUAGES), DDPBENCH_PYTHON="/nonexistent/python")
    runs = {run["arm"]: run for run in rows(out, "runs.csv")}
    assert runs["raw"]["status"] == runs["trainer"]["status"] == "ok", done.stderr
    assert runs["py_raw"]["status"] == runs["py_lightning"]["status"] == "skipped"
    assert "/nonexistent/python" in runs["py_lightning"]["reason"]


def test_a_missing_package_skips_its_arms_with_the_line_that_installs_it(ddpbench):
    hidden = """
from importlib import metadata
version = metadata.version

def hide(name):
    if name == "lightning":
        raise metadata.PackageNotFoundError(name)
    return version(name)

metadata.version = hide
"""
    done, out = run(ddpbench, experiment(TWO_LANGUAGES), **python_that(ddpbench, hidden))
    runs = {run["arm"]: run for run in rows(out, "runs.csv")}
    assert runs["py_raw"]["status"] == "ok", done.stderr
    assert runs["py_lightning"]["status"] == "skipped"
    assert "-m pip install lightning==" in runs["py_lightning"]["reason"]


def test_fp16_on_a_cpu_is_skipped_with_the_reason(ddpbench):
    done, out = run(ddpbench, experiment(TWO_LANGUAGES, precision="amp_fp16", strategy="single", ranks=1))
    reasons = {run["arm"]: run["reason"] for run in rows(out, "runs.csv") if run["status"] == "skipped"}
    assert set(reasons) == {"py_raw", "py_lightning"}, done.stderr
    assert all("fp16" in reason for reason in reasons.values())


def test_other_work_is_named_with_its_arm_and_step(ddpbench):
    cheat = """
def change(raw):
    step = raw.RawItem.step

    def cheating(arm):
        step(arm)
        return step(arm)  # a batch more, every step

    raw.RawItem.step = cheating

when_imported("ddpbench_arms.raw", change)
"""
    arms = ["raw", "py_raw", "py_raw_item"]
    done, out = run(ddpbench, experiment(arms, workload="convnet_cifar10"), **python_that(ddpbench, cheat))
    assert done.returncode == 1
    runs = {run["arm"]: run for run in rows(out, "runs.csv")}
    assert runs["py_raw_item"]["status"] == "wrong_result"
    assert "py_raw_item" in done.stdout and "step 1 of the equal-work check" in done.stdout + runs["py_raw_item"]["reason"]


def test_the_command_of_a_launch_can_be_pasted(ddpbench):
    text = experiment(["raw", "py_raw", "py_lightning"])
    path = ddpbench.experiment(text, SHORT)
    planned = ddpbench.run("plan", path, "--all-commands")
    command = next(line for line in planned.stdout.splitlines() if "ddpbench_arms" in line)
    done = ddpbench.paste(command.strip())
    assert done.returncode == 0, done.stderr
    assert list(Path(ddpbench.folder, "ddpbench-parts").rglob("outcome.0.json"))

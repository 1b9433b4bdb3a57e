"""The loader under a whole run: what can be set, and a file that is damaged while it is read."""

import os

import pytest
from conftest import NULL_EXPERIMENT, rows

CONVNET = NULL_EXPERIMENT.replace('"null"', '"convnet_cifar10"').replace('"raw_again", "trainer", "injected"', '"trainer"')
FEW = "max_super_blocks = 3\nmin_super_blocks = 3\n[workload]\n"


@pytest.mark.parametrize(
    "options",
    [
        "workers = 2\nprefetch = 3\naugment = true",
        'resident = "host"\nlast_batch = "keep"\nshuffle = false\npin_memory = true',
        'resident = "device"\naugment = true\nchannels_last = true',
    ],
    ids=["workers", "host", "device"],
)
def test_arms_do_equal_work_on_the_batches_of_every_loader(ddpbench, options):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(CONVNET, FEW + options), "--out", out)
    assert done.returncode == 0, done.stderr
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}


@pytest.mark.parametrize("options", ["channels_last = true\npin_memory = true", 'last_batch = "keep"\nshuffle = false'])
def test_pytorchs_dataloader_gives_the_launchs_batches(ddpbench, options):
    out = ddpbench.folder / "out"
    arms = '"py_raw", "py_raw_again", "py_raw+dataloader=2", "py_lightning+dataloader=0", "py_hf_trainer+dataloader=1"'
    experiment = CONVNET.replace('"raw", "trainer"', arms)
    done = ddpbench.run("run", ddpbench.experiment(experiment, FEW + options), "--out", out)
    assert done.returncode == 0, done.stderr
    assert {run["status"] for run in rows(out, "runs.csv")} == {"ok"}
    started = {row["arm"] for row in rows(out, "metrics.csv") if row["metric"] == "once_s.loader_start"}
    assert started == {run["arm"] for run in rows(out, "runs.csv") if "dataloader" in run["arm"]}


@pytest.mark.parametrize("workers", [0, 2])
def test_a_file_cut_short_while_it_is_read_ends_the_launch_and_is_named(ddpbench, data, workers):
    out = ddpbench.folder / "out"
    cut_short = next(data.rglob("data_batch_3.bin"))
    experiment = CONVNET.replace("[axes]", f"[axes]\nworkers = [{workers}]")
    done, _ = ddpbench.interrupt(lambda _: os.truncate(cut_short, 3073), out, experiment, ["--data", data])
    assert done.returncode == 1, done.stderr
    runs = rows(out, "runs.csv")
    assert {run["status"] for run in runs} == {"failed"}
    assert all("data_batch_3.bin" in run["reason"] and "truncated" in run["reason"] for run in runs), runs
    assert ddpbench.run("verify", out).returncode == 0


def test_a_batch_larger_than_a_ranks_images_is_refused_before_anything_starts(ddpbench):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(CONVNET), "--set", "batch_size_per_rank=4,25001", "--out", out)
    assert done.returncode == 2, done.stderr
    assert "batch_size_per_rank = 25001: must be at most 25000" in done.stderr
    assert not out.exists()

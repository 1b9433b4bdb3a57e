"""A LightningModule of the user's own, and other releases of Lightning."""

import os

import pytest
from conftest import PROGRAM, rows
from python_launches import SHORT, experiment, run

MODULES = '\n[modules]\nmine = "net.py:Net"\n'
OWN_MODULE = """
import torch
from lightning.pytorch import LightningModule


class Net(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, batch_idx):
        loss = self.layer(batch).square().mean()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())

    def train_dataloader(self):
        return [torch.randn(3, 4) for _ in range(10)]
"""
OF_WORKERS = """
class Rows:
    def __len__(self):
        return 16

    def __getitem__(self, index):
        import torch
        return torch.randn(100_000)

""" + OWN_MODULE.replace("Linear(4, 2)", "Linear(100_000, 2)").replace(
    "[torch.randn(3, 4) for _ in range(10)]", "torch.utils.data.DataLoader(Rows(), batch_size=4, num_workers=2)"
)  # fmt: skip


def test_a_module_of_the_users_own_is_trained_by_both_loops(ddpbench):
    (ddpbench.folder / "net.py").write_text(OWN_MODULE, encoding="utf-8")
    arms = ["py_raw=mine", "py_raw_again=mine", "py_injected=mine", "py_lightning=mine-sigterm", "py_lightning=mine+ideal"]
    done, out = run(ddpbench, experiment(arms, workload="module") + SHORT + MODULES, protocol="")
    assert done.returncode == 0, done.stderr
    runs = {row["arm"]: row for row in rows(out, "runs.csv")}
    assert {row["status"] for row in runs.values()} == {"ok"}
    assert {row["samples_per_s"] for row in runs.values()} == {""}
    assert "mine=sha256:" in runs["py_lightning=mine-sigterm"]["versions"]
    compared = {(row["arm"], row["reference"]) for row in rows(out, "overhead.csv")}
    assert ("py_lightning=mine-sigterm", "py_raw=mine") in compared


# What else the check finds: tests/harness/python/test_check.py.
@pytest.mark.parametrize(
    ("file", "words"),
    [
        (OWN_MODULE.replace("class Net", "class Other"), ["no 'Net' in", "LightningModules there: LightningModule, Other"]),
        (OWN_MODULE.replace("self.layer(batch)", "self.layer(batch.flatten())"), ["net.py:12: RuntimeError"]),
        ("import os\n\nos._exit(9)\n", ["net.py:Net: the check ended with exit code 9"]),
        (OWN_MODULE.replace("return loss", "os._exit(0)").replace("import torch", "import os, torch", 1),
         ["net.py:Net: the check ended with 0 before it was through"]),
    ],
    ids=["another class", "shapes", "leaves at once", "leaves in a step"],
)  # fmt: skip
def test_a_module_that_cannot_be_trained_is_refused_before_anything_starts(ddpbench, file, words):
    (ddpbench.folder / "net.py").write_text(file, encoding="utf-8")
    text = experiment(["py_raw=mine"], workload="module", ranks=1, strategy="single") + SHORT + MODULES
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 2
    assert not out.exists()
    assert all(word in done.stderr for word in ["[modules] mine: ", *words])
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a /dev/shm of its own")
def test_a_full_dev_shm_is_named(ddpbench):
    (ddpbench.folder / "net.py").write_text(OF_WORKERS, encoding="utf-8")
    path = ddpbench.experiment(experiment(["py_raw=mine"], workload="module") + MODULES, protocol="")
    small = "mount -t tmpfs -o size=64k tmpfs /dev/shm"
    done = ddpbench.paste(f"unshare --mount sh -c '{small} && exec {PROGRAM} run {path} --out out --tables-only'")
    if "unshare failed" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"this root has no mounts of its own: {done.stderr.strip()}")
    assert done.returncode == 2, done.stderr
    assert "/dev/shm is full (it has 64 KiB)" in done.stderr
    assert "num_workers=0" in done.stderr and "(in a worker of a DataLoader)" in done.stderr


def test_a_release_of_lightning_that_is_not_there_is_told_before_anything_starts(ddpbench):
    text = experiment(["py_raw", "py_lightning"], protocol='[trainer]\nlightning_version = "2.0.99"')
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 2
    assert "bootstrap.sh build --lightning-version 2.0.99" in done.stderr
    assert not out.exists()

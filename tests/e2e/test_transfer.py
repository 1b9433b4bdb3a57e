"""A training that begins with a checkpoint of Lightning's: all of its weights, or those of its backbone under a new head."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import rows
from python_launches import SHORT, experiment, run

pytest.importorskip("lightning")

MAKE = """
import sys

import torch
from lightning.pytorch import LightningModule, Trainer

sys.path.insert(0, sys.argv[1])
from ddpbench_arms.models import MODELS


class Net(LightningModule):
    def __init__(self, width):
        super().__init__()
        self.save_hyperparameters()
        self.net = MODELS["convnet"](10, {})
        self.beside = torch.nn.Linear(width, 1)

    def training_step(self, batch):
        return torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1)]


torch.manual_seed(3)
net = Net(width=3)
data = torch.utils.data.TensorDataset(torch.randn(8, 3, 32, 32), torch.arange(8))
trainer = Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False)
trainer.fit(net, torch.utils.data.DataLoader(data, batch_size=4))
trainer.save_checkpoint("net.ckpt")
torch.save(net.net.state_dict(), "net.pt")
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    share = Path(os.environ["DDPBENCH_BUILD"]) / "share" / "ddpbench" / "python"
    subprocess.run([sys.executable, "-c", MAKE, share], cwd=folder, check=True, capture_output=True)
    return folder


def test_a_checkpoint_of_lightning_has_the_models_weights_under_its_own_names(ddpbench, trained):
    losses = {}
    for file in ("net.ckpt", "net.pt"):
        text = experiment(["raw", "py_raw"], workload="convnet_cifar10", protocol=SHORT)
        done, out = run(ddpbench, text, "--tables-only", "--set", f"weights={trained / file}", protocol="", out=f"from-{file}")
        assert done.returncode == 0, done.stderr
        losses[file] = [(row["arm"], row["loss"]) for row in rows(out, "tables/loss.csv")]
    assert losses["net.ckpt"] == losses["net.pt"] and losses["net.pt"]


def test_a_new_head_is_trained_alone_and_alike_in_every_arm(ddpbench, trained):
    arms = ["raw", "trainer", "py_raw", "py_lightning", "py_fabric", "py_accelerate", "py_hf_trainer"]
    protocol = f"{SHORT}\nepochs = 2\nepoch_steps = 2\nvalidation_batches = 1"
    text = 'training_where = "true"' + experiment(arms, workload="convnet_cifar100", protocol=protocol)
    weights = ["--set", f"weights={trained / 'net.ckpt'}"]
    done, _ = run(ddpbench, text, *weights, protocol="", out="unfit")
    assert done.returncode == 2, done.stderr
    assert done.stderr.count(" where the model has [100") == 2, "weight and bias of the head"
    weights += ["--set", "weights_head=new", "--set", "frozen=backbone"]
    done, out = run(ddpbench, text, *weights, "--tables-only", protocol="")
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}
    sent = {
        (row["arm"], float(row["value"]))
        for row in rows(out, "metrics.csv")
        if row["metric"] == "collective_bytes_of_kind_per_step.allreduce"
    }
    assert {arm for arm, _ in sent} == set(arms)
    assert len({sent_bytes for _, sent_bytes in sent}) == 1, "the head's gradients"
    assert sum(row["metric"] == "training_value.1.2.loss" for row in rows(out, "metrics.csv")) == 2 * 5

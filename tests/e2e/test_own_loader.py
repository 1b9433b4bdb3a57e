"""A loader of the user's own, under loops by hand and frameworks; docs/examples has one."""

from pathlib import Path

import pytest
from conftest import rows
from python_launches import SHORT, experiment, run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LOADERS = '\n[loaders]\nmine = "my_loader.py:make_loader"\n'
PLAIN = """
import time
import torch
from torch.utils.data import DataLoader

def one(number):
    time.sleep(0.01)
    return torch.full((3, 32, 32), number / 64), number % 10

def make_loader(batch_size):
    return DataLoader(range(64), batch_size=batch_size, shuffle=True, collate_fn=collated)

def collated(numbers):
    images, labels = zip(*map(one, numbers))
    return torch.stack(images), torch.tensor(labels)
"""
MODULE = """
import torch
from lightning.pytorch import LightningModule
from torch.utils.data import DataLoader

class Net(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, index):
        return self.layer(batch).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)

    def train_dataloader(self):
        return DataLoader([torch.full((4,), number / 32) for number in range(32)], batch_size=3, shuffle=True, num_workers=1)
"""


def put(ddpbench, name, text):
    (ddpbench.folder / name).write_text(text, encoding="utf-8")


def test_a_loader_is_what_a_step_waits_for(ddpbench):
    put(ddpbench, "my_loader.py", PLAIN)
    put(ddpbench, "my_loop.py", (EXAMPLES / "my_loop.py").read_text(encoding="utf-8"))
    bases = ["py_raw", "py_raw_again", "py_injected", "py_lightning", "py_hf_trainer", "py_loop=mine"]
    arms = [*(f"{base}+loader=mine" for base in bases), "py_raw"]
    text = experiment(arms, workload="convnet_cifar10", protocol=SHORT) + LOADERS + '[loops]\nmine = "my_loop.py:train"\n'
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 0, done.stderr
    assert "checking loader mine: its batches and some steps" in done.stderr
    assert "checking loop mine: the same steps as py_raw+loader=mine" in done.stderr
    runs = {row["arm"]: row for row in rows(out, "runs.csv")}
    assert {row["status"] for row in runs.values()} == {"ok"}
    assert "mine=sha256:" in runs["py_lightning+loader=mine"]["versions"]
    compared = {(row["arm"], row["reference"]) for row in rows(out, "overhead.csv")}
    assert {(f"{base}+loader=mine", "py_raw+loader=mine") for base in bases[1:]} <= compared
    started = {row["arm"] for row in rows(out, "metrics.csv") if row["metric"] == "once_s.loader_start"}
    assert started == {arm for arm in arms if "loader" in arm and "injected" not in arm}
    waits = [float(row["data_s"]) for row in rows(out, "steps.csv.gz") if row["arm"] == "py_raw+loader=mine" and row["data_s"]]
    assert min(waits) >= 4 * 0.01, "four samples that take 10 ms each"


def test_a_module_trains_on_its_own_loader(ddpbench):
    put(ddpbench, "net.py", MODULE)
    arms = ["py_raw=net+loader=its", "py_lightning=net+loader=its"]
    sections = '[modules]\nnet = "net.py:Net"\n[loaders]\nits = "net.py:Net"\n'
    done, out = run(ddpbench, experiment(arms, workload="module", protocol=SHORT) + sections, protocol="")
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (PLAIN.replace("time.sleep(0.01)", "raise KeyError('mine')"), ["my_loader.py:7: KeyError: 'mine'"]),
        (PLAIN.replace("(batch_size)", "(batch_size, folder)"), ["make_loader() asks for folder: must be some of batch_size"]),
        (PLAIN.replace("(3, 32, 32)", "(3, 8, 8)"), ["the loader gave float32 [4, 3, 8, 8]", "a pair of float32 [4, 3, 32"]),
        (PLAIN.replace("return DataLoader", "return len"), ["my_loader.py:11: TypeError: len() takes no keyword arguments"]),
        (PLAIN.replace("range(64)", "range(0)"), ["my_loader.py:11: ValueError: num_samples should be a positive"]),
        (PLAIN.replace("def make_loader", "def other"), ["no 'make_loader' in", "functions and classes there: "]),
    ],
    ids=["raises", "asks for another thing", "another shape", "no loader", "empty", "another function"],
)  # fmt: skip
def test_a_mistake_is_told_once_before_anything_starts(ddpbench, file, words):
    put(ddpbench, "my_loader.py", file)
    put(ddpbench, "my_loop.py", (EXAMPLES / "my_loop.py").read_text(encoding="utf-8"))
    arms = ["py_raw+loader=mine", "py_loop=mine+loader=mine"]
    text = experiment(arms, workload="convnet_cifar10", protocol=SHORT) + LOADERS + '[loops]\nmine = "my_loop.py:train"\n'
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 2, done.stderr
    assert not out.exists()
    assert all(word in done.stderr for word in ["[loaders] mine: ", *words]), done.stderr
    assert "[loops]" not in done.stderr
    assert "Traceback" not in done.stderr


def test_it_needs_a_section_and_is_refused_beside_another_loader(ddpbench):
    put(ddpbench, "my_loader.py", PLAIN)
    done, _ = run(ddpbench, experiment(["py_raw+loader=mine"]))
    assert done.returncode == 2
    assert 'no loader \'mine\' (known: none: write [loaders] with mine = "FILE.py:function")' in done.stderr
    done, _ = run(ddpbench, experiment(["py_raw+loader=mine+dataloader=1"], protocol=SHORT) + LOADERS, protocol="")
    assert done.returncode == 2
    assert "dataloader" in done.stderr

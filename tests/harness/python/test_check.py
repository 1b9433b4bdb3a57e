"""What the check of a user's module says of mistakes: each in a process of its own, all forked from one that has Lightning."""

import json
import os
import subprocess
import sys

import pytest

MODULE = """
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
        return self.missing

""" + MODULE.replace("[torch.randn(3, 4) for _ in range(10)]", "torch.utils.data.DataLoader(Rows(), batch_size=4, num_workers=2)")
# The user's file, and what is said of it.
CASES = {
    "nothing is wrong": (MODULE, []),
    "manual optimisation": (
        MODULE.replace("super().__init__()", "super().__init__()\n        self.automatic_optimization = False"),
        ["Net has manual optimisation"],
    ),
    "no such package": ("import torch\nimport no_such_package\n", ["net.py:2: ModuleNotFoundError", "no_such_package"]),
    "leaves": ("import sys\n\nsys.exit(7)\n", ["net.py:3: SystemExit: 7"]),
    "two optimizers": (
        MODULE.replace("torch.optim.Adam(self.parameters())", "[torch.optim.Adam(self.parameters())] * 2"),
        ["gives 2 optimizers: a loop by hand drives one"],
    ),
    "shapes": (MODULE.replace("self.layer(batch)", "self.layer(batch.flatten())"), ["net.py:12: RuntimeError"]),
    "no such attribute of the Trainer": (
        MODULE.replace('self.log("loss", loss)', "self.trainer.save_checkpoint('x')"),
        ["net.py:13: AttributeError: the loop by hand has no Trainer.save_checkpoint"],
    ),
    "no loader": (MODULE.replace("def train_dataloader", "def other_loader"), ["train_dataloader"]),
    "detached": (MODULE.replace("return loss", "return loss.detach()"), ["net.py: training_step gave a loss without gradient"]),
    "a loader's worker": (
        OF_WORKERS,
        ["net.py:7: AttributeError: 'Rows' object has no attribute 'missing' (in a worker of a DataLoader)"],
    ),
}
CHECK_ALL = """
import json, os, sys
import lightning.pytorch
from ddpbench_arms import check

for module in json.load(sys.stdin):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 2)
        check.main(["--module", f"mine={module}", "--backend", "gloo"])
    os.close(writer)
    with open(reader) as said:
        words = said.read()
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), words]), flush=True)
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Returns exit code and words of each case."""
    modules = []
    for text, _ in CASES.values():
        modules.append(tmp_path_factory.mktemp("module") / "net.py")
        modules[-1].write_text(text, encoding="utf-8")
    command = [sys.executable, "-B", "-c", CHECK_ALL]
    environment = os.environ | {"PYTHONPATH": os.environ["DDPBENCH_PYTHON_ARMS"]}
    asked = json.dumps([f"{module}:Net" for module in modules])
    done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=600, check=True, env=environment)
    return dict(zip(CASES, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_a_module_that_cannot_be_trained_is_told_with_its_line(checked, case):
    code, said = checked[case]
    words = CASES[case][1]
    assert code == (2 if words else 0), said
    assert all(word in said for word in words), said
    assert ("ddpbench_arms: checked" in said) == (not words)
    assert "Traceback" not in said

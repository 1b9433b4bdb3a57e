"""LightningModules as people write them, and some that nobody should: one step of each is tried before any launch begins."""

from __future__ import annotations

from bounded_run import Limits
from case import Case
from ordinary import SECONDS_OF_A_RUN

SOUND = """import os, subprocess, sys
import torch
from {package} import LightningModule


class Net(LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, index):
        loss = self.layer(batch).square().mean()
        {step}
        return loss

    def configure_optimizers(self):
        {optimizers}
        return torch.optim.SGD(self.parameters(), lr=0.01)

    def train_dataloader(self):
        {loader}
        return [torch.randn(3, 4) for _ in range(10)]
"""
# What stands in a method, by its place.
RUNS = {
    "step": (
        *("self.log('loss', loss)", "self.print('step')", "self.log_dict({'a': loss})", "self.trainer.is_global_zero"),
        *("self.logger.experiment", "self.global_step + self.current_epoch", "self.trainer.world_size * self.global_rank"),
        *("self.optimizers(), self.lr_schedulers()", "print('\\x1b[31mred')", "print('x' * 100_000)"),
    ),
    "optimizers": ("steps = self.trainer.estimated_stepping_batches", "self.trainer.max_epochs", "pass"),
    "loader": ("ranks = self.trainer.world_size", "self.trainer.num_training_batches", "pass"),
}
REFUSED = {
    "step": (
        *("raise ValueError('no')", "sys.exit(0)", "os._exit(0)", "self.trainer.no_such_thing", "self.missing", "batch.missing"),
        *("return None", "loss = loss.detach()", "os.kill(os.getpid(), 9)", "1 / 0"),
    ),
    "optimizers": ("return [torch.optim.SGD(self.parameters(), 1) for _ in range(2)]", "raise KeyError('k')"),
    "loader": ("return None", "return []", "return 7", "import no_such_package"),
}
# It runs, and what it leaves behind ends with it.
DAEMON = "subprocess.Popen(['sleep', '1000'], start_new_session=True)"
EXPERIMENT = """name = "own"
arms = ["py_raw=mine", "py_lightning=mine"]
[axes]
workload = ["module"]
ranks_per_node = [1]
strategy = ["single"]
[modules]
mine = "net.py:Net"
[protocol]
launches = 1
max_super_blocks = 1
min_super_blocks = 1
"""


def own_module(case: Case) -> None:
    """It is trained by both loops, or refused before any launch with the file's name."""
    is_sound = case.random.random() < 0.5
    place = case.random.choice(list(RUNS))
    line = case.random.choice([*(RUNS if is_sound else REFUSED)[place], *([DAEMON] if is_sound and place == "loader" else [])])
    package = case.random.choice(["lightning", "lightning.pytorch", "pytorch_lightning"])
    parts = {"step": "pass", "optimizers": "pass", "loader": "pass"} | {place: line}
    (case.folder / "net.py").write_text(SOUND.format(package=package, **parts), encoding="utf-8")
    (case.folder / "own.toml").write_text(EXPERIMENT, encoding="utf-8")
    case.tell(f"{package}, in {place}: {line}")
    judge_run(case, "net.py", is_sound)


def judge_run(case: Case, file: str, is_sound: bool) -> None:
    """Runs own.toml, whose arms take what `file` has: it is measured, or refused by that name before a launch begins."""
    out = case.folder / "out"
    ended = case.run("run", "own.toml", "--tables-only", "--out", out, limits=Limits(SECONDS_OF_A_RUN))
    case.require_no_orphan()
    case.require_code(ended, 0 if is_sound else 2)
    if not is_sound and out.exists():
        case.broke("wrong", f"{ended.told()}: a launch began")
    if ended.code == 2 and file not in ended.text:
        case.broke("unclear", f"{ended.told()}: {file} is not named: {ended.text.strip()[-300:]}")

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
# It runs, and what it leaves behind ends with it.
DAEMON = "subprocess.Popen(['sleep', '1000'], start_new_session=True)"
# What stands in a method, by its place.
RUNS = {
    "step": (
        *("self.log('loss', loss)", "self.print('step')", "self.log_dict({'a': loss})", "self.trainer.is_global_zero"),
        *("self.logger.experiment", "self.global_step + self.current_epoch", "self.trainer.world_size * self.global_rank"),
        *("self.optimizers(), self.lr_schedulers()", "print('\\x1b[31mred')", "print('x' * 100_000)"),
    ),
    "optimizers": ("steps = self.trainer.estimated_stepping_batches", "self.trainer.max_epochs", "pass"),
    "loader": ("ranks = self.trainer.world_size", "self.trainer.num_training_batches", "pass", DAEMON),
}
REFUSED = {
    "step": (
        *("raise ValueError('no')", "sys.exit(0)", "os._exit(0)", "self.trainer.no_such_thing", "self.missing", "batch.missing"),
        *("return None", "loss = loss.detach()", "os.kill(os.getpid(), 9)", "1 / 0"),
    ),
    "optimizers": ("return [torch.optim.SGD(self.parameters(), 1) for _ in range(2)]", "raise KeyError('k')"),
    "loader": ("return None", "return []", "return 7", "import no_such_package"),
}
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


Lines = dict[str, tuple[str, ...]]  # by their place


def own_module(case: Case) -> None:
    """It is trained by both loops, or refused before any launch with the file's name."""
    package = case.random.choice(["lightning", "lightning.pytorch", "pytorch_lightning"])
    case.tell(f"a module of {package}")
    try_own_code(case, "net.py", SOUND.replace("{package}", package), EXPERIMENT, (RUNS, REFUSED))


def try_own_code(case: Case, file: str, text: str, experiment: str, lines: tuple[Lines, Lines]) -> None:
    """Puts a line, sound or not, in one of the text's places. It is measured, or refused by the file's name before any launch."""
    is_sound = case.random.random() < 0.5
    of_its_kind = lines[0] if is_sound else lines[1]
    place = case.random.choice(list(of_its_kind))
    line = case.random.choice(of_its_kind[place])
    case.tell(f"in {place}: {line}")
    (case.folder / file).write_text(text.format(**(dict.fromkeys(of_its_kind, "pass") | {place: line})), encoding="utf-8")
    (case.folder / "own.toml").write_text(experiment, encoding="utf-8")
    out = case.folder / "out"
    ended = case.run("run", "own.toml", "--tables-only", "--out", out, limits=Limits(SECONDS_OF_A_RUN))
    case.require_no_orphan()
    case.require_code(ended, 0 if is_sound else 2)
    if not is_sound and out.exists():
        case.broke("wrong", f"{ended.told()}: a launch began")
    if ended.code == 2 and file not in ended.text:
        case.broke("unclear", f"{ended.told()}: {file} is not named: {ended.text.strip()[-300:]}")

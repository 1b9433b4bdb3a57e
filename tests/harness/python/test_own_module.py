"""A LightningModule of the user's own, under the loop by hand and under Lightning's."""

import re
from pathlib import Path

import pytest
import torch

HEAD = """
import torch
from lightning.pytorch import LightningDataModule, LightningModule
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEEN = []


class Plain(LightningModule):
    def __init__(self):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 3))

    def training_step(self, batch, batch_idx):
        loss = nn.functional.cross_entropy(self.network(batch["x"]), batch["y"])
        self.log("loss", loss, prog_bar=True)
        return {"loss": loss}

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=0.01)

    def train_dataloader(self):
        data = TensorDataset(torch.randn(40, 8), torch.randint(3, (40,)))
        return DataLoader(data, batch_size=4, shuffle=True, collate_fn=as_dict)


def as_dict(rows):
    return {"x": torch.stack([x for x, _ in rows]), "y": torch.stack([y for _, y in rows])}
"""
WITH_HOOKS_AND_SCHEDULER = """
class Made(Plain):
    def training_step(self, batch):
        return nn.functional.cross_entropy(self.network(batch["x"]), batch["y"])

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.5**step)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}

    def on_train_batch_start(self, batch, batch_idx):
        SEEN.append("start")

    def on_after_backward(self):
        SEEN.append("after_backward")
        for parameter in self.parameters():
            parameter.grad.mul_(0.5)

    def on_before_optimizer_step(self, optimizer):
        SEEN.append("before_update")

    def on_train_batch_end(self, outputs, batch, batch_idx):
        SEEN.append("end")
"""
WITH_DATA_MODULE = """
class Data(LightningDataModule):
    def setup(self, stage):
        self.loader = Plain().train_dataloader()

    def train_dataloader(self):
        return self.loader


class Bare(Plain):
    train_dataloader = LightningModule.train_dataloader


def Made():
    return Bare(), Data()
"""
SOURCES = {"plain": "Made = Plain\n", "hooks and scheduler": WITH_HOOKS_AND_SCHEDULER, "data module": WITH_DATA_MODULE}


@pytest.fixture
def user_file(tmp_path):
    """user_file(text): "FILE.py:Made" of a file that holds it."""

    def write(text: str) -> str:
        path = tmp_path / "my_module.py"
        path.write_text(HEAD + text, encoding="utf-8")
        return f"{path}:Made"

    return write


def make(make_arm, name, where, **arguments):
    return make_arm(name, network="module", own_code={"module": {"mine": where}}, **arguments)


def start_alike(arms):
    """As the equal-work check does: two steps each, for optimizers make their state then, and the first one's state for all."""
    for arm in arms:
        for _ in range(2):
            arm.step()
    start = [tensor.detach().clone() for tensor in arms[0].state()]
    for arm in arms[1:]:
        restore(arm, start)
    return start


@torch.no_grad()
def restore(arm, start):
    state = arm.state()
    assert [tensor.shape for tensor in state] == [tensor.shape for tensor in start]
    for tensor, kept in zip(state, start, strict=True):
        tensor.copy_(kept)


def losses_of(arm, steps=5):
    arm.session.drawn = 0
    torch.manual_seed(3)  # dropout's
    return [arm.step().item() for _ in range(steps)]


@pytest.mark.parametrize("strategy", ["single", "ddp"])
@pytest.mark.parametrize("what", SOURCES)
def test_both_loops_do_the_same_work(make_arm, user_file, what, strategy):
    where = user_file(SOURCES[what])
    names = ["py_raw=mine", "py_raw_again=mine", "py_lightning=mine"]
    arms = [make(make_arm, name, where, strategy=strategy) for name in names]
    start_alike(arms)
    losses = [losses_of(arm) for arm in arms]
    assert losses[0] == losses[1] == losses[2]
    assert len(set(losses[0])) == 5
    for arm in arms[1:]:
        assert all(torch.equal(a, b) for a, b in zip(arms[0].state(), arm.state(), strict=True))


@pytest.mark.parametrize("name", ["py_raw=mine", "py_lightning=mine"])
def test_the_users_hooks_are_called_in_lightnings_order(make_arm, user_file, name):
    from ddpbench_arms.own_file import load

    where = user_file(WITH_HOOKS_AND_SCHEDULER)
    arm = make(make_arm, name, where)
    arm.step()
    seen = load(where).SEEN
    seen.clear()
    arm.step()
    assert [call for call in seen if call != "end"] == ["start", "after_backward", "before_update"]
    assert seen.count("end") == 1


FROZEN = """
class Made(Plain):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8).eval()

    def training_step(self, batch, batch_idx):
        return nn.functional.cross_entropy(self.network(self.norm(batch["x"])), batch["y"])

    def on_train_batch_end(self, outputs, batch, batch_idx):
        SEEN.append(outputs["loss"].requires_grad)
"""


def test_layers_that_the_user_set_to_eval_stay_so(make_arm, user_file):
    from ddpbench_arms.own_file import load

    where = user_file(FROZEN)
    arms = [make(make_arm, f"{base}=mine", where) for base in ("py_raw", "py_lightning")]
    start_alike(arms)
    assert losses_of(arms[0]) == losses_of(arms[1])
    assert not any(arm.replica.model.norm.training for arm in arms)
    assert set(load(where).SEEN) == {False}  # the loss that the hook gets is detached, in both loops


def test_a_step_that_writes_into_its_batch_is_told(make_arm, user_file):
    writes = Path(user_file("").rpartition(":")[0])
    writes.write_text(HEAD + "class Made(Plain):\n    def training_step(self, batch, i):\n        batch['x'].mul_(2)\n"
                      "        return super().training_step(batch, i)\n", encoding="utf-8")  # fmt: skip
    arm = make(make_arm, "py_raw=mine", f"{writes}:Made")
    arm.step()
    with pytest.raises(ValueError, match="writes into its batch"):
        arm.quiesce()


def test_batches_are_read_once_and_given_to_all(make_arm, user_file):
    where = user_file("Made = Plain\n")
    first = make(make_arm, "py_raw=mine", where)
    second = make(make_arm, "py_lightning=mine", where)
    assert first.replica.batches is second.replica.batches
    assert len(first.replica.batches.batches) == 10
    assert first.replica.next_batch() is first.replica.batches.batches[0]


def test_each_rank_has_batches_of_its_own(user_file, monkeypatch):
    from ddpbench_arms import own_module

    where = user_file("Made = Plain\n")
    of_ranks = []
    for rank in range(3):
        monkeypatch.setattr(own_module.dist, "get_rank", lambda rank=rank: rank)
        monkeypatch.setattr(own_module.dist, "get_world_size", lambda: 3)
        monkeypatch.setattr(own_module.dist, "is_initialized", lambda: True)
        own_module.READ.clear()
        of_ranks.append(own_module.batches_of(where).batches)
    assert [len(batches) for batches in of_ranks] == [4, 3, 3]
    firsts = [batches[0]["x"] for batches in of_ranks]
    assert not torch.equal(firsts[0], firsts[1])
    assert not torch.equal(firsts[1], firsts[2])


def test_accumulated_and_clipped(make_arm, user_file):
    from conftest import Session

    where = user_file("Made = Plain\n")
    bases = ("py_raw", "py_lightning")
    arms = [make(make_arm, f"{base}=mine", where, session=Session(accumulate=2, clip_norm=0.01)) for base in bases]
    start_alike(arms)
    assert losses_of(arms[0]) == losses_of(arms[1])
    assert arms[0].session.drawn == 10


# What modules commonly ask their Trainer for, each in the body of a class that is otherwise Plain.
IDIOMS = {
    "a schedule over all steps": """
    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        steps = self.trainer.estimated_stepping_batches
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=steps)
        return [optimizer], [{"scheduler": scheduler, "interval": "step"}]
""",
    "a rate by the number of ranks": """
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1 * self.trainer.world_size * self.trainer.accumulate_grad_batches)
""",
    "a sampler by rank": """
    def train_dataloader(self):
        data = TensorDataset(torch.randn(40, 8), torch.randint(3, (40,)))
        sampler = torch.utils.data.DistributedSampler(data, self.trainer.world_size, self.trainer.global_rank)
        return DataLoader(data, batch_size=4, sampler=sampler, collate_fn=as_dict)
""",
    "the rate is logged": """
    def training_step(self, batch, batch_idx):
        self.log("lr", self.optimizers().param_groups[0]["lr"])
        return super().training_step(batch, batch_idx)
""",
    "the scheduler is looked at": """
    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1)]

    def training_step(self, batch, batch_idx):
        self.log("lr", self.lr_schedulers().get_last_lr()[0])
        return super().training_step(batch, batch_idx)
""",
    "a warm-up by hand": """
    def on_train_batch_start(self, batch, batch_idx):
        for group in self.optimizers().param_groups:
            group["lr"] = 0.01 * min(1.0, (self.global_step + 1) / 100)
""",
    "rank 0 prints": """
    def on_train_start(self):
        self.print("begins", self.trainer.is_global_zero, self.global_rank, self.local_rank, self.current_epoch)
        if self.trainer.is_global_zero:
            self.begun = True
""",
    "a logger's experiment": """
    def training_step(self, batch, batch_idx):
        result = super().training_step(batch, batch_idx)
        self.logger.experiment.add_scalar("loss", result["loss"].item(), self.global_step)
        self.logger.log_metrics({"loss": 1.0}, step=self.global_step)
        return result
""",
    "saved hyperparameters": """
    def __init__(self, width=16):
        super().__init__()
        self.save_hyperparameters()
        self.more = nn.Linear(3, self.hparams.width)

    def training_step(self, batch, batch_idx):
        logits = self.network(batch["x"])
        return nn.functional.cross_entropy(logits, batch["y"]) + self.more(logits).square().mean()
""",
    "layers made in configure_model": """
    def __init__(self):
        super().__init__()
        self.network = None

    def configure_model(self):
        if self.network is None:
            self.network = nn.Linear(8, 3)
""",
    "the other package's name": """
    def on_fit_start(self):
        import pytorch_lightning as pl
        from pytorch_lightning.callbacks import ModelCheckpoint

        assert isinstance(self, pl.LightningModule) and issubclass(ModelCheckpoint, pl.Callback)
""",
}


@pytest.mark.parametrize("strategy", ["single", "ddp"])
@pytest.mark.parametrize("idiom", IDIOMS)
def test_what_modules_commonly_ask_for_is_given_by_both_loops(make_arm, user_file, idiom, strategy):
    where = user_file(f"class Made(Plain):{IDIOMS[idiom]}")
    arms = [make(make_arm, f"{base}=mine", where, strategy=strategy) for base in ("py_raw", "py_raw_again", "py_lightning")]
    start_alike(arms)
    losses = [losses_of(arm) for arm in arms]
    assert losses[0] == losses[1] == losses[2]
    for arm in arms[1:]:
        assert all(torch.equal(a, b) for a, b in zip(arms[0].state(), arm.state(), strict=True))


def test_what_the_stand_in_does_not_have_is_named(make_arm, user_file):
    where = user_file("class Made(Plain):\n    def on_train_start(self):\n        self.trainer.save_checkpoint('x')\n")
    with pytest.raises(AttributeError, match="the loop by hand has no Trainer.save_checkpoint"):
        make(make_arm, "py_raw=mine", where).step()


REFUSED = {
    "manual optimisation": "class Made(Plain):\n    automatic_optimization = False\n",
    "gives 2 optimizers": "class Made(Plain):\n"
    "    def configure_optimizers(self):\n"
    "        return [torch.optim.SGD(self.parameters(), 1), torch.optim.SGD(self.parameters(), 1)]\n",
    "has its own optimizer_step": "class Made(Plain):\n    def optimizer_step(self, *a, **k):\n        pass\n",
    "no 'Made' in .*LightningModules there: LightningModule, Plain": "",
    "made a int: must be a LightningModule": "def Made():\n    return 1\n",
    "every n-th step": WITH_HOOKS_AND_SCHEDULER.replace('"step"}', '"step", "frequency": 2}'),
    "fewer batches than there are ranks": "def Made():\n    return Plain(), []\n",
    "needs a metric": WITH_HOOKS_AND_SCHEDULER.replace("LambdaLR(optimizer, lambda", "ReduceLROnPlateau(optimizer)  #"),
    "gives several loaders": "def Made():\n    return Plain(), {'a': Plain().train_dataloader()}\n",
    "gives LBFGS": "class Made(Plain):\n    def configure_optimizers(self):\n        return torch.optim.LBFGS(self.parameters())",
    "training_step gave NoneType": "class Made(Plain):\n    def training_step(self, batch):\n        return None\n",
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_no_loop_by_hand_can_drive_is_refused_with_the_reason(make_arm, user_file, why):
    where = user_file(REFUSED[why])
    with pytest.raises(ValueError, match=why):
        make(make_arm, "py_raw=mine", where).step()


def test_what_the_users_file_raises_is_told_with_its_line(tmp_path):
    from ddpbench_arms import own_module

    path = tmp_path / "net.py"
    path.write_text("import torch\n\nraise RuntimeError('no vocabulary')\n", encoding="utf-8")
    with pytest.raises(ImportError, match=re.escape(f"{path}:3: RuntimeError: no vocabulary")):
        own_module.make(f"{path}:Net")
    path.write_text("class Net\n", encoding="utf-8")
    with pytest.raises(ImportError, match=re.escape(f"{path}:1: SyntaxError: expected ':'")):
        own_module.make(f"{path}:Net")

"""Lightning's Trainer, whose loop is stepped (stepped.py)."""

from pathlib import Path
from typing import Any

import torch
from lightning.pytorch import LightningModule, Trainer
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, TQDMProgressBar
from lightning.pytorch.callbacks.progress.tqdm_progress import Tqdm
from lightning.pytorch.loggers import CSVLogger
from lightning.pytorch.strategies import DDPStrategy

from ddpbench_arms.arm import Arm
from ddpbench_arms.cluster import layout
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Marks, Replica, Request
from ddpbench_arms.stepped import Batches, SteppedLoop

NEVER = 10**9  # steps


class Module(LightningModule):
    """What a user writes for Lightning. The marks stand where Lightning calls the user's own code."""

    def __init__(self, replica: Replica, marks: Marks) -> None:
        super().__init__()
        self.model = replica.model
        self.optimizer_of_replica = [replica.optimizer]  # in a list: nothing of it becomes a part of the module
        self.loss = replica.loss
        self.marks = marks
        self.last_loss: torch.Tensor | None = None
        replica.optimizer.register_step_post_hook(self.end_of_update)

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        images, labels = batch
        with self.marks.forward:
            loss = self.loss(self.model(images), labels)
        self.last_loss = loss
        return loss

    def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
        with self.marks.h2d:
            return super().transfer_batch_to_device(batch, device, dataloader_idx)

    def backward(self, loss: torch.Tensor) -> None:
        with self.marks.backward:
            loss.backward()

    def on_before_optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
        self.marks.optimizer.__enter__()

    def end_of_update(self, optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        self.marks.optimizer.__exit__()

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return self.optimizer_of_replica[0]


class TypicalModule(Module):
    """The same with a loss and an accuracy logged and shown on the bar."""

    def __init__(self, replica: Replica, marks: Marks, classes: int) -> None:
        super().__init__(replica, marks)
        from torchmetrics.classification import MulticlassAccuracy

        self.accuracy = MulticlassAccuracy(num_classes=classes, average="micro")

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        images, labels = batch
        with self.marks.forward:
            logits = self.model(images)
            loss = self.loss(logits, labels)
        self.log("train_loss", loss, prog_bar=True)
        self.accuracy(logits, labels)
        self.log("train_accuracy", self.accuracy, prog_bar=True)
        self.last_loss = loss
        return loss


class BarInFile(TQDMProgressBar):
    """Lightning's bar, drawn as ever, into a file in place of the launch's terminal."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def init_train_tqdm(self) -> Tqdm:
        bar = super().init_train_tqdm()
        bar.fp = open(self.path, "w", encoding="utf-8")  # noqa: SIM115  # as long as the bar
        return bar


class LightningArm(Arm):
    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request)
        self.ranks = ranks
        self.is_typical = "typical" in request.features
        self.folder = Path(request.scratch) / "frameworks" / request.name
        self.module = self._module()
        self.trainer = Trainer(
            max_epochs=1,
            num_sanity_val_steps=0,
            enable_model_summary=False,
            log_every_n_steps=NEVER,
            accumulate_grad_batches=self.accumulate,
            gradient_clip_val=self.clip_norm or None,
            default_root_dir=self.folder,
            **layout(request, ranks, DDPStrategy),
            **self._surroundings(),
        )
        # The launch's own handlers stay: Lightning's would make a SIGTERM a collective of this arm.
        self.trainer._signal_connector.register_signal_handlers = lambda: None
        if "sigterm" not in request.features:
            self.trainer.fit_loop.epoch_loop._broadcast_sigterm_tensor = lambda: None
        self.loop = SteppedLoop(self._fit, request.session.next_batch)
        self.replica.scaler = getattr(self.trainer.precision_plugin, "scaler", None)

    def _module(self) -> Module:
        if not self.is_typical:
            return Module(self.replica, self.marks)
        classes = 100 if self.request.workload.endswith("cifar100") else 10
        return TypicalModule(self.replica, self.marks, classes)

    def _surroundings(self) -> dict[str, Any]:
        if not self.is_typical:
            return {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
        self.folder.mkdir(parents=True, exist_ok=True)
        callbacks: list[Callback] = [ModelCheckpoint(dirpath=self.folder / "checkpoints")]
        callbacks.append(BarInFile(self.folder / f"bar.{self.ranks.rank}.txt"))
        return {"logger": CSVLogger(self.folder, name="csv"), "callbacks": callbacks}

    def _fit(self, batches: Batches) -> None:
        self.trainer.fit(self.module, batches)

    def step(self) -> torch.Tensor:
        with self.marks.wrapper:
            for _ in range(self.accumulate):
                self.loop.advance()
        loss, self.module.last_loss = self.module.last_loss, None
        assert loss is not None, "Lightning called no training_step"
        return loss

    def close(self) -> None:
        self.loop.end()

"""The modules of Lightning's arms: what a user writes, by the features of the arm."""

from typing import Any

import torch
from lightning.pytorch import LightningModule
from lightning.pytorch.utilities import rank_zero_only

from ddpbench_arms.replica import Marks, Replica, Request


class MarkedUpdate(LightningModule):
    """Marks the optimizer's phase around an update: from Lightning's hook before it to the optimizer's own behind it."""

    marks: Marks
    is_updating = False

    def on_before_optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
        self.marks.optimizer.__enter__()
        self.is_updating = True

    def end_of_update(self, *_: Any) -> None:
        """Ends the phase behind the update, or at the end of a step whose update a loss scaler left out."""
        if self.is_updating:
            self.marks.optimizer.__exit__()
        self.is_updating = False


class Module(MarkedUpdate):
    """Is what a user writes for Lightning. The marks stand where Lightning calls the user's own code."""

    def __init__(self, replica: Replica, marks: Marks, request: Request) -> None:
        super().__init__()
        self.model = replica.model
        self.optimizer_of_replica = [replica.optimizer]  # in a list: nothing of it becomes a part of the module
        self.loss = replica.loss
        self.marks = marks
        self.last_loss: torch.Tensor | None = None
        replica.optimizer.register_step_post_hook(self.end_of_update)

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        inputs, labels = batch
        with self.marks.forward:
            loss = self.loss(self.model(inputs), labels)
        self.last_loss = loss
        return loss

    def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
        with self.marks.h2d:
            return super().transfer_batch_to_device(batch, device, dataloader_idx)

    def backward(self, loss: torch.Tensor) -> None:
        with self.marks.backward:
            loss.backward()

    def optimizer_zero_grad(self, epoch: int, batch_idx: int, optimizer: torch.optim.Optimizer) -> None:
        with self.marks.zero_grad:
            optimizer.zero_grad()

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return self.optimizer_of_replica[0]


class LoggingModule(Module):
    """Logs a loss, an accuracy or both at every step, gathers predictions, tells on rank zero; and is the same else."""

    def __init__(self, replica: Replica, marks: Marks, request: Request) -> None:
        super().__init__(replica, marks, request)
        self.logs_loss = request.has("log")
        self.is_shown = request.has("bar_item")
        self.is_averaged = request.has("sync_dist")
        self.gathers = request.has("gather")
        self.tells = request.has("rank_zero")
        self.accuracy: Any = None
        if request.has("accuracy"):
            from torchmetrics.classification import MulticlassAccuracy

            self.accuracy = MulticlassAccuracy(num_classes=request.classes, average="micro")

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        inputs, labels = batch
        with self.marks.forward:
            logits = self.model(inputs)
            loss = self.loss(logits, labels)
        if self.logs_loss:
            self.log("train_loss", loss, prog_bar=self.is_shown, sync_dist=self.is_averaged)
        if self.accuracy is not None:
            self.accuracy(logits, labels)
            self.log("train_accuracy", self.accuracy, prog_bar=self.is_shown)
        if self.gathers:
            self.gathered = self.all_gather((logits.detach().argmax(dim=1), labels))
        if self.tells:
            self.tell(loss)
        self.last_loss = loss
        return loss

    @rank_zero_only
    def tell(self, loss: torch.Tensor) -> None:
        self.told = f"loss {loss.item():.4f}"  # what a user prints


class Validated:
    """Adds validation, for whole fits."""

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        inputs, labels = batch
        self.loss(self.model(inputs), labels)


def make_module(request: Request, replica: Replica, marks: Marks, *more: type) -> Module:
    """Makes the module of an arm, with what `more` adds. One that logs nothing has no line about logging, as a user writes it."""
    module = LoggingModule if any(request.has(name) for name in ("log", "accuracy", "gather", "rank_zero")) else Module
    return type(module.__name__, (*more, module), {})(replica, marks, request)

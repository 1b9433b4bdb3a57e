"""A callback as you have it for your training: put your own in its place."""

from lightning.pytorch import Callback


class MyCallback(Callback):
    """Reads the loss on the host at every step, and the weights' norm at each epoch's end."""

    def __init__(self):
        self.losses = []
        self.norms = []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.losses.append(outputs["loss"].item())

    def on_train_epoch_end(self, trainer, pl_module):
        self.norms.append(sum(parameter.detach().norm().item() for parameter in pl_module.parameters()))

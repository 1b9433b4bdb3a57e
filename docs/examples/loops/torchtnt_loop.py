"""TorchTNT's AutoUnit, which wraps the model itself and looks one batch ahead. pip install torchtnt"""

import torch.distributed as dist
from torchtnt.framework.auto_unit import AutoUnit
from torchtnt.framework.train import train as train_unit


def train(network, loader, optimizer, report, loss_function, device):
    class Unit(AutoUnit):
        def compute_loss(self, state, batch):
            inputs, labels = batch
            outputs = self.module(inputs)
            loss = loss_function(outputs, labels)
            report(loss)
            return loss, outputs

        def configure_optimizers_and_lr_scheduler(self, module):
            return optimizer, None

    strategy = "ddp" if dist.is_initialized() else None
    train_unit(Unit(module=network, device=device, strategy=strategy), loader, max_epochs=1)

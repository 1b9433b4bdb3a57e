"""Composer's Trainer. pip install mosaicml (it wants an older torch: --no-deps, and what it imports by hand)"""

import torch.distributed as dist
from composer import ComposerModel, Trainer
from composer.core import DataSpec
from composer.devices import DeviceCPU, DeviceGPU


def train(network, loader, optimizer, report, loss_function, device):
    class Model(ComposerModel):
        def __init__(self):
            super().__init__()
            self.network = network

        def forward(self, batch):
            return self.network(batch[0])

        def loss(self, outputs, batch):
            loss = loss_function(outputs, batch[1])
            report(loss)
            return loss

        def get_metrics(self, is_train=False):
            return {}

    place = DeviceGPU() if device.type == "cuda" else DeviceCPU()
    if dist.is_initialized():
        place.dist_backend = dist.get_backend()  # the launch's group, which Composer would refuse by its name
    Trainer(
        model=Model(),
        train_dataloader=DataSpec(loader, get_num_samples_in_batch=lambda batch: len(batch[1])),
        optimizers=optimizer,
        max_duration="1ep",
        device=place,
        progress_bar=False,
        auto_log_hparams=False,
    ).fit()

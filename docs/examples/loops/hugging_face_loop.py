"""Hugging Face's Trainer, to start from for one of your own; py_hf_trainer is the shipped one. pip install transformers"""

import tempfile

import torch
from transformers import Trainer, TrainingArguments


class WithLoss(torch.nn.Module):
    """Is a model as Trainer takes it: its forward gives the loss."""

    def __init__(self, network, loss_function, report):
        super().__init__()
        self.network, self.loss_function, self.report = network, loss_function, report

    def forward(self, inputs, labels=None):
        loss = self.loss_function(self.network(inputs), labels)
        self.report(loss)
        return {"loss": loss}


class AsDicts:
    """Is the loader with batches as Trainer takes them, by the names of the model's arguments."""

    def __init__(self, loader):
        self.loader = loader

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        return ({"inputs": inputs, "labels": labels} for inputs, labels in self.loader)


def train(network, loader, optimizer, report, loss_function, device, clip_norm=0.0):
    class OverTheLoader(Trainer):
        def get_train_dataloader(self):
            return AsDicts(loader)

    arguments = TrainingArguments(
        output_dir=tempfile.mkdtemp(), use_cpu=device.type == "cpu", max_steps=10**8, max_grad_norm=clip_norm, report_to=[],
        disable_tqdm=True, save_strategy="no", logging_strategy="no", lr_scheduler_type="constant",
    )  # fmt: skip
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)
    model = WithLoss(network, loss_function, report)
    OverTheLoader(model=model, args=arguments, train_dataset=loader.dataset, optimizers=(optimizer, schedule)).train()

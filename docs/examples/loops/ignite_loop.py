"""PyTorch-Ignite's Engine, by create_supervised_trainer. pip install pytorch-ignite"""

from ignite.engine import create_supervised_trainer


def train(model, loader, optimizer, report, loss_function, device):
    def told(x, y, y_pred, loss):
        report(loss)
        return loss

    trainer = create_supervised_trainer(model, optimizer, loss_function, device=device, output_transform=told)
    trainer.run(loader, max_epochs=1, epoch_length=len(loader))

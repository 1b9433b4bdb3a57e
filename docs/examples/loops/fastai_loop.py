"""fastai's Learner, without its progress bar and recorder. pip install fastai"""

from fastai.callback.core import Callback
from fastai.callback.progress import ProgressCallback
from fastai.data.core import DataLoaders
from fastai.learner import Learner, Recorder
from fastai.optimizer import OptimWrapper


def train(model, loader, optimizer, report, loss_function, device):
    class Tell(Callback):
        def after_loss(self):
            report(self.learn.loss)

    def given_optimizer(parameters, lr=None, **_):
        return OptimWrapper(opt=optimizer)

    loaders = DataLoaders(loader, loader)
    loaders.device = device
    learner = Learner(
        loaders,
        model,
        loss_func=loss_function,
        opt_func=given_optimizer,
        cbs=[Tell()],
        splitter=lambda model: [list(model.parameters())],
    )
    learner.remove_cbs([callback for callback in learner.cbs if isinstance(callback, ProgressCallback | Recorder)])
    learner.fit(1, lr=optimizer.param_groups[0]["lr"])

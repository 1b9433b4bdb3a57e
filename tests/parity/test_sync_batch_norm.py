"""sync_batchnorm on 2 and 3 ranks against one process with plain BatchNorm on all of their images: PyTorch's own is for GPUs."""

import pytest
import python_training
import torch
import twins

SEED = 41
STEPS = 3
LEARNING_RATE = 0.1
# rank -> images of each batch
SIZES = {"even": (4, 4, 4), "uneven": (2, 6, 4)}
# Means over ranks are sums of sums and single-pass formulas against torch's own kernels: float32's 6e-8 times some hundred
# values, and three steps that carry it on.
TOLERANCE = {"rtol": 1e-4, "atol": 2e-6}


def request_of(folder, name):
    return {
        "do": "train",
        "model": "twin",
        "options": {"learning_rate": str(LEARNING_RATE), "momentum": "0.9"},
        "strategy": "ddp",
        "strategy_options": {"sync_batchnorm": "true", "find_unused_parameters": "true"},
        "weights": str(folder / "weights.pt"),
        "batches": str(folder / f"{name}.batches.{{rank}}.pt"),
        "plan": "t" * STEPS + "e",
        "input_gradients": True,
        "results": str(folder / f"{name}.{{rank}}.pt"),
    }


@pytest.fixture(scope="module", params=(2, 3))
def ours(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(f"sync{request.param}")
    torch.manual_seed(SEED)
    torch.save(python_training.Twin().state_dict(), folder / "weights.pt")
    for name, sizes in SIZES.items():
        for rank in range(request.param):
            twins.save_batches(folder / f"{name}.batches.{rank}.pt", [sizes[rank]] * (STEPS + 1), SEED + rank)
    answers = twins.run_ranks(folder, [request_of(folder, name) for name in SIZES], request.param)
    assert answers == [[{}] * len(SIZES)] * request.param
    return folder, request.param


class OneProcess:
    """The same training with all ranks' images as one batch, and the mean of the ranks' losses."""

    def __init__(self, folder, name, world_size):
        self.model = python_training.Twin()
        self.model.load_state_dict(torch.load(folder / "weights.pt"))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=LEARNING_RATE, momentum=0.9)
        self.batches = [torch.load(folder / f"{name}.batches.{rank}.pt") for rank in range(world_size)]
        self.results = [{} for _ in range(world_size)]

    def forward(self, turn):
        images = [batches[f"input.{turn}"].requires_grad_() for batches in self.batches]
        return images, self.model(torch.cat(images)).split([len(part) for part in images])

    def step(self, turn):
        images, outputs = self.forward(turn)
        targets = [batches[f"target.{turn}"] for batches in self.batches]
        losses = [torch.nn.functional.cross_entropy(*pair) for pair in zip(outputs, targets, strict=True)]
        self.optimizer.zero_grad()
        (sum(losses) / len(losses)).backward()
        self.optimizer.step()
        for results, part, loss in zip(self.results, images, losses, strict=True):
            results[f"loss.{turn}"] = loss.detach()
            results[f"input_gradient.{turn}"] = part.grad * len(losses)  # a rank's loss is not yet divided by their number

    def run(self):
        for turn in range(STEPS):
            self.step(turn)
        self.model.eval()
        for results, output in zip(self.results, self.forward(STEPS)[1], strict=True):
            results[f"output.{STEPS}"] = output.detach()
            results.update({f"state.{name}": tensor for name, tensor in self.model.state_dict().items()})
            gradients = {name: parameter.grad for name, parameter in self.model.named_parameters()}
            results.update({f"gradient.{name}": tensor for name, tensor in gradients.items() if tensor is not None})
        return self.results


@pytest.mark.parametrize("name", SIZES)
def test_ranks_are_one_batch(ours, name):
    folder, world_size = ours
    for rank, theirs in enumerate(OneProcess(folder, name, world_size).run()):
        mine = torch.load(folder / f"{name}.{rank}.pt")
        mine = {key: mine[key] for key in mine if not key.startswith(("bucket_bytes", "skipped"))}
        assert twins.differences(mine, theirs, TOLERANCE) == [], f"rank {rank}"

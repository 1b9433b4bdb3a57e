"""ResNets against torchvision, and a network of PyTorch's examples: names, shapes, initialisation, output and five SGD steps."""

import pytest
import python_training
import torch
import twins

SEED = 11
MODELS = ("resnet18", "resnet50", "resnet101")
STEMS = {"resnet18": "imagenet", "resnet50": "cifar", "resnet101": "imagenet"}
OPTIONS = {model: {"stem": stem} for model, stem in STEMS.items()}
WORKLOADS = {model: f"{model}_cifar10" for model in MODELS} | {"mnist": "mnist_convnet"}
BATCH_SIZES = {"resnet18": 4, "resnet50": 3, "resnet101": 2, "mnist": 5}
SHAPES = dict.fromkeys(MODELS, (3, 32, 32)) | {"mnist": (1, 28, 28)}
# Both sides run the same kernels of one library in the same order, on one thread.
BIT_FOR_BIT = {}


def training_request(folder, model):
    """From Python's weights (the inputs of one forward in evaluation mode, then five steps, then once more)."""
    return {
        "do": "train",
        "model": WORKLOADS[model],
        "options": {**OPTIONS.get(model, {}), "learning_rate": "0.01", "weight_decay": "0.0001"},
        "strategy": "single",
        "strategy_options": {},
        "weights": str(folder / f"{model}.pt"),
        "batches": str(folder / f"{model}.batches.pt"),
        "plan": "ettttte",
        "results": str(folder / f"{model}.ours.pt"),
    }


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """What our program makes of all requests of this file, by one start of it."""
    folder = tmp_path_factory.mktemp("models")
    requests = []
    for model in MODELS:
        made = {"do": "weights", "model": model, "seed": SEED}
        requests.append({**made, "classes": 1000, "stem": "imagenet", "results": str(folder / f"{model}.imagenet.pt")})
        if STEMS[model] == "cifar":
            requests.append({**made, "classes": 10, "stem": "cifar", "results": str(folder / f"{model}.cifar.pt")})
    for model, workload in WORKLOADS.items():
        torch.manual_seed(SEED)
        torch.save(python_training.make_model(workload, OPTIONS.get(model, {})).state_dict(), folder / f"{model}.pt")
        twins.save_batches(folder / f"{model}.batches.pt", [BATCH_SIZES[model]] * 7, SEED, shape=SHAPES[model])
        requests.append(training_request(folder, model))
    assert twins.run_program(folder, requests) == [{}] * len(requests)
    return folder


WRITTEN = [*((model, "imagenet", 1000) for model in MODELS), ("resnet50", "cifar", 10)]


@pytest.mark.parametrize(("model", "stem", "classes"), WRITTEN)
def test_state_dict_is_torchvisions(ours, model, stem, classes):
    state = torch.load(ours / f"{model}.{stem}.pt")
    with torch.device("meta"):
        theirs = python_training.resnet(model, classes, stem).state_dict()
    assert [(name, tensor.shape, tensor.dtype) for name, tensor in state.items()] == [
        (name, tensor.shape, tensor.dtype) for name, tensor in theirs.items()
    ]


@pytest.mark.parametrize(("stem", "count"), [("imagenet", 25_557_032), ("cifar", 23_520_842)])
def test_resnet50_has_torchvisions_parameters(ours, stem, count):
    state = torch.load(ours / f"resnet50.{stem}.pt")
    buffers = ("running_mean", "running_var", "num_batches_tracked")
    assert sum(tensor.numel() for name, tensor in state.items() if not name.endswith(buffers)) == count


@pytest.mark.parametrize("model", MODELS)
def test_initialisation_has_the_bits_of_the_same_seed(ours, model):
    torch.manual_seed(SEED)
    theirs = python_training.resnet(model, 1000, "imagenet").state_dict()
    assert twins.differences(torch.load(ours / f"{model}.imagenet.pt"), theirs, BIT_FOR_BIT) == []


def test_the_cifar_stem_is_drawn_as_every_other_convolution(ours):
    """Kaiming normal over the fan out; torchvision has no such stem whose bits could be asked for."""
    weight = torch.load(ours / "resnet50.cifar.pt")["conv1.weight"]
    assert weight.std().item() == pytest.approx((2 / (64 * 9)) ** 0.5, rel=0.1)


@pytest.mark.parametrize("model", WORKLOADS)
def test_output_and_five_sgd_steps(ours, model):
    torch.set_num_threads(1)
    request = training_request(ours, model)
    theirs = python_training.train(request)
    assert twins.differences(torch.load(request["results"]), theirs, BIT_FOR_BIT) == []

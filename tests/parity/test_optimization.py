"""SGD, clipping, label smoothing, accumulation and the gradient scaler of one process against PyTorch's, over several steps."""

import random

import pytest
import python_training
import torch
import twins

STEPS = 6
SEED = 23
SPOILED = (3, 4, 17, 30, 31, 32, 33, 50)
BIT_FOR_BIT = {}


def random_sgd(seed):
    """Any settings that PyTorch takes: Nesterov needs momentum, and no dampening."""
    draw = random.Random(seed)
    nesterov = draw.random() < 0.4
    return {
        "learning_rate": str(draw.uniform(0.001, 0.3)),
        "momentum": str(draw.uniform(0.1, 0.99) if nesterov else draw.choice([0.0, draw.uniform(0.1, 0.99)])),
        "dampening": "0" if nesterov else str(draw.choice([0.0, draw.uniform(0.0, 1.0)])),
        "weight_decay": str(draw.choice([0.0, draw.uniform(0.0, 0.1)])),
        "nesterov": "true" if nesterov else "false",
    }


def case(tolerance, *, options=None, strategy=None, **request):
    options = {"learning_rate": "0.1", **(options or {})}
    return tolerance, {"model": "twin", "plan": "t" * STEPS, "options": options, "strategy_options": strategy or {}, **request}


SCALER = {"init_scale": 1024.0, "growth_factor": 3.0, "backoff_factor": 0.25, "growth_interval": 4}
CASES = {f"sgd_{seed}": case(BIT_FOR_BIT, options=random_sgd(seed)) for seed in range(12)} | {
    "label_smoothing": case(BIT_FOR_BIT, options={"label_smoothing": "0.15"}),
    "accumulate": case(BIT_FOR_BIT, strategy={"accumulate": "3"}),
    "clip_always": case(BIT_FOR_BIT, strategy={"clip_norm": "0.05"}),
    "clip_never": case(BIT_FOR_BIT, strategy={"clip_norm": "1000"}),
    "all_of_it": case(
        BIT_FOR_BIT,
        options={**random_sgd(1), "label_smoothing": "0.1"},
        strategy={"accumulate": "2", "clip_norm": "0.1"},
        scaler=SCALER,
    ),
    "scaler": case(BIT_FOR_BIT, model="null", scaler=SCALER, plan="t" * 60),
    "scaler_and_clip": case(BIT_FOR_BIT, model="null", scaler=SCALER, plan="t" * 60, strategy={"clip_norm": "0.5"}),
}


def request_of(folder, name):
    return {
        "do": "train",
        "strategy": "single",
        **CASES[name][1],
        "weights": str(folder / f"{CASES[name][1]['model']}.pt"),
        "batches": str(folder / ("spoiled.pt" if CASES[name][1]["model"] == "null" else "batches.pt")),
        "results": str(folder / f"{name}.pt"),
    }


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """What our program makes of all cases, by one start of it."""
    folder = tmp_path_factory.mktemp("optimization")
    torch.manual_seed(SEED)
    torch.save(python_training.Twin().state_dict(), folder / "twin.pt")
    torch.save(python_training.Null().state_dict(), folder / "null.pt")
    twins.save_batches(folder / "batches.pt", [5, 4, 4] * STEPS, SEED)  # two batches of three leave a layer without gradient
    twins.save_batches(folder / "spoiled.pt", [3] * 60, SEED, SPOILED)
    refused = {**request_of(folder, "sgd_0"), "options": {"nesterov": "true", "momentum": "0"}}
    answers = twins.run_program(folder, [*(request_of(folder, name) for name in CASES), refused])
    assert answers[:-1] == [{}] * len(CASES)
    return folder, answers[-1]


@pytest.mark.parametrize("name", CASES)
def test_as_pytorch(ours, name):
    torch.set_num_threads(1)
    folder, _ = ours
    request = request_of(folder, name)
    theirs = python_training.train(request)
    assert twins.differences(torch.load(request["results"]), theirs, CASES[name][0]) == []


def test_the_cases_do_what_they_are_called(ours):
    """A layer goes without a gradient, a clip acts, steps are skipped and the scale grows and shrinks."""
    folder, _ = ours
    results = {name: torch.load(folder / f"{name}.pt") for name in ("sgd_0", "label_smoothing", "clip_always", "scaler")}
    assert "gradient.spare.weight" not in results["sgd_0"]
    squares = [tensor.square().sum() for name, tensor in results["clip_always"].items() if name.startswith("gradient.")]
    assert sum(squares).sqrt().item() == pytest.approx(0.05, rel=1e-3)
    assert results["scaler"]["skipped"] == len(SPOILED)
    scales = [results["scaler"][f"scaler1.{turn}"].item() for turn in range(60)]
    assert min(scales[3:5]) < scales[2] and max(scales[40:50]) > scales[35]


def test_nesterov_without_momentum_is_refused(ours):
    assert ours[1] == {"error": "UsageError", "text": "nesterov = true needs momentum above 0 and dampening = 0"}

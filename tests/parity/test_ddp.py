"""Our DDP on 2 and 3 real ranks against Python's DistributedDataParallel, option by option, from the same weights and batches."""

import random

import pytest
import python_training
import torch
import twins

WORLD_SIZES = (2, 3)
SEED = 31
# Both sides drive the same c10d::Reducer, kernels and gloo, on one thread: equal layouts give equal sums.
BIT_FOR_BIT = {}
SMALL = {"bucket_cap_mb": "0.002"}
ODD, EVEN = (3, 5), (2, 4)  # batches of odd size use every parameter of the twin, those of even size leave a layer out


def case(strategy, sizes=ODD, plan="ttttb", **request):
    return {"model": "twin", "strategy_options": strategy, "plan": plan, "options": {"learning_rate": "0.1"}, **request}, sizes


CASES = {
    "default": case({}),
    "resnet18": case({}, (2,), "tttb", model="resnet18_cifar10", options={"stem": "imagenet", "learning_rate": "0.01"}),
    "bucket_cap": case(SMALL),
    "first_bucket": case({"first_bucket_mb": "0.001"}),
    "bucket_view": case({**SMALL, "gradient_as_bucket_view": "true"}),
    "own_buffers": case({"broadcast_buffers": "false"}),
    "accumulate": case({**SMALL, "accumulate": "3"}),
    "accumulate_view": case({**SMALL, "accumulate": "3", "gradient_as_bucket_view": "true"}),
    # A forward without gradients clears the flag by which the next one sends rank 0's buffers: what is seen of it is each rank's
    # own statistics, in an evaluation that follows and at the end. Likewise after the last of several micro-batches.
    "evaluation": case(SMALL, plan="ttnettneb"),
    "buffers_accumulate": case({"accumulate": "3"}, plan="tttt"),
    "evaluation_accumulate": case({"accumulate": "2"}, plan="tenttttb"),
    "unused": case({"find_unused_parameters": "true"}, ODD + EVEN, "ttttttb"),
    "unused_everywhere": case({**SMALL, "find_unused_parameters": "true"}, EVEN),
    "unused_first_bucket": case({"first_bucket_mb": "0.001", "find_unused_parameters": "true"}, ODD + EVEN),
    "unused_view": case({**SMALL, "find_unused_parameters": "true", "gradient_as_bucket_view": "true"}, ODD + EVEN),
    "unused_accumulate": case({**SMALL, "find_unused_parameters": "true", "accumulate": "2"}, ODD + EVEN),
    "unused_evaluation": case({"find_unused_parameters": "true"}, ODD + EVEN, "tentttb"),
    "static": case({**SMALL, "static_graph": "true"}),
    "static_unused": case({**SMALL, "static_graph": "true"}, EVEN),
    "static_and_find": case({**SMALL, "static_graph": "true", "find_unused_parameters": "true"}, EVEN),
    "static_view": case({**SMALL, "static_graph": "true", "gradient_as_bucket_view": "true"}),
    "static_evaluation": case({**SMALL, "static_graph": "true"}, plan="tentttb"),
}
# A layer without a gradient that nobody looked for is an error at the next forward, a static graph whose first backward is not
# synchronised one inside PyTorch, which ours refuses: errors on all ranks of both sides, not a hang.
BROKEN = {
    "not_looked_for": case({}, EVEN, "tt"),
    "not_looked_for_later": case({}, (3, 3, 3, 2, 2), "ttttt"),
    "static_accumulate": case({"static_graph": "true", "accumulate": "3"}, plan="t"),
}


def save_inputs(folder, name, world_size):
    """Weights and batches are each rank's own: DDP has to bring rank 0's weights. Sizes are drawn, or one a turn."""
    request, sizes = (CASES | BROKEN)[name]
    accumulate = int(request["strategy_options"].get("accumulate", 1))
    turns = sum(accumulate if turn == "t" else 1 for turn in request["plan"])
    draw = random.Random(SEED)
    for rank in range(world_size):
        torch.manual_seed(SEED + rank)
        model = python_training.make_model(request["model"], request["options"])
        for buffer in model.buffers():
            buffer.add_(rank + 1)
        torch.save(model.state_dict(), folder / f"{name}.weights.{rank}.pt")
        drawn = sizes if len(sizes) == turns else draw.choices(sizes, k=turns)
        twins.save_batches(folder / f"{name}.batches.{rank}.pt", drawn, SEED + rank)


def request_of(folder, name, side):
    return {
        "do": "train",
        "strategy": "ddp",
        **(CASES | BROKEN)[name][0],
        "weights": str(folder / f"{name}.weights.{{rank}}.pt"),
        "batches": str(folder / f"{name}.batches.{{rank}}.pt"),
        "results": str(folder / f"{name}.{side}.{{rank}}.pt"),
    }


@pytest.fixture(scope="module", params=WORLD_SIZES)
def both(request, tmp_path_factory):
    """All cases on so many ranks, by one group of our processes and one of Python's."""
    folder = tmp_path_factory.mktemp(f"ddp{request.param}")
    names = [*CASES, *BROKEN]
    for name in names:
        save_inputs(folder, name, request.param)
    ours = twins.run_ranks(folder, [request_of(folder, name, "ours") for name in names], request.param)
    theirs = twins.run_python_ranks(folder, [request_of(folder, name, "theirs") for name in names], request.param)
    return folder, {name: [[answers[place] for answers in side] for side in (ours, theirs)] for place, name in enumerate(names)}


def results(both, name):
    """(ours, theirs) of every rank."""
    folder, answers = both
    ours, theirs = answers[name]
    assert ours == theirs == [{}] * len(ours)
    return [[torch.load(folder / f"{name}.{side}.{rank}.pt") for side in ("ours", "theirs")] for rank in range(len(ours))]


@pytest.mark.parametrize("name", CASES)
def test_every_rank_is_as_pythons(both, name):
    """Losses, parameters, buffers, gradients, the sizes of every step's buckets and the contents of the last's, all in order."""
    for rank, (ours, theirs) in enumerate(results(both, name)):
        assert twins.differences(ours, theirs, BIT_FOR_BIT) == [], f"rank {rank}"


def test_the_cases_do_what_they_are_called(both):
    """Several buckets, a layer that got no gradient, buffers that are each rank's own, a layer that only another rank used."""
    assert len(results(both, "bucket_cap")[0][0]["bucket_bytes.3"]) > 3
    assert len(results(both, "resnet18")[0][0]["bucket_bytes.2"]) > 2
    assert len(results(both, "first_bucket")[0][0]["bucket_bytes.3"]) == 2
    assert "gradient.spare.weight" not in results(both, "unused_everywhere")[0][0]
    assert "gradient.spare.weight" in results(both, "unused")[0][0]
    own = [ours["state.bn1.running_mean"] for ours, _ in results(both, "own_buffers")]
    assert (own[0] - own[1]).abs().max() > 0.1


def test_a_static_graph_with_accumulation_is_refused(both):
    ours, theirs = both[1]["static_accumulate"]
    for answer in ours:
        assert answer["error"] == "UsageError" and "static_graph = true needs accumulate = 1" in answer["text"]
    assert all("INTERNAL ASSERT FAILED" in answer["text"] for answer in theirs)


@pytest.mark.parametrize("name", ["not_looked_for", "not_looked_for_later"])
def test_a_gradient_that_nobody_looked_for_is_an_error_on_all_ranks(both, name):
    for side in both[1][name]:
        for answer in side:
            assert answer["error"] == "Error" and "Expected to have finished reduction in the prior iteration" in answer["text"]

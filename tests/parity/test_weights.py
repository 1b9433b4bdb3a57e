"""Weights pass both ways by file, and a file that does not fit is refused with all of its mistakes."""

import collections
import fractions
import resource
import signal

import pytest
import python_training
import torch
import twins

RESNET18 = {"do": "weights", "model": "resnet18", "classes": 10, "stem": "imagenet"}


@pytest.fixture(scope="module")
def theirs():
    torch.manual_seed(5)
    model = python_training.resnet("resnet18", 10, "imagenet")
    model.bn1.running_mean.normal_()
    model.bn1.num_batches_tracked.fill_(7)
    return model.state_dict()


def bad_files(folder, good):
    """name -> (what to save, what the message must hold)."""
    cut = folder / "cut.pt"
    torch.save(good, folder / "whole.pt")
    cut.write_bytes((folder / "whole.pt").read_bytes()[:100_000])
    (folder / "text.pt").write_text("no weights at all\n")
    (folder / "empty.pt").write_bytes(b"")
    torch.save({**good, "fc.weight": torch.zeros(11, 512), "extra.bias": torch.zeros(3)}, folder / "shape.pt")
    torch.save({name: tensor for name, tensor in good.items() if not name.startswith("bn1.")}, folder / "missing.pt")
    torch.save({"fc": {"bias": good["fc.bias"]}}, folder / "nested.pt")
    torch.save({f"{name}.{key}": tensor for name in ("ema", "net") for key, tensor in good.items()}, folder / "twice.pt")
    torch.save([1, 2], folder / "list.pt")
    torch.save({3: torch.zeros(1)}, folder / "number.pt")
    torch.save({"fc.bias": fractions.Fraction(1, 2)}, folder / "object.pt")
    not_whole = "is not a whole file"
    return {
        "cut": [not_whole],
        "text": [not_whole],
        "empty": [not_whole],
        "shape": ["fc.weight: [11, 512] where the model has [10, 512]", "extra.bias: [3] is no part of the model"],
        "missing": ["bn1.weight: missing (the model has [64])", "bn1.num_batches_tracked: missing (the model has [])"],
        "nested": ["something else than a tensor as fc"],
        "twice": ["holds the model twice, as ema. and as net.: save the one that is meant"],
        "list": ["not a state_dict"],
        "number": ["a key that is not a name"],
        "object": ["holds fractions.Fraction"],
        "nowhere": ["nowhere.pt: missing"],
    }


@pytest.fixture(scope="module")
def passed(tmp_path_factory, theirs):
    """Everything this file needs of our program, by one start of it: folder, answers, the messages wanted of bad files."""
    folder = tmp_path_factory.mktemp("weights")
    bad = bad_files(folder, theirs)
    legacy = collections.OrderedDict((name, tensor.double() if name == "fc.bias" else tensor) for name, tensor in theirs.items())
    torch.save(legacy, folder / "double.pt")
    within = {f"net.{name}": tensor for name, tensor in theirs.items()} | {"beside.weight": torch.zeros(2)}
    torch.save({"epoch": 3, "state_dict": within, "of": fractions.Fraction(1, 2)}, folder / "checkpoint.pt")
    requests = [{**RESNET18, "seed": 3, "results": str(folder / "ours.pt")}]
    for name in ("whole", "double", "checkpoint", *bad):
        requests.append({**RESNET18, "weights": str(folder / f"{name}.pt"), "results": str(folder / f"{name}.back.pt")})
    requests.append({**RESNET18, "results": str(folder / "no such folder" / "ours.pt")})
    answers = twins.run_program(folder, requests)
    names = ["ours", "whole", "double", "checkpoint", *bad, "unwritable"]
    return folder, dict(zip(names, answers, strict=True)), bad


def test_torch_load_reads_what_we_write(passed):
    folder, answers, _ = passed
    assert answers["ours"] == {}
    ours = torch.load(folder / "ours.pt", weights_only=True)
    model = python_training.resnet("resnet18", 10, "imagenet")
    assert list(ours) == list(model.state_dict())
    model.load_state_dict(ours)


def test_we_read_what_python_saved(passed, theirs):
    folder, answers, _ = passed
    for name in ("whole", "checkpoint"):
        assert answers[name] == {}
        back = torch.load(folder / f"{name}.back.pt")
        assert list(back) == list(theirs)
        assert twins.differences(back, theirs, {}) == []


def test_values_of_another_type_are_cast(passed, theirs):
    folder, answers, _ = passed
    assert answers["double"] == {}
    assert twins.differences(torch.load(folder / "double.back.pt"), theirs, {}) == []


BAD = ["cut", "text", "empty", "shape", "missing", "nested", "twice", "list", "number", "object", "nowhere"]


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_does_not_fit_is_the_callers_mistake(passed, name):
    folder, answers, bad = passed
    assert answers[name].get("error") == "UsageError", answers[name]
    for words in [str(folder / f"{name}.pt"), *bad[name]]:
        assert words in answers[name]["text"]
    assert not (folder / f"{name}.back.pt").exists()


def test_what_cannot_be_written_is_named(passed):
    folder, answers, _ = passed
    assert answers["unwritable"]["error"] == "CannotRun"
    assert str(folder / "no such folder" / "ours.pt") in answers["unwritable"]["text"]
    assert not list(folder.glob("*partial*"))


def no_room():
    """Files end after a MiB, in an error instead of a signal: a full disk, as seen from inside."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))


def test_a_disk_that_fills_leaves_the_old_file(tmp_path):
    (tmp_path / "ours.pt").write_text("what was there")
    answers = twins.run_program(tmp_path, [{**RESNET18, "results": str(tmp_path / "ours.pt")}], no_room)
    assert answers[0]["error"] == "CannotRun"
    assert (tmp_path / "ours.pt").read_text() == "what was there"
    assert not list(tmp_path.glob("*partial*"))

"""The table of arms agrees with the build's, the pins with what bootstrap.sh installs; what is missing comes with its remedy."""

import json
import os
import sys
from pathlib import Path

import pytest

from ddpbench_arms import models, probe, table

VOCABULARY = json.loads(Path(os.environ["DDPBENCH_VOCABULARY"]).read_text(encoding="utf-8"))
REQUIREMENTS = Path(__file__).parents[3] / "cmake" / "requirements.txt"


def test_the_build_names_the_same_arms():
    assert {arm["name"] for arm in VOCABULARY["arms"] if arm.get("program") == "python"} == set(table.ARMS)


def test_the_workloads_with_packages_are_the_builds():
    """Those with a stem are torchvision's networks."""
    with_stem = [entry for entry in VOCABULARY["workloads"] if "stem" in {option["name"] for option in entry.get("options", [])}]
    assert set(table.WORKLOADS) == {entry["name"] for entry in with_stem}


def test_every_twin_is_of_a_workload():
    names = [entry["name"] for entry in VOCABULARY["workloads"]]
    assert not [key for key in models.MODELS if not any(name == key or name.startswith(key + "_") for name in names)]


def test_the_pins_are_those_of_bootstrap():
    lines = REQUIREMENTS.read_text(encoding="utf-8").split()
    assert {f"{package}=={version}" for package, version in table.PINNED.items()} <= set(lines)


def test_every_arm_can_run_here():
    assert probe.answer()["why_not"] == {"arm": {}, "feature": {}}


def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setattr(table, "version_of", lambda package: {"torch": VOCABULARY["torch_version"]}.get(package, ""))
    why_not = probe.answer()["why_not"]
    assert set(why_not["arm"]) == {"py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer", "py_loop"}
    assert f"{sys.executable} -m pip install lightning==2.6.6 greenlet==3.5.6" in why_not["arm"]["py_lightning"]
    assert "torchmetrics==1.9.0" in why_not["feature"]["accuracy"]


def test_an_arm_names_what_it_runs_on():
    assert table.packages_of("py_lightning", ["sigterm", "csv=50", "accuracy"]) == ["lightning", "greenlet", "torchmetrics"]
    assert table.packages_of("raw", []) == []


def test_a_workload_without_its_package_takes_its_arms_only(monkeypatch):
    versions = table.installed() | {"torchvision": "", "torch": "2.11.0+cpu"}
    monkeypatch.setattr(table, "version_of", lambda package: versions[package])
    why_not = probe.answer()["why_not"]
    assert why_not["arm"] == {} and set(why_not["arm on resnet50_cifar10"]) == set(table.ARMS)
    assert "pip install torchvision==0.26.0" in why_not["arm on resnet50_cifar10"]["py_raw"]


def test_another_torch_takes_all_arms(monkeypatch):
    monkeypatch.setattr(table, "version_of", lambda package: "1.0.0+cpu")
    reasons = probe.answer()["why_not"]["arm"]
    assert set(reasons) == set(table.ARMS)
    assert all("has torch 1.0.0+cpu, the build is of torch" in reason for reason in reasons.values())


@pytest.mark.parametrize("reason", ["no Python.h"])
def test_a_build_without_the_module_says_why(reason):
    assert reason in probe.why_no_host({"torch": "2.11.0", "why_no_module": reason})

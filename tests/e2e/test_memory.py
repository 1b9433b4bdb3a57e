"""Peak memory of each arm, where an experiment asks for it; memory in traces."""

import csv
import json
from collections import defaultdict

import pytest
from conftest import rows
from python_launches import experiment, run


def test_each_arms_peak_memory_is_of_processes_of_its_own(ddpbench):
    arms = ["raw", "py_raw", "py_raw_again", "py_injected", "py_lightning"]
    out = ddpbench.folder / "out"
    text = 'memory_where = "ranks_per_node == 2"\n' + experiment(arms, workload="convnet_cifar10", launches=2)
    done, out = run(ddpbench, text)
    assert done.returncode == 0, done.stderr
    found = {}
    for row in rows(out, "metrics.csv"):
        if row["metric"].startswith("arm_peak"):
            assert row["launch_id"].endswith("-r0")
            found.setdefault((row["metric"], row["arm"]), []).append(float(row["value"]))
    assert {arm for _, arm in found} == {"raw", "py_raw", "py_lightning"}  # controls are their reference's code
    assert {len(of_ranks) for of_ranks in found.values()} == {2}
    resident = {arm: min(values) for (metric, arm), values in found.items() if metric == "arm_peak_memory_mib"}
    tensors = {arm: min(values) for (metric, arm), values in found.items() if metric == "arm_peak_tensors_mib"}
    assert resident["raw"] < resident["py_raw"] < resident["py_lightning"]  # an interpreter with torch; Lightning beside it
    assert all(1 < tensors[arm] < resident[arm] for arm in resident)
    assert tensors["py_lightning"] == pytest.approx(tensors["py_raw"], rel=0.05)  # the same training
    assert tensors["raw"] < tensors["py_raw"]  # the harness's own model stands beside the one in Python
    assert ddpbench.run("verify", out).returncode == 0
    with (out / "tables" / "counts.csv").open(encoding="utf-8") as file:
        counts = {row["arm"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    assert float(counts["py_lightning"]["extra_resident_mib"]) > 0
    assert not list((out / "parts").glob("*"))


def peaks_by_phase(out) -> dict[tuple[str, str], dict[str, float]]:
    """MiB by arm and rank, then by phase; `peak`: of the arm."""
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in rows(out, "metrics.csv"):
        name, _, phase = row["metric"].partition(".")
        if name in ("arm_phase_tensors_mib", "arm_peak_tensors_mib"):
            found[row["arm"], row["rank"]][phase or "peak"] = float(row["value"])
    return found


def test_each_phase_has_its_peak_and_the_largest_is_the_arms(ddpbench):
    text = 'memory_where = "ranks_per_node == 2"\n' + experiment(["raw", "trainer", "py_raw"], workload="convnet_cifar10")
    done, out = run(ddpbench, text)
    assert done.returncode == 0, done.stderr
    found = peaks_by_phase(out)
    assert set(found) == {(arm, rank) for arm in ("raw", "trainer", "py_raw") for rank in ("0", "1")}
    for (arm, _), peaks in found.items():
        phases = {phase: mib for phase, mib in peaks.items() if phase not in ("peak", "set_up")}
        around = "wrapper" if arm == "trainer" else "other"
        assert {"data", "h2d", "forward", "backward", "optimizer", around} <= set(phases)
        assert max(*phases.values(), peaks["set_up"]) == peaks["peak"]
        assert phases["data"] < phases["forward"], "activations"
        assert phases["backward"] > phases["data"], "they live when it begins"
    # One mathematics: what forward and backward take beside model, gradients and batch is the same in C++ and in Python.
    for rank in ("0", "1"):
        raw, python = found["raw", rank], found["py_raw", rank]
        assert python["h2d"] > raw["h2d"], "the harness's own model stands beside the one in Python"
        for phase in ("forward", "backward"):
            assert python[phase] - python["h2d"] == pytest.approx(raw[phase] - raw["h2d"], rel=0.05), phase
    with (out / "tables" / "phase_memory.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    peaks = [row for row in table if row["is_peak"] == "1"]
    assert {row["arm"]: float(row["tensors_mib"]) for row in peaks} == {
        arm: max(found[arm, "0"]["peak"], found[arm, "1"]["peak"]) for arm in ("raw", "trainer", "py_raw")
    }


def test_the_memory_of_a_span_is_known_from_its_first_instant(ddpbench):
    recording = ("--profile", "kineto", "--profile-only", "--profile-with", "memory", "--schedule", "0/1/1/2")
    done, out = run(ddpbench, experiment(["raw", "trainer"], workload="convnet_cifar10"), *recording)
    assert done.returncode == 0, done.stderr
    points = rows(out, "trace_memory.csv")
    for arm in ("raw", "trainer"):
        for rank in ("0", "1"):
            own = [row for row in points if (row["arm"], row["rank"]) == (arm, rank)]
            assert float(own[0]["us"]) == 0 and own[-1]["phase"] == "end", (arm, rank)
            assert {"data", "h2d", "forward", "backward", "optimizer"} <= {row["phase"] for row in own}, (arm, rank)


def test_a_trace_knows_all_memory_that_the_arm_alone_takes(ddpbench):
    """Two instruments: the harness's allocator in a launch for memory, LibTorch's profiler in a trace."""
    text = 'memory_where = "ranks_per_node == 2"\n' + experiment(["raw"], workload="convnet_cifar10")
    recording = ("--profile", "kineto", "--profile-with", "memory", "--profile-steps", "3..7")
    done, out = run(ddpbench, text, *recording)
    assert done.returncode == 0, done.stderr
    assert "Memory block of unknown size" not in done.stderr
    (arm,) = json.loads(ddpbench.run("trace", out, "--json").stdout)["arms"]
    alone = peaks_by_phase(out)
    for rank in arm["ranks"]:
        (memory,) = rank["memory"]
        assert (memory["device"], memory["counts"]) == ("cpu", "all")
        traced = {phase["phase"]: phase["peak_mib"] for phase in memory["phases"]}
        measured = {phase: mib for phase, mib in alone["raw", rank["rank"]].items() if phase in traced}
        assert set(traced) == set(measured) >= {"data", "forward", "backward", "optimizer"}
        assert traced == pytest.approx(measured, rel=0.02, abs=0.05)
        assert memory["peak_mib"] == max(traced.values()) == traced[memory["phase"]]
        assert 0 <= memory["at_us"] < memory["of_step_us"]
        points = [row for row in rows(out, "trace_memory.csv") if row["rank"] == rank["rank"]]
        times = [float(row["us"]) for row in points]
        assert times[0] == 0 and times == sorted(times) and points[-1]["phase"] == "end"
        assert max(float(row["allocated_mib"]) for row in points) == pytest.approx(memory["peak_mib"], rel=0.02)
    assert ddpbench.run("verify", out).returncode == 0

"""Peak memory of each arm, where an experiment asks for it."""

import csv

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

"""What Nsight Systems would show: the ranges that a rank opens, heard by a tool in its place (nvtx_recorder.cpp)."""

import json
import os
from collections import Counter

import pytest

ARMS = ["raw", "trainer", "py_raw", "py_fabric", "py_accelerate", "py_lightning"]
EXPERIMENT = f"""
name = "nvtx"
arms = {json.dumps(ARMS)}
[axes]
workload = ["null"]
strategy = ["single"]
batch_size_per_rank = [4]
[protocol]
launches = 1
min_super_blocks = 2
max_super_blocks = 2
warmup_steps = 1
"""


def phases_by_arm(lines: list[str], arms: list[str]) -> dict[str, Counter]:
    """How often an arm's blocks opened each phase. A block's range holds those of its phases."""
    found = {arm: Counter() for arm in arms}
    opened: list[str] = []
    for line in lines:
        word, _, name = line.partition(" ")
        if word == "pop":
            opened.pop()
            continue
        if name in found:
            assert opened == [], f"a block of {name} within {opened}"
        elif opened and opened[0] in found:
            found[opened[0]][name] += 1
        opened.append(name)
    assert opened == []
    return found


@pytest.mark.skipif("DDPBENCH_NVTX_RECORDER" not in os.environ, reason="built without NVTX's headers")
def test_arms_of_both_languages_show_the_same_ranges(ddpbench):
    path = ddpbench.experiment(EXPERIMENT, "")
    tool = {"NVTX_INJECTION64_PATH": os.environ["DDPBENCH_NVTX_RECORDER"], "NVTX_RECORD": str(ddpbench.folder / "nvtx")}
    done = ddpbench.run("run", path, "--out", ddpbench.folder / "out", **tool)
    assert done.returncode == 0, done.stderr
    (record,) = (file for file in ddpbench.folder.glob("nvtx.*") if file.stat().st_size > 0)
    phases = phases_by_arm(record.read_text(encoding="utf-8").splitlines(), ARMS)
    steps = phases["raw"]["data"]
    assert steps > 0
    of_a_step = dict.fromkeys(("data", "h2d", "forward", "backward"), 1)
    for arm, counts in phases.items():
        assert {phase: counts[phase] / steps for phase in of_a_step} == of_a_step, arm
        # Gradients to zero, and the update; with Accelerate a user writes the two one behind the other.
        assert counts["optimizer"] == (1 if arm == "py_accelerate" else 2) * steps, arm
    assert phases["py_lightning"]["wrapper"] > 0 and phases["trainer"]["wrapper"] > 0

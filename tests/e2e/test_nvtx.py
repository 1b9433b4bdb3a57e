"""What Nsight Systems would show: the ranges that a rank opens, heard by a tool in its place (nvtx_recorder.cpp)."""

import json
import os
from collections import Counter

import pytest
from conftest import rows

ARMS = ["raw", "trainer", "py_raw", "py_fabric", "py_accelerate", "py_hf_trainer", "py_lightning"]
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


BLOCK_BITS = 32


class Ranges:
    """What a rank showed: of each arm how often its blocks opened a range, and its steps as (block, step)."""

    def __init__(self, lines: list[str], arms: list[str]):
        self.counts = {arm: Counter() for arm in arms}
        self.steps: dict[str, list[tuple[int, int]]] = {arm: [] for arm in arms}
        self.named: list[str] = []
        opened: list[str] = []
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "pop":
                opened.pop()
            elif word == "push":
                self.open(rest.split(" "), opened)
            else:
                self.named.append(line)
        assert opened == []

    def open(self, words: list[str], opened: list[str]) -> None:
        name = words[0]
        blocks = [range_ for range_ in opened if range_ in self.counts]
        if name in self.counts:
            assert opened in ([], ["measure"]), f"a block of {name} within {opened}"
        elif blocks:
            self.counts[blocks[0]][name] += 1
        if name == "step":
            assert list(self.counts)[int(words[1]) - 1] == blocks[0], "its category is the arm's"
            block, step = divmod(int(words[2]), 1 << BLOCK_BITS)
            self.steps[blocks[0]].append((block, step))
        opened.append(name)


@pytest.mark.skipif("DDPBENCH_NVTX_RECORDER" not in os.environ, reason="built without NVTX's headers")
def test_arms_of_both_languages_show_the_same_ranges(ddpbench):
    path = ddpbench.experiment(EXPERIMENT, "")
    tool = {"NVTX_INJECTION64_PATH": os.environ["DDPBENCH_NVTX_RECORDER"], "NVTX_RECORD": str(ddpbench.folder / "nvtx")}
    done = ddpbench.run("run", path, "--out", ddpbench.folder / "out", **tool)
    assert done.returncode == 0, done.stderr
    (record,) = (file for file in ddpbench.folder.glob("nvtx.*") if file.stat().st_size > 0)
    lines = record.read_text(encoding="utf-8").splitlines()
    shown = Ranges(lines, ARMS)
    counts = shown.counts
    data = counts["raw"]["data"]
    assert data > 0
    of_a_step = dict.fromkeys(("data", "h2d", "zero_grad", "forward", "backward", "optimizer"), 1)
    for arm, ranges in counts.items():
        assert {phase: ranges[phase] / data for phase in of_a_step} == of_a_step, arm
    assert counts["py_lightning"]["wrapper"] > 0 and counts["trainer"]["wrapper"] > 0
    # Timed steps of two blocks, numbered; discarded ones have no number.
    timed = {arm: [place for place in steps if place[1] > 0] for arm, steps in shown.steps.items()}
    assert {arm: [step for _, step in places] for arm, places in timed.items()} == {arm: [1, 2, 3, 4] * 2 for arm in ARMS}
    assert sorted({block for places in timed.values() for block, _ in places}) == list(range(1, 2 * len(ARMS) + 1))
    # The window is open from the first block to the rank's end, and names the rank.
    assert [f"category {place} {arm}" for place, arm in enumerate(ARMS, 1)] == [
        name for name in shown.named if "category" in name
    ]
    assert "thread rank 0" in shown.named
    assert any(name.startswith("mark rank 0 of 1, launch ") for name in shown.named)
    window = lines.index("push measure")
    assert window < min(lines.index(line) for line in lines if line.startswith("push raw")) and lines[-1] == "pop"


def caches(ddpbench) -> list[str]:
    return sorted(path.name for path in (ddpbench.folder / "home").rglob("resolution-*.csv"))


@pytest.mark.skipif("DDPBENCH_NVTX_RECORDER" not in os.environ, reason="built without NVTX's headers")
def test_a_run_under_a_tool_says_so_and_teaches_nothing(ddpbench):
    path = ddpbench.experiment(protocol="max_super_blocks = 8\nmin_super_blocks = 8")
    recorder = os.environ["DDPBENCH_NVTX_RECORDER"]
    done = ddpbench.run("run", path, "--out", ddpbench.folder / "out", page=True, NVTX_INJECTION64_PATH=recorder)
    assert done.returncode == 0, done.stderr
    assert {row["profiled"] for row in rows(ddpbench.folder / "out", "runs.csv")} == {f"an NVTX tool ({recorder})"}
    says = f"Profiled: 1 of 1 launch ran under an NVTX tool ({recorder}): its times include what it records."
    assert says in done.stdout
    assert json.loads((ddpbench.folder / "out/tables/summary.json").read_text(encoding="utf-8"))["banner"][0] == says
    assert says in (ddpbench.folder / "out/summary.md").read_text(encoding="utf-8").replace("\\", "")
    assert "Profiled: 1 of 1 launch" in (ddpbench.folder / "out/report.html").read_text(encoding="utf-8")
    assert caches(ddpbench) == []
    history = ddpbench.run("history", ddpbench.folder / "out")
    assert "left out: " in history.stderr and "cost_us" not in history.stdout, history.stdout
    plain = ddpbench.run("run", path, "--out", ddpbench.folder / "plain")
    assert plain.returncode == 0 and "Profiled" not in plain.stdout, plain.stdout
    assert {row["profiled"] for row in rows(ddpbench.folder / "plain", "runs.csv")} == {""}
    assert len(caches(ddpbench)) == 1
    compared = ddpbench.run("compare", ddpbench.folder / "out", ddpbench.folder / "plain")
    assert compared.returncode == 2 and "Left out of base: Profiled: 1 of 1 launch" in compared.stderr, compared.stderr

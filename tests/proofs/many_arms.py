"""Launches of many arms in Python: what they say of one, and that they last."""

from __future__ import annotations

import json
import statistics
import threading
import time
from pathlib import Path

from conftest import Ddpbench, rows
from finding import Finding, at_most
from frameworks import FAMILY, experiment_text, mean_interval, measured

PAIRS = 24
SUPER_BLOCKS = 10_000
OTHERS = ["py_lightning-sigterm", "py_lightning+ideal", "py_fabric", "py_accelerate", "py_raw_item"]
ALL_ARMS = [*FAMILY, *OTHERS, "raw", "raw_again", "trainer"]

# Run first by each Python: CPU time of garbage collections within the steps of each arm, written at the process's end.
COLLECTIONS = """
import gc, importlib, json, os, time

import_module = importlib.import_module
found = {}  # arm -> [steps, ns in collections]
now = {"arm": None, "began": 0}

def collected(phase, info):
    if phase == "start":
        now["began"] = time.thread_time_ns()
    elif now["arm"]:
        found[now["arm"]][1] += time.thread_time_ns() - now["began"]

gc.callbacks.append(collected)

def count(made):
    step = made.step
    def counted(self):
        now["arm"] = self.request.name
        found.setdefault(now["arm"], [0, 0])[0] += 1
        try:
            return step(self)
        finally:
            now["arm"] = None
    made.step = counted

def imported(name, package=None):
    module = import_module(name, package)
    if name == "ddpbench_arms.raw" and not found:
        count(module.Raw)
    if name == "ddpbench_arms.trainer":
        count(module.LightningArm)
    if name == "ddpbench_harness":
        leave = module.leave
        def written(code):
            with open(os.environ["COLLECTIONS_FILE"], "w") as file:
                json.dump(found, file)
            leave(code)
        module.leave = written
    return module

importlib.import_module = imported
"""


def collection_us(path: Path, arm: str) -> float:
    """Of a step, mean."""
    steps, ns = json.loads(path.read_text(encoding="utf-8"))[arm]
    return 1e-3 * ns / steps


def one_subject_or_many(ddpbench: Ddpbench) -> list[Finding]:
    site = ddpbench.folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(COLLECTIONS, encoding="utf-8")
    few, many = ["py_raw", "py_lightning"], [arm for arm in ALL_ARMS if arm != "py_lightning+ideal"]
    costs: dict[str, list[float]] = {"few": [], "many": []}
    collections: dict[tuple[str, str], list[float]] = {}
    for number in range(PAIRS):
        for which, arms in (("few", few), ("many", many)):
            written = ddpbench.folder / f"{which}{number}.json"
            variables = {"PYTHONPATH": str(site), "COLLECTIONS_FILE": str(written)}
            protocol = f"seed = {number + 1}\nmin_super_blocks = 300\nmax_super_blocks = 300"
            table, _ = measured(ddpbench, f"out-{which}{number}", experiment_text(arms, 1), protocol, **variables)
            costs[which].append(float(table["py_lightning", "thread_cpu"]["overhead_us"]))
            for arm in few:
                collections.setdefault((which, arm), []).append(collection_us(written, arm))
    less = [100 * (alone / among - 1) for alone, among in zip(costs["few"], costs["many"], strict=True)]
    mean, lo, hi = mean_interval(less)
    figure = f"{mean:+.1f} [{lo:+.1f}, {hi:+.1f}] % of {statistics.fmean(costs['many']):.0f} us; {PAIRS} pairs of launches"
    claim = f"py_lightning as the only subject, less among {len(many)} arms"
    findings = [Finding(claim, figure, "within ± 5 %", lo >= -5 and hi <= 5)]
    for arm in few:
        alone, among = (statistics.fmean(collections[which, arm]) for which in ("few", "many"))
        figure = f"{alone:.1f} us among {len(few)} arms, {among:.1f} us among {len(many)}"
        findings.append(Finding(f"garbage collections in a step of {arm}, mean", figure, "told, not judged", held=True))
    return findings


def resident_mib(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def ranks_of(folder: Path) -> list[int]:
    """Processes of arms in Python whose part files lie in the folder."""
    pids = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if b"ddpbench_arms" in words and str(folder).encode() in words:
            pids.append(int(entry.name))
    return pids


class Watch(threading.Thread):
    """Resident memory of the ranks, MiB, every five seconds: the sum."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder = folder
        self.sums: list[float] = []
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(5):
            try:
                found = [resident_mib(pid) for pid in ranks_of(self.folder)]
            except OSError:
                continue
            if len(found) == 2:
                self.sums.append(sum(found))


def ten_thousand_super_blocks(ddpbench: Ddpbench) -> list[Finding]:
    """Every arm in one launch on two ranks. Memory: the last tenth of the readings against those from the second tenth."""
    number = f"min_super_blocks = {SUPER_BLOCKS}\nmax_super_blocks = {SUPER_BLOCKS}"
    path = ddpbench.experiment(experiment_text(ALL_ARMS, 2), f"{number}\nmax_seconds_per_launch = 6000")
    out = ddpbench.folder / "long"
    watch = Watch(ddpbench.folder)
    watch.start()
    began = time.monotonic()
    process = ddpbench.start("run", path, "--out", out)
    stderr = process.communicate()[1]
    watch.ended.set()
    if process.returncode != 0:
        raise RuntimeError(stderr[-2000:])
    minutes = (time.monotonic() - began) / 60
    done = min(int(row["super_blocks"]) for row in rows(out, "runs.csv"))
    tenth = len(watch.sums) // 10
    early, late = statistics.median(watch.sums[tenth : 2 * tenth]), statistics.median(watch.sums[-tenth:])
    claim = f"memory of two ranks with {len(ALL_ARMS)} arms, late against early: growth of {early:.0f} MiB"
    return [
        Finding("super-blocks of all arms", f"{done}, in {minutes:.0f} minutes", f"all {SUPER_BLOCKS}", done == SUPER_BLOCKS),
        at_most(claim, 100 * (late / early - 1), 1, "%"),
    ]

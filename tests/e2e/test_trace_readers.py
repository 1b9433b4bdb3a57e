"""What others' programs read in our traces. TensorBoard's plugin torch_tb_profiler opens them as they lie, Holistic Trace
Analysis (HTA) takes their events as kernels of a GPU. Both find the overlap that `ddpbench trace` finds."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections import defaultdict
from pathlib import Path

import pytest
from conftest import LONG_ENOUGH, PROGRAM, Ddpbench, wait_until
from python_launches import experiment, run

READERS = Path(PROGRAM).parent.parent / "trace_readers"
pytestmark = pytest.mark.skipif(
    not READERS.exists(), reason="needs other readers of traces: tests/support/get_packages.sh BUILD/trace_readers PYTHON"
)
ENVIRONMENT = os.environ | {"PYTHONPATH": str(READERS)}
ARMS, RANKS, SPANS, STEPS = ("raw", "py_raw"), ("0", "1"), 2, 5
CLOSE = 0.01  # the overlaps' difference at most
LAUNCH = "convnet_cifar10-ddp-gloo-n1r2-fp32-b4-r0-kineto"

HTA_PROGRAM = """
import json, sys
from hta.trace_analysis import TraceAnalysis

if __name__ == "__main__":
    overlaps = {}
    for arm, files in json.loads(sys.argv[1]).items():
        traces = TraceAnalysis(trace_files={int(rank): path for rank, path in files.items()})
        found = traces.get_comm_comp_overlap(visualize=False)
        overlaps[arm] = dict(zip(map(str, found["rank"].tolist()), found["comp_comm_overlap_pctg"].tolist()))
    print(json.dumps(overlaps))
"""


@pytest.fixture(scope="module")
def profiled(tmp_path_factory) -> tuple[Path, dict]:
    """The folder of a recorded schedule, and by arm and rank what `ddpbench trace` says of it."""
    ddpbench = Ddpbench(tmp_path_factory.mktemp("readers"))
    schedule = ("--profile", "kineto", "--profile-only", "--schedule", f"2/1/{STEPS}/{SPANS}")
    done, out = run(ddpbench, experiment(list(ARMS), workload="convnet_cifar10"), *schedule, protocol="")
    assert done.returncode == 0, done.stderr
    told = ddpbench.run("trace", out, "--json")
    assert told.returncode in (0, 1), told.stderr  # 1: a busy host
    arms = {arm["arm"]: {rank["rank"]: rank for rank in arm["ranks"]} for arm in json.loads(told.stdout)["arms"]}
    assert set(arms) == set(ARMS) and all(tuple(ranks) == RANKS for ranks in arms.values())
    return out, arms


def exposed_us(rank: dict) -> float:
    """Of all its steps."""
    return rank["steps"] * next(part["us"] for part in rank["parts"] if part["part"] == "exposed communication")


class TensorBoard:
    """The real one with its plugin, asked as its page asks."""

    def __init__(self, logdir: Path, log: Path) -> None:
        command = [sys.executable, "-B", "-m", "tensorboard.main", "--logdir", logdir, "--host", "127.0.0.1", "--port", "0"]
        self.log = log
        with log.open("w", encoding="utf-8") as file:
            environment = ENVIRONMENT | {"TMPDIR": str(log.parent)}
            self.process = subprocess.Popen(command, env=environment, stdout=file, stderr=file, start_new_session=True)

    def __enter__(self) -> "TensorBoard":
        wait_until(lambda: self.address() or self.process.poll() is not None, "address of TensorBoard")
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def address(self) -> str:
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.log.read_text(encoding="utf-8"))
        return found.group(0) if found else ""

    def asked(self, what: str, **about: str) -> dict | list:
        address = f"{self.address()}data/plugin/pytorch_profiler/{what}?{urllib.parse.urlencode(about)}"
        with urllib.request.urlopen(address, timeout=LONG_ENOUGH) as answer:
            return json.load(answer)

    def runs(self) -> list[str]:
        """Once all are read."""
        deadline = time.monotonic() + LONG_ENOUGH
        while (found := self.asked("runs"))["loading"] or not found["runs"]:
            assert time.monotonic() < deadline, f"no runs: {self.log.read_text(encoding='utf-8')}"
            time.sleep(0.2)
        return found["runs"]


def test_tensorboards_plugin_opens_the_folder_as_it_lies(profiled, tmp_path):
    out, arms = profiled
    with TensorBoard(out / "profiles", tmp_path / "tensorboard.log") as board:
        assert set(board.runs()) == {f"{LAUNCH}/{arm}" for arm in ARMS}
        for arm in ARMS:
            run = f"{LAUNCH}/{arm}"
            assert board.asked("workers", run=run, view="Overview") == [f"rank{rank}" for rank in RANKS]
            assert board.asked("spans", run=run, worker="rank0") == [str(1 + span) for span in range(SPANS)]
            exposed: dict[str, float] = defaultdict(float)
            for span in range(SPANS):
                steps = board.asked("distributed/overlap", run=run, worker="All", span=str(1 + span))["data"]
                first = (2 + 1 + STEPS) * span + 2 + 1
                assert set(steps) == {"all", *(str(first + step) for step in range(STEPS))}
                for name, workers in steps.items():
                    for worker, (_, _, communication, _) in workers.items():
                        exposed[worker] += communication if name != "all" else 0
            for rank in RANKS:
                assert exposed[f"rank{rank}"] == pytest.approx(exposed_us(arms[arm][rank]), rel=CLOSE), (arm, rank)


def as_kernels(traces: list[dict], rank: str) -> dict:
    """HTA looks at streams of a GPU: gloo's collectives become NCCL's kernels on one, operations kernels on another. Of the steps
    alone, for HTA takes what the whole trace shows; in nanoseconds, for it cuts off what is no whole unit of time, and many
    operations take a few microseconds."""
    events = []
    zero = min(event["ts"] for trace in traces for event in trace["traceEvents"] if event.get("ph") == "X")
    for trace in traces:
        shown = [event for event in trace["traceEvents"] if event.get("ph") == "X"]
        steps = [(step["ts"], step["ts"] + step["dur"]) for step in shown if step["name"].startswith("ProfilerStep#")]
        for event in shown:
            collective = event["name"].startswith("gloo:")
            if not collective and event.get("cat") != "cpu_op":
                continue
            name, stream = ("ncclDevKernel_" + event["name"].split(":")[1], 20) if collective else (event["name"], 7)
            for begin, end in steps:
                since, until = max(begin, event["ts"]), min(end, event["ts"] + event["dur"])
                if since < until:
                    place = {"device": 0, "stream": stream, "correlation": 1 + len(events)}
                    times = {"ts": round(1000 * (since - zero)), "dur": round(1000 * (until - since)), "pid": 0, "tid": stream}
                    events.append({"ph": "X", "cat": "kernel", "name": name, **times, "args": place})
    return {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": int(rank), "world_size": 2}, "traceEvents": events}


# By HTA the overlap is the part of the communication's time during which something is computed. Ours is the same, of the steps.
def test_hta_finds_the_same_overlap(profiled, tmp_path):
    out, arms = profiled
    (tmp_path / "overlap.py").write_text(HTA_PROGRAM, encoding="utf-8")
    files: dict[str, dict[str, str]] = {arm: {} for arm in ARMS}
    for arm in ARMS:
        for rank in RANKS:
            spans = sorted((out / "profiles" / LAUNCH / arm).glob(f"rank{rank}.*.json.gz"))
            translated = as_kernels([json.loads(gzip.decompress(span.read_bytes())) for span in spans], rank)
            path = tmp_path / f"{arm}.{rank}.json"
            path.write_text(json.dumps(translated), encoding="utf-8")
            files[arm][rank] = str(path)
    command = [sys.executable, "-B", tmp_path / "overlap.py", json.dumps(files)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=LONG_ENOUGH)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for arm in ARMS:
        for rank, told in arms[arm].items():
            hidden = told["steps"] * told["hidden_communication_us"]
            overlap = 100 * hidden / (hidden + exposed_us(told))
            # HTA rounds to two decimals of a percent.
            assert found[arm][rank] == pytest.approx(overlap, rel=CLOSE, abs=0.01), (arm, rank)

"""`ddpbench trace` on traces of the real profilers, and on what is no whole trace."""

import csv
import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LONG_ENOUGH, needs_nsys, nsys_program
from test_bad_input import check_refused

STEPS = 4

# Anybody's loop: nothing in it is of ddpbench.
STRANGERS_LOOP = f"""
import sys
import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule, tensorboard_trace_handler
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = DataLoader(TensorDataset(torch.randn(256, 64), torch.randint(0, 10, (256,))), batch_size=32)
with profile(
    activities=[ProfilerActivity.CPU],
    profile_memory=True,
    schedule=schedule(wait=1, warmup=1, active={STEPS}, repeat=1),
    on_trace_ready=lambda done: done.export_chrome_trace(sys.argv[1]),
) as profiler:
    for inputs, targets in data:
        with record_function("train_step"):
            loss = torch.nn.functional.cross_entropy(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        profiler.step()
with profile(
    activities=[ProfilerActivity.CPU],
    schedule=schedule(wait=1, warmup=1, active=3, repeat=2),
    on_trace_ready=tensorboard_trace_handler(sys.argv[2], "worker"),
) as profiler:
    for _ in range(10):
        model(torch.ones(32, 64))
        profiler.step()
"""

NVTX_LOOP = """
import torch
for step in range(4):
    torch.cuda.nvtx.range_push(f"train {step}")
    torch.mm(torch.ones(200, 200), torch.ones(200, 200))
    torch.cuda.nvtx.range_pop()
"""


@pytest.fixture(scope="module")
def strangers_trace(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("trace")
    (folder / "loop.py").write_text(STRANGERS_LOOP, encoding="utf-8")
    trace = folder / "trace.json.gz"
    command = [sys.executable, "-B", folder / "loop.py", trace, folder / "spans"]
    subprocess.run(command, check=True, timeout=LONG_ENOUGH, capture_output=True)
    return trace


def events_of(trace: Path) -> list[dict]:
    return json.loads(gzip.decompress(trace.read_bytes()))["traceEvents"]


def arm_of(done) -> dict:
    assert done.returncode == 0, done.stderr
    (arm,) = json.loads(done.stdout)["arms"]
    assert sum(part["us"] for part in arm["parts"]) == pytest.approx(arm["step_us"]), "the parts do not add up to the step"
    return arm


def test_a_strangers_steps_are_cut_into_parts_that_add_up(ddpbench, strangers_trace):
    arm = arm_of(ddpbench.run("trace", strangers_trace, "--json"))
    steps = [event for event in events_of(strangers_trace) if event["name"].startswith("ProfilerStep#") and event["ph"] == "X"]
    assert arm["steps"] == len(steps) == STEPS
    assert arm["step_us"] == pytest.approx(sum(step["dur"] for step in steps) / STEPS)
    parts = {part["part"]: part["us"] for part in arm["parts"]}
    assert parts["operations"] > 0 and parts["data"] > 0 and parts["host between operations"] > 0
    assert parts["exposed communication"] == 0
    names = {operation["name"] for operation in arm["operations"]}
    assert any(name.startswith("aten::") for name in names), names


def test_the_answer_is_the_first_line_and_holds_the_tables_figures(ddpbench, strangers_trace):
    done = ddpbench.run("trace", strangers_trace, "--csv", "parts.csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ProfilerStep: a step takes ")
    with (ddpbench.folder / "parts.csv").open(encoding="utf-8") as file:
        rows = {row["part"]: row for row in csv.DictReader(file) if row["rank"] == "all"}
    for part in ("operations", "data", "host between operations"):
        share = 100 * float(rows[part]["share"])
        assert f"{share:.0f} % {part}" in done.stdout or f"{share:.1f} % {part}" in done.stdout, part


def test_a_strangers_memory_is_told_by_its_largest_in_a_step(ddpbench, strangers_trace):
    (memory,) = arm_of(ddpbench.run("trace", strangers_trace, "--json"))["memory"]
    assert (memory["device"], memory["counts"], memory["peak_reserved_mib"]) == ("cpu", "since_recording", None)
    assert (memory["phase"], memory["phases"]) == (None, []), "phases are ddpbench's"
    events = events_of(strangers_trace)
    steps = [event for event in events if event["name"].startswith("ProfilerStep#") and event["ph"] == "X"]
    counted = [(event["ts"], event["args"]["Total Allocated"]) for event in events if event["name"] == "[memory]"]
    inside = [(total, ts - step["ts"], step["dur"]) for step in steps for ts, total in counted]
    total, at, duration = max((one for one in inside if 0 <= one[1] < one[2]), key=lambda one: one[0])
    assert memory["peak_mib"] == pytest.approx(total / 2**20)
    assert (memory["at_us"], memory["of_step_us"]) == pytest.approx((at, duration), abs=0.01)
    shown = ddpbench.run("trace", strangers_trace).stdout
    assert "MiB of what was allocated since the recording began" in shown.splitlines()[0]


def test_a_range_of_the_users_own_is_a_step(ddpbench, strangers_trace):
    arm = arm_of(ddpbench.run("trace", strangers_trace, "--step-range", "train_step", "--json"))
    assert (arm["arm"], arm["steps"], arm["steps_by"]) == ("train_step", STEPS, "step_range")
    refused = ddpbench.run("trace", strangers_trace, "--step-range", "trainstep")
    check_refused(refused, "trainstep", "'train_step'", "'ProfilerStep#*'")


# In their own words, which are those of `run --schedule 1/1/3/2` (test_profile.py).
def test_spans_of_torchs_own_schedule_are_put_together(ddpbench, strangers_trace):
    spans = sorted((strangers_trace.parent / "spans").glob("worker.*.pt.trace.json"))
    steps = [
        {event["name"] for event in json.loads(span.read_bytes())["traceEvents"] if event["name"].startswith("ProfilerStep#")}
        for span in spans
    ]
    assert steps == [{f"ProfilerStep#{step}" for step in of_span} for of_span in ((2, 3, 4), (7, 8, 9))]
    done = ddpbench.run("trace", *spans, "--json")
    arm = arm_of(done)
    assert arm["steps"] == 6 and len(arm["ranks"]) == 1
    assert [file["spans"] for file in json.loads(done.stdout)["files"]] == [2]


def test_two_files_of_one_rank_are_told_apart(ddpbench, strangers_trace):
    copies = [ddpbench.folder / name for name in ("a.rank0.json.gz", "b.rank0.json.gz")]
    for copy in copies:
        shutil.copy(strangers_trace, copy)
    arm = arm_of(ddpbench.run("trace", *copies, "--json"))
    assert [rank["rank"] for rank in arm["ranks"]] == ["0", "0 of b.rank0.json.gz"]


def test_without_steps_the_whole_window_is_one_and_is_said_so(ddpbench, strangers_trace):
    whole = json.loads(gzip.decompress(strangers_trace.read_bytes()))
    whole["traceEvents"] = [event for event in whole["traceEvents"] if not event["name"].startswith("ProfilerStep#")]
    path = ddpbench.folder / "no_steps.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    done = ddpbench.run("trace", path)
    assert done.returncode == 0, done.stderr
    assert "no step was found; the whole window takes" in done.stdout.splitlines()[0]


def test_what_is_no_whole_trace_is_refused_by_name(ddpbench, strangers_trace):
    packed = strangers_trace.read_bytes()
    text = gzip.decompress(packed)
    for name, content, word in (
        ("cut.json.gz", packed[: len(packed) // 2], "cut short"),
        ("cut.json", text[: len(text) // 2], "cut short"),
        ("empty.json", b"", "empty"),
        ("none.json", b'{"traceEvents": []}', "empty"),
        ("notes.txt", b"step 1: slow", "is no trace"),
        ("report.sqlite", b"SQLite format 3\0" + bytes(100), "report.sqlite"),
    ):
        (ddpbench.folder / name).write_bytes(content)
        check_refused(ddpbench.run("trace", name), name, word)
    check_refused(ddpbench.run("trace", "missing.json"), "missing.json", "no such file")
    check_refused(ddpbench.run("trace", ddpbench.folder), "holds no trace")
    check_refused(ddpbench.run("trace", strangers_trace, "--arm", "raw"), "raw", "ProfilerStep")
    check_refused(ddpbench.run("trace", strangers_trace, "--top", "many"), "--top", "many")


def our_trace(folder: Path, rank: int, forward_us: float) -> None:
    """A window of one block: two steps of 1000 us, and what the timers say of their forward."""

    def event(category: str, name: str, begin: float, duration: float, thread: int = 7) -> dict:
        times = {"ts": 5000000000000 + begin, "dur": duration, "pid": 7, "tid": thread}
        return {"ph": "X", "cat": category, "name": name} | times

    events = [event("user_annotation", "measure@ddpbench", 0, 3000), event("user_annotation", "block 1 raw", 10, 2500)]
    for step in range(2):
        begin = 10 + 1000 * step
        events += [
            event("user_annotation", f"ProfilerStep#{step}", begin, 1000),
            event("user_annotation", "ddpbench:forward", begin, 600),
            event("cpu_op", "aten::mm", begin, 500 + 100 * rank),
            event("user_annotation", "gloo:all_reduce", begin + 400, 400, thread=8),
        ]
    metadata = {"distributedInfo": {"backend": "gloo", "rank": rank, "world_size": 2}, "ddpbench": {"launch_id": "L1"}}
    text = json.dumps(metadata | {"traceEvents": events})
    (folder / f"L1.rank{rank}.json.gz").write_bytes(gzip.compress(text.encode()))
    columns = "launch_id,super_block,block,arm,step,rank,discarded,step_s,thread_cpu_s,process_cpu_s,data_s,h2d_s,forward_s,"
    columns += "backward_s,comm_wait_s,optimizer_s,wrapper_s,other_s,loss,awaited_s,run_delay_s"
    times = f"0.001,,,0,0,{forward_us * 1e-6:.9f},0,,0,0,{(1000 - forward_us) * 1e-6:.9f},,,"
    rows = [f"L1,1,1,raw,{step},{rank},{int(step < 1)},{times}" for step in range(3)]
    (folder / f"L1.rank{rank}.steps.csv").write_text("\n".join([columns, *rows]) + "\n", encoding="utf-8")


def test_a_results_folder_is_compared_with_its_timers(ddpbench):
    profiles = ddpbench.folder / "results" / "profiles"
    profiles.mkdir(parents=True)
    our_trace(profiles, 0, forward_us=600)
    our_trace(profiles, 1, forward_us=598)
    done = ddpbench.run("trace", "results")
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()[:3]
    exposed = "25 % exposed communication (5.0 % of the step waiting for a slower rank)"
    parts = f"55 % operations, {exposed}, 0 % data, 20 % host between operations"
    assert first.startswith(f"raw (launch L1): a step takes 1.00 ms: {parts}")
    assert first.endswith("exposed communication waits in gloo:all_reduce")
    assert second.startswith("rank 0: trace and timers of 2 steps agree")
    assert third.startswith("rank 1: trace and timers of 2 steps agree")
    assert "slowest rank: 1," in done.stdout
    our_trace(profiles, 1, forward_us=500)
    done = ddpbench.run("trace", "results")
    assert done.returncode == 1, done.stderr
    assert "rank 1: trace and timers of 2 steps do not agree" in done.stdout
    assert ddpbench.run("trace", "results", "--json").returncode == 1


def test_a_report_of_nsight_systems_needs_its_program(ddpbench):
    (ddpbench.folder / "x.nsys-rep").write_bytes(b"x")
    refused = ddpbench.run("trace", "x.nsys-rep", PATH="/nowhere")
    check_refused(refused, "x.nsys-rep", "DDPBENCH_NSYS", "nsys export --type sqlite")
    check_refused(ddpbench.run("trace", "x.nsys-rep", DDPBENCH_NSYS="/bin/false"), "x.nsys-rep", "exit code 1")


@needs_nsys
def test_a_real_report_of_nsight_systems_is_read(ddpbench):
    nsys = str(nsys_program())
    record = [nsys, "profile", "-t", "nvtx", "-s", "none", "--cpuctxsw=none", "-f", "true", "-o", ddpbench.folder / "x"]
    subprocess.run([*record, sys.executable, "-B", "-c", NVTX_LOOP], check=True, timeout=LONG_ENOUGH, capture_output=True)
    (ddpbench.folder / "sub").mkdir()
    (ddpbench.folder / "tmp").mkdir()
    places = {"DDPBENCH_NSYS": nsys, "TMPDIR": str(ddpbench.folder / "tmp")}
    arm = arm_of(ddpbench.run("trace", "sub/../x.nsys-rep", "--step-range", "train*", "--json", **places))
    assert list((ddpbench.folder / "tmp").glob("*.sqlite")) == [], "an export outside of its folder"
    assert (arm["arm"], arm["steps"], arm["detail"]) == ("train*", 4, "ranges")

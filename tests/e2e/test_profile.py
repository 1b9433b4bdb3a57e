"""Traces of `run --profile`: what they show, that they agree with the timers of the same steps, and what they leave untouched."""

import csv
import gzip
import json
import sqlite3
import statistics
import subprocess
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest
from conftest import PROGRAM, needs_nsys, nsys_program, rows

ARMS = ["raw", "raw_again", "trainer", "py_raw", "py_lightning"]
SHOWN = [arm for arm in ARMS if arm != "raw_again"]
PHASES = ("data", "h2d", "forward", "backward", "optimizer", "wrapper", "other")
STEPS = 10
MARKS = 8  # of a step at most: the ranges of its phases
EXPERIMENT = f"""
name = "profile"
arms = {json.dumps(ARMS)}
[axes]
workload = ["convnet_cifar10"]
ranks_per_node = [2]
batch_size_per_rank = [8]
[workload]
data = "constant"
[protocol]
launches = 1
min_super_blocks = 2
max_super_blocks = 2
"""
CELL = "convnet_cifar10-ddp-gloo-n1r2-fp32-b8"
LAUNCH, UNDER_NSYS = f"{CELL}-r0-kineto", f"{CELL}-r0-nsys"


def trace_of(out: Path, rank: int) -> dict:
    return json.loads(gzip.decompress((out / "profiles" / LAUNCH / f"rank{rank}.pt.trace.json.gz").read_bytes()))


def files_in(out: Path) -> set[str]:
    """Of the launch under Kineto."""
    folder = out / "profiles" / LAUNCH
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def annotations(trace: dict) -> list[dict]:
    """Ranges of the main thread, in the order in which they began, outer ones first."""
    found = [event for event in trace["traceEvents"] if event.get("cat") == "user_annotation"]
    main = next(event["tid"] for event in found if event["name"] == "measure@ddpbench")
    return sorted((event for event in found if event["tid"] == main), key=lambda event: (event["ts"], -event["dur"]))


def phase_of(event: dict) -> str:
    name = event["name"].removeprefix("ddpbench:")
    return "optimizer" if name == "zero_grad" else name


def steps_by_arm(trace: dict) -> dict[str, list[dict[str, float]]]:
    """Of each arm its steps: the phases' own microseconds, and those of the whole step."""
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    arm, end, opened = "", 0.0, []
    for event in annotations(trace):
        if event["name"].startswith("block "):
            arm = event["name"].split(" ", 2)[2]
        elif event["name"].startswith("ProfilerStep#"):
            found[arm].append({"step": event["dur"]})
            end, opened = event["ts"] + event["dur"], []
        elif event["name"].startswith("ddpbench:") and event["ts"] < end:
            while opened and opened[-1]["ts"] + opened[-1]["dur"] <= event["ts"]:
                opened.pop()
            own, phase = found[arm][-1], phase_of(event)
            own[phase] = own.get(phase, 0.0) + event["dur"]
            if opened:
                own[phase_of(opened[-1])] -= event["dur"]
            opened.append(event)
    return found


def time_of(step: dict[str, float], part: str) -> float:
    """What no other phase's range covers is `other`, with a range of its own or without."""
    if part == "other":
        return step["step"] - sum(step.get(phase, 0.0) for phase in PHASES if phase != "other")
    return step.get(part, 0.0)


def timers_by_arm(out: Path, rank: int) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    with (out / "profiles" / LAUNCH / f"rank{rank}.steps.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if int(row["step"]) > 0:
                found[row["arm"]].append({name: 1e6 * float(row[f"{name}_s"]) for name in ("step", *PHASES)})
    return found


def steps_of(out: Path) -> list[dict]:
    with gzip.open(out / "steps.csv.gz", "rt", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["super_block"] != "0"]


def test_a_trace_shows_the_steps_that_the_timers_timed(ddpbench):
    path = ddpbench.experiment(EXPERIMENT, "")
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", path, "--out", out, "--profile", "kineto", "--profile-only")
    assert done.returncode == 0, done.stderr
    assert f"profile: {out}/profiles/{LAUNCH} (2 traces, open with " in done.stdout
    assert f"tensorboard --logdir {out}/profiles\n" in done.stdout
    assert "DeviceProperties" not in done.stderr, "Kineto's complaint of a missing GPU"
    for rank in range(2):
        trace = trace_of(out, rank)
        assert trace["distributedInfo"]["rank"] == rank and trace["distributedInfo"]["world_size"] == 2
        assert trace["ddpbench"]["launch_id"] == LAUNCH
        shown, timed = steps_by_arm(trace), timers_by_arm(out, rank)
        assert list(shown) == SHOWN == list(timed)
        for arm in SHOWN:
            assert len(shown[arm]) == len(timed[arm]) == STEPS
            for part in ("step", *PHASES):
                pairs = [(time_of(step, part), timers[part]) for step, timers in zip(shown[arm], timed[arm], strict=True)]
                limit = max(0.05 * statistics.median(timers for _, timers in pairs), 2 * MARKS)
                # Of most steps: in one a rank may lose its core between a clock and a mark. `other` gathers the marks of all
                # phases, slow on a busy host: of the step that was disturbed least. What is in the wrong place differs in each.
                differences = [traced - timers for traced, timers in pairs]
                found = min(map(abs, differences)) if part == "other" else abs(statistics.median(differences))
                assert found <= limit, (rank, arm, part)
        assert "gloo:all_reduce" in {event.get("name") for event in trace["traceEvents"]}, "of the backend's thread"


def test_timed_launches_come_first_and_are_as_they_were(ddpbench):
    path = ddpbench.experiment(EXPERIMENT, "")
    out = ddpbench.folder / "out"
    arguments = (
        "--out",
        out,
        "--profile",
        "kineto",
        "--profile-arms",
        "trainer",
        "--profile-steps",
        "3..4",
        "--profile-ranks",
        "1",
    )
    done = ddpbench.run("run", path, *arguments, "--profile-with", "memory")
    assert done.returncode == 0, done.stderr
    assert {row["launch_id"] for row in rows(out, "runs.csv")} == {f"{CELL}-r0"}
    (row,) = rows(out, "profiles.csv")
    assert (row["rank"], row["arms"], row["first_step"], row["last_step"]) == ("1", "trainer", "3", "4")
    assert files_in(out) == {"rank1.pt.trace.json.gz", "rank1.steps.csv"}
    trace = trace_of(out, 1)
    assert {arm: len(steps) for arm, steps in steps_by_arm(trace).items()} == {"trainer": 2}
    assert any(event["name"] == "[memory]" for event in trace["traceEvents"])
    assert ddpbench.run("verify", out).returncode == 0
    # What is there is not recorded again, and a trace that was altered is found.
    again = ddpbench.run("run", path, *arguments, "--profile-with", "memory", "--resume")
    assert again.returncode == 0 and "profile of" not in again.stderr
    other = ddpbench.run("run", path, *arguments, "--profile-with", "shapes", "--resume")
    assert other.returncode == 0 and "profile of" in other.stderr
    assert not any(event["name"] == "[memory]" for event in trace_of(out, 1)["traceEvents"])
    (out / row["file"]).write_bytes(b"altered")
    assert "profiles/" in ddpbench.run("verify", out).stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--profile", "perf"], "unknown profiler 'perf' (known: kineto, nsys"),
        (["--profile", "nsys"], "nsys is not in $PATH"),
        (["--profile-only"], "--profile-only needs --profile"),
        (["--profile", "kineto", "--profile-steps", "20..10"], "must be FIRST..LAST"),
        (["--profile", "kineto", "--schedule", "1/1/0/2"], "must be WAIT/WARMUP/ACTIVE/REPEAT"),
        (["--profile", "kineto", "--schedule", "1/1/3/2", "--profile-steps", "3..4"], "leave one of them out"),
        (["--profile", "kineto", "--profile-ranks", "2"], "must be a rank, from 0 to 1"),
        (["--profile", "kineto", "--profile-arms", "trainr"], "did you mean 'trainer'?"),
    ],
)
def test_a_wrong_wish_is_told_before_anything_starts(ddpbench, arguments, says):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(EXPERIMENT, ""), "--out", out, *arguments)
    assert done.returncode == 2 and says in done.stderr
    assert not out.exists()


def traced(ddpbench, out: Path) -> dict:
    done = ddpbench.run("trace", out, "--json", DDPBENCH_NSYS=str(nsys_program() or ""))
    assert done.returncode in (0, 1), done.stderr  # 1: a busy host
    return json.loads(done.stdout)


def test_the_command_trace_reads_what_kineto_wrote(ddpbench):
    out = ddpbench.folder / "out"
    arguments = ("--set", "arms=raw,py_raw", "--profile", "kineto", "--profile-only")
    done = ddpbench.run("run", ddpbench.experiment(EXPERIMENT, ""), "--out", out, *arguments)
    assert done.returncode == 0, done.stderr
    found = {arm["arm"]: arm for arm in traced(ddpbench, out)["arms"]}
    assert list(found) == ["raw", "py_raw"]
    stored = rows(out, "trace_parts.csv")
    for name, arm in found.items():
        assert arm["steps"] == 2 * STEPS and len(arm["ranks"]) == 2
        assert {one["name"] for one in arm["collectives"]} == {"gloo:all_reduce"}
        parts = {part["part"]: part["us"] for part in arm["parts"]}
        assert sum(parts.values()) == pytest.approx(arm["step_us"])
        for part, us in (parts | {"step": arm["step_us"]}).items():
            of_ranks = [float(row["us"]) for row in stored if row["arm"] == name and row["part"] == part]
            assert len(of_ranks) == 2 and statistics.mean(of_ranks) == pytest.approx(us, abs=0.01)


def exported(nsys: str, report: Path) -> list[tuple[str, int, int]]:
    """The ranges of NVTX in a report: name, begin and end in nanoseconds, in the order in which they began."""
    export = report.with_suffix(".sqlite")
    subprocess.run([nsys, "export", "--type", "sqlite", "-o", export, report], check=True, capture_output=True)
    with closing(sqlite3.connect(export)) as file:
        return file.execute(
            "SELECT coalesce(text, value), start, end FROM NVTX_EVENTS LEFT JOIN StringIds ON id = textId "
            "WHERE end IS NOT NULL ORDER BY start"
        ).fetchall()


def nodes_in_backward(ranges: list[tuple[str, int, int]]) -> list[list[str]]:
    """Of each backward pass the names of the ranges in it."""
    passes = [(start, end) for name, start, end in ranges if name == "backward"]
    return [[name for name, at, _ in ranges if start < at < end] for start, end in passes]


SCHEDULED = ("raw", "py_raw")


def names_of_spans(spans: int) -> set[str]:
    names = {f"{arm}/rank{rank}.{1 + span}." for arm in SCHEDULED for rank in range(2) for span in range(spans)}
    return {name + kind for name in names for kind in ("pt.trace.json.gz", "steps.csv")}


def check_span(trace: dict, name: str, first: int) -> None:
    """Three steps of the arm, with their own collectives alone."""
    steps = [event for event in annotations(trace) if event["name"].startswith("ProfilerStep#")]
    assert [step["name"] for step in steps] == [f"ProfilerStep#{first + i}" for i in range(3)], name
    assert {event["name"].split(" ", 2)[2] for event in annotations(trace) if event["name"].startswith("block ")} == {
        name.split("/")[0]
    }
    collectives = [event for event in trace["traceEvents"] if event.get("name") == "gloo:all_reduce"]
    begin, end = steps[0]["ts"], steps[-1]["ts"] + steps[-1]["dur"]
    assert collectives and all(begin <= event["ts"] <= end for event in collectives), name


def test_a_schedule_records_the_cycles_of_each_arm_in_traces_of_their_own(ddpbench):
    out = ddpbench.folder / "out"
    path = ddpbench.experiment(EXPERIMENT, "")

    def record(*chosen: str) -> str:
        arguments = ("--out", out, "--set", f"arms={','.join(SCHEDULED)}", "--profile", "kineto", "--profile-only", *chosen)
        done = ddpbench.run("run", path, *arguments)
        assert done.returncode == 0, done.stderr
        problems = ddpbench.run("verify", out).stdout.splitlines()
        assert len(problems) == 1 and "it never ran" in problems[0], "of the timed launch alone"
        return done.stderr

    record("--schedule", "1/1/3/2")
    assert files_in(out) == names_of_spans(2)
    assert {(row["arms"], row["rank"], row["first_step"], row["last_step"]) for row in rows(out, "profiles.csv")} == {
        (arm, rank, *steps) for arm in SCHEDULED for rank in "01" for steps in (("3", "5"), ("8", "10"))
    }
    traces = sorted((out / "profiles" / LAUNCH).rglob("*.json.gz"))
    for file in traces:
        span = int(file.name.split(".")[1])
        check_span(json.loads(gzip.decompress(file.read_bytes())), f"{file.parent.name}/{file.name}", 2 + 5 * (span - 1))

    shown = traced(ddpbench, out)
    assert {arm["arm"]: (arm["steps"], [rank["rank"] for rank in arm["ranks"]]) for arm in shown["arms"]} == {
        arm: (12, ["0", "1"]) for arm in SCHEDULED
    }
    assert [(file["rank"], file["spans"], file["timers"]["steps"]) for file in shown["files"]] == [("0", 4, 12), ("1", 4, 12)]
    assert all(file["timers"]["steps_only_in_trace"] == file["timers"]["steps_only_in_timers"] == 0 for file in shown["files"])
    steps = {(row["arm"], row["rank"]): row["steps"] for row in rows(out, "trace_parts.csv")}
    assert steps == {(arm, rank): "6" for arm in SCHEDULED for rank in "01"}

    before = [file.stat().st_mtime_ns for file in traces]
    assert "profile of" not in record("--resume", "--schedule", "1/1/3/2")
    assert [file.stat().st_mtime_ns for file in traces] == before, "recorded again"
    record("--resume", "--schedule", "2/0/3/1")
    assert files_in(out) == names_of_spans(1)
    record("--resume", "--profile-steps", "3..4")
    assert files_in(out) == {f"rank{rank}.{kind}" for rank in range(2) for kind in ("pt.trace.json.gz", "steps.csv")}


def test_plan_and_submit_carry_the_schedule(ddpbench):
    path = ddpbench.experiment(EXPERIMENT, "")
    chosen = ("--profile", "kineto", "--schedule", "1/1/3/2")
    planned = ddpbench.run("plan", path, *chosen)
    assert planned.returncode == 0, planned.stderr
    assert "--profile-schedule 1/1/3/2" in planned.stdout
    submitted = ddpbench.run("submit", path, "--site", "generic-slurm", "--dry-run", *chosen)
    assert "--profile kineto --schedule 1/1/3/2" in submitted.stdout, submitted.stdout + submitted.stderr


@needs_nsys
def test_nsys_records_each_rank_and_its_trace_is_read(ddpbench):
    nsys = str(nsys_program())
    out = ddpbench.folder / "out"
    path = ddpbench.experiment(EXPERIMENT, "")
    chosen = ("--profile", "nsys", "--profile-only", "--profile-steps", "3..6", "--profile-arms", "raw,py_raw")
    done = ddpbench.run("run", path, "--out", out, *chosen, DDPBENCH_NSYS=nsys)
    assert done.returncode == 0, done.stderr
    assert "nsys-rep" not in done.stderr, "its progress is not shown"
    files = [f"profiles/{UNDER_NSYS}/rank{rank}.nsys-rep" for rank in range(2)]
    assert [row["file"] for row in rows(out, "profiles.csv")] == files
    found = {arm["arm"]: arm for arm in traced(ddpbench, out)["arms"]}
    assert {name: arm["steps"] for name, arm in found.items()} == {"raw": 8, "py_raw": 8}
    assert all({row["what"] for row in arm["timers"]} >= {"step", "backward"} for arm in found.values())
    for file in files:
        nodes = nodes_in_backward(exported(nsys, out / file))
        assert len(nodes) >= 4 * len(found) and all(names == nodes[0] for names in nodes), "of each step, of both languages"
        assert "ConvolutionBackward0" in nodes[0] and "torch::autograd::AccumulateGrad" in nodes[0]


@needs_nsys
def test_a_rank_that_does_not_record_leaves_no_file(ddpbench):
    out = ddpbench.folder / "out"
    chosen = ("--profile", "nsys", "--profile-only", "--profile-ranks", "1", "--profile-arms", "raw")
    done = ddpbench.run("run", ddpbench.experiment(EXPERIMENT, ""), "--out", out, *chosen, DDPBENCH_NSYS=str(nsys_program()))
    assert done.returncode == 0, done.stderr
    assert [file.name for file in (out / "profiles" / UNDER_NSYS).glob("*.nsys-rep")] == ["rank1.nsys-rep"]


@needs_nsys
def test_the_command_that_plan_prints_records_a_trace(ddpbench):
    path = ddpbench.experiment(EXPERIMENT, "")
    planned = ddpbench.run("plan", path, "--profile", "nsys", "--profile-arms", "raw", DDPBENCH_NSYS=str(nsys_program()))
    assert planned.returncode == 0, planned.stderr
    lines = planned.stdout.splitlines()
    command = lines[lines.index(f"  {UNDER_NSYS}") + 1].strip()
    done = ddpbench.paste(command)
    assert done.returncode == 0, done.stderr
    assert len(list((ddpbench.folder / "ddpbench-parts" / UNDER_NSYS).glob("trace.*.nsys-rep"))) == 2


# What a person's own nsys does around a rank: by default, and with a window, at whose end it would end the program.
OWN_WAYS = [[], ["--capture-range=nvtx", "--nvtx-capture=measure@ddpbench"]]


@needs_nsys
@pytest.mark.parametrize("ways", OWN_WAYS)
def test_under_a_persons_own_nsys_nobody_dies_and_the_trace_is_whole(ddpbench, ways):
    nsys = str(nsys_program())
    worker = Path(PROGRAM).parent / "ddpbench-worker"
    wrapped = ddpbench.folder / "worker.sh"
    options = " ".join(["profile", "-t", "nvtx", "-s", "none", "--cpuctxsw=none", *ways])
    wrapped.write_text(
        f"""#!/bin/bash
if [ -z "$RANK" ]; then exec {worker} "$@"; fi
exec {nsys} {options} -o {ddpbench.folder}/own.rank%q{{RANK}} {worker} "$@"
"""
    )
    wrapped.chmod(0o755)
    path = ddpbench.experiment(EXPERIMENT, "")
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", path, "--set", "arms=raw,trainer", "--out", out, DDPBENCH_WORKER=str(wrapped))
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}
    assert {row["profiled"] for row in rows(out, "runs.csv")} == {"nsys"}
    reports = sorted(ddpbench.folder.glob("own.rank*.nsys-rep"))
    shown = ddpbench.run("trace", *reports, "--json", DDPBENCH_NSYS=nsys)
    assert shown.returncode == 0, shown.stderr
    timed = sum(1 for row in steps_of(out) if row["rank"] == "0" and row["arm"] == "raw" and int(row["step"]) > 0)
    assert {arm["arm"]: arm["steps"] for arm in json.loads(shown.stdout)["arms"]} == {"raw": 2 * timed, "trainer": 2 * timed}

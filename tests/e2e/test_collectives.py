"""The collectives by themselves, over real ranks of gloo and, where it is there, of MPI."""

import json
import os
import re
import signal

import pytest
from conftest import LONG_ENOUGH, ranks_of, rows, wait_until

LONG = ["--backends", "gloo", "--collectives", "all_reduce,broadcast", "--seconds", "600", "--max-bytes", "64"]
NAMES = ["all_reduce", "broadcast", "all_gather", "reduce_scatter", "all_to_all", "barrier"]


@pytest.fixture
def backends(ddpbench):
    offered = json.loads(ddpbench.run("doctor", "--json").stdout)["worker"]["backends"]
    return ["gloo", "mpi"] if offered["mpi"] == "available" else ["gloo"]


def test_every_collective_of_every_backend_has_right_results(ddpbench, backends):
    out = ddpbench.folder / "out"
    words = ["--check", "--backends", ",".join(backends), "--ranks-per-node", "1,3", "--max-bytes", "64K", "--factor", "64"]
    done = ddpbench.run("collectives", *words, "--out", out)
    assert done.returncode == 0, done.stderr
    found = rows(out, "collectives.csv")
    of_three = [row for row in found if row["world_size"] == "3"]
    assert {row["collective"] for row in of_three} == set(NAMES)
    for backend in backends:
        checked = [row for row in of_three if row["arm"] == backend and row["collective"] != "barrier"]
        assert {row["wrong"] for row in checked} == {"0"}
    # With 3 ranks 4 bytes are too few to be shared out, and a size is what can be.
    shared = {int(row["bytes"]) for row in of_three if row["collective"] == "all_gather"}
    assert shared == {252, 16380, 65532}
    assert {int(row["bytes"]) for row in of_three if row["collective"] == "all_reduce"} == {4, 256, 16384, 65536}
    assert ddpbench.run("verify", out).returncode == 0
    launches = json.loads((out / "environment.json").read_text(encoding="utf-8"))["launches"]
    assert {facts["status"] for facts in launches.values()} == {"ok"} and len(launches) == 2
    assert f"to draw the report: ddpbench report {out}" in done.stdout and not (out / "report.html").exists()
    again = ddpbench.run("report", out)
    assert again.returncode == 0, again.stderr
    assert rows(out, "collectives.csv") == found


def test_a_models_gradients_are_measured_bucket_by_bucket(ddpbench):
    out = ddpbench.folder / "out"
    words = ["--check", "--backends", "gloo", "--collectives", "none", "--workload", "resnet18_cifar10"]
    done = ddpbench.run("collectives", *words, "--bucket-cap-mb", "1,25,default", "--out", out)
    assert done.returncode == 0, done.stderr
    sequences = {row["bucket_cap"]: row for row in rows(out, "collectives.csv") if row["arm"] == "gloo"}
    assert {int(row["bytes"]) for row in sequences.values()} == {11_173_962 * 4}, "every parameter of ResNet-18 once"
    assert int(sequences["1"]["messages"]) > int(sequences["default"]["messages"]) >= int(sequences["25"]["messages"]) == 2
    assert "bucket_cap_mb" in done.stdout


def test_its_buckets_are_measured_within_a_step_beside_computing_alone(ddpbench, backends):
    out = ddpbench.folder / "out"
    words = ["--check", "--backends", ",".join(backends), "--collectives", "none", "--workload", "convnet_cifar10"]
    done = ddpbench.run("collectives", *words, "--batch-size", "1", "--bucket-cap-mb", "0.05,default", "--out", out)
    assert done.returncode == 0, done.stderr
    steps = [row for row in rows(out, "collectives.csv") if row["collective"] == "step"]
    trained = {"gloo", *(["mpi", "mpi_poll"] if "mpi" in backends else [])}
    assert {row["arm"] for row in steps} == trained | {"compute", "compute_again", "ideal"}
    assert {row["reference"] for row in steps} == {"compute"}
    # All ranks have one batch: the mean of their gradients is what a rank gets alone.
    assert {row["wrong"] for row in steps} == {"0"}
    assert len({row["messages"] for row in steps}) == 2, "two layouts"
    shares = {(row["bucket_cap"], row["backend"]): row for row in rows(out, "tables/backend_shares.csv")}
    assert {backend for _, backend in shares} == trained and {cap for cap, _ in shares} == {"0.05", "default"}
    rounds = {row["rounds"] for row in rows(out, "collectives.csv")}
    assert len(rounds) == 1 and {row["rounds"] for row in shares.values()} == rounds, "steps and buckets in the same rounds"
    assert all(float(row["skew_us"]) >= 0 and float(row["floor_us"]) > 0 for row in shares.values())
    assert "a step over gloo takes" in done.stdout and " beyond computing: " in done.stdout
    # Reducer's own buckets, as it hands them over, are those that are measured alone.
    samples = rows(out, "collectives_samples.csv")
    for filled in (row for row in samples if row["filled"]):
        buckets = [word.split(":") for word in filled["filled"].split(" ")]
        assert len(buckets) - 1 == int(filled["messages"]) and sum(int(size) for _, size in buckets) == int(filled["bytes"])
        times = [float(seconds) for seconds, _ in buckets]
        assert times == sorted(times), "the last one is the step's end"


def test_a_rank_that_dies_is_named_and_what_was_measured_stays(ddpbench):
    out = ddpbench.folder / "out"
    process = ddpbench.start("collectives", *LONG, "--out", out)
    wait_until(lambda: len(ranks_of(process.pid)) == 2 and part_bytes(out) > 0, "a case that is through")
    os.kill(ranks_of(process.pid)[1], signal.SIGKILL)
    said, told = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 1
    assert "failed: rank 1 was killed by signal 9" in told
    assert rows(out, "collectives_samples.csv") and "all_reduce" in said
    assert ddpbench.run("verify", out).returncode == 0


def part_bytes(out):
    return sum(path.stat().st_size for path in out.glob("parts/*/collectives.0.csv"))


def test_it_stops_when_it_is_asked_to(ddpbench):
    out = ddpbench.folder / "out"
    process = ddpbench.start("collectives", *LONG, "--out", out)
    wait_until(lambda: part_bytes(out) > 0, "a case that is through")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 75
    assert rows(out, "collectives.csv")
    assert re.search(r"to continue: .* --resume", said)


def test_it_goes_on_where_it_was_with_more_launches_and_never_mixes_attempts(ddpbench):
    out = ddpbench.folder / "out"
    words = ["collectives", *LONG[:4], "--max-bytes", "64", "--seconds", "1", "--out", out]
    done = ddpbench.run(*words)
    assert done.returncode == 0, done.stderr
    first = rows(out, "collectives_samples.csv")
    environment = out / "environment.json"
    facts = json.loads(environment.read_text(encoding="utf-8"))["launches"]
    assert [launch["status"] for launch in facts.values()] == ["ok"]
    again = ddpbench.run(*words, "--resume", "--launches", "2")
    assert again.returncode == 0, again.stderr
    both = rows(out, "collectives_samples.csv")
    assert both[: len(first)] == first and len({row["launch_id"] for row in both}) == 2, "the finished one is left alone"
    assert {row["launches"] for row in rows(out, "collectives.csv")} == {"2"}
    other = ddpbench.run("collectives", *LONG[:4], "--max-bytes", "4096", "--out", out, "--resume", "--seconds", "1")
    assert other.returncode == 2 and "experiment" in other.stderr, "other sizes are another measurement"
    assert ddpbench.run("verify", out).returncode == 0


def test_an_attempt_takes_the_place_of_one_that_failed(ddpbench):
    out = ddpbench.folder / "out"
    words = ["collectives", *LONG[:4], "--max-bytes", "64", "--out", out]
    process = ddpbench.start(*words, "--seconds", "8")
    wait_until(lambda: len(ranks_of(process.pid)) == 2 and part_bytes(out) > 0, "a case that is through")
    os.kill(ranks_of(process.pid)[1], signal.SIGKILL)
    process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 1 and rows(out, "collectives_samples.csv")
    done = ddpbench.run(*words, "--seconds", "8", "--resume")
    assert done.returncode == 0, done.stderr
    keys = ("launch_id", "collective", "bytes", "arm", "round")
    measured = [tuple(row[key] for key in keys) for row in rows(out, "collectives_samples.csv")]
    assert len(set(measured)) == len(measured)
    assert {row["collective"] for row in rows(out, "collectives.csv")} == {"all_reduce", "broadcast"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--collectives", "allreduce"], "unknown collective 'allreduce' (known: all_reduce, broadcast"),
        (["--backends", "ucc"], "unknown backend 'ucc'"),
        (["--min-bytes", "6"], "must be multiples of 4"),
        (["--min-bytes", "1M", "--max-bytes", "4K"], "--min-bytes must not be more than --max-bytes"),
        (["--ranks-per-node", "0"], "--ranks-per-node '0': must be whole numbers above 0"),
        (["--max-bytes", "16G"], "--max-bytes must be at most 8589934592 (8G)"),
        (["--collectives", "none"], "needs --workload"),
        (["--workload", "resnet19"], "unknown workload 'resnet19'"),
        (["--workload", "null", "--bucket-cap-mb", "-1"], "bucket_cap_mb"),
    ],
)
def test_a_mistake_is_told_with_what_is_legal(ddpbench, words, told):
    done = ddpbench.run("collectives", *words, "--out", ddpbench.folder / "out")
    assert done.returncode == 2
    assert told in done.stderr
    assert not (ddpbench.folder / "out").exists()

"""ddpbench-micro: Google Benchmark's own options, and rows like those of metrics.csv."""

import csv
import json
import os
import subprocess
from pathlib import Path

from conftest import LONG_ENOUGH

PROGRAM = Path(os.environ["DDPBENCH_PROGRAM"]).with_name("ddpbench-micro")
SHORT = ["--benchmark_min_time=0.001"]


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=LONG_ENOUGH, check=False)


def test_rows_hold_every_figure_that_json_has(tmp_path: Path) -> None:
    rows_file = tmp_path / "rows.csv"
    done = run(*SHORT, "--benchmark_filter=^(phase_scope|reducer|step/null)", "--benchmark_format=json", f"--rows={rows_file}")
    assert done.returncode == 0, done.stderr
    measured = [entry["name"] for entry in json.loads(done.stdout)["benchmarks"]]
    assert {"reducer/without", "reducer/ideal_network", "step/null"} <= set(measured)
    with open(rows_file, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["launch_id", "arm", "rank", "metric", "value", "unit"]
    values = {row["metric"]: (float(row["value"]), row["unit"]) for row in rows}
    for name in measured:
        assert values[f"{name}.real_time"][0] > 0
        assert values[f"{name}.real_time"][1] == "s"
    assert values["step/null.backward_us"][1] == "us"


# Many times, as what breaks here breaks at the beginning of a group: both threads note theirs in one table of LibTorch's.
def test_collectives_run_between_two_ranks() -> None:
    done = run(*SHORT, "--benchmark_filter=gloo/bytes:1024/", "--benchmark_repetitions=30", "--benchmark_format=json")
    assert done.returncode == 0, done.stderr
    entries = [entry for entry in json.loads(done.stdout)["benchmarks"] if entry["run_type"] == "iteration"]
    assert [entry["name"].split("/")[0] for entry in entries] == ["all_reduce"] * 30 + ["broadcast"] * 30
    assert all(entry["bytes_per_second"] > 0 for entry in entries)


def test_an_unknown_option_is_named() -> None:
    done = run("--row=x")
    assert done.returncode == 2
    assert "--row=x" in done.stderr
    assert "--rows=FILE" in done.stderr

"""`cmake --install`: the tree that it leaves is moved, its build is hidden, and it still runs, reports and draws."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import LONG_ENOUGH, NULL_EXPERIMENT, rows

BUILD = Path(os.environ["DDPBENCH_PROGRAM"]).parents[1]
FEW = "max_super_blocks = 8\nmin_super_blocks = 8\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed tree, somewhere else than where it was installed."""
    folder = tmp_path_factory.mktemp("installed")
    cmake = [os.environ["DDPBENCH_CMAKE"], "--install", BUILD, "--prefix", folder / "first"]
    subprocess.run(cmake, check=True, capture_output=True, timeout=LONG_ENOUGH)
    return (folder / "first").rename(folder / "moved")


def hidden(folder: Path) -> list[str]:
    """What a command begins with to run where `folder` is empty; nothing where mount namespaces are not allowed."""
    if subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode != 0:
        return []
    return ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none "{folder}" && exec "$@"', "sh"]


def run(program: Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess:
    command = [*hidden(BUILD), "env", "-i", program, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=LONG_ENOUGH)


def run_path(binary: Path) -> list[str]:
    told = subprocess.run(["readelf", "--dynamic", "--wide", binary], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", told)
    return found[1].split(":") if found else []


def test_every_part_is_there(installed):
    names = ["bin/ddpbench", "bin/ddpbench-worker", "share/ddpbench/vocabulary.json", "share/ddpbench/layout.json"]
    for name in [*names, "share/ddpbench/experiments/demo.toml", "share/ddpbench/reports/html/__main__.py"]:
        assert (installed / name).is_file(), name


def test_nothing_points_into_the_build_folder(installed):
    binaries = [path for folder in ("bin", "lib") for path in (installed / folder).glob("*")]
    assert len(binaries) >= 2
    for binary in binaries:
        folders = run_path(binary)
        assert folders[0] == "$ORIGIN/../lib", binary
        assert not [folder for folder in folders if Path(folder).is_relative_to(BUILD)], binary
    for text in (installed / "share").rglob("*.json"):
        assert str(BUILD) not in text.read_text(encoding="utf-8"), text


def test_it_runs_and_draws_from_elsewhere_without_its_build_and_without_an_environment(installed, tmp_path):
    experiment = tmp_path / "tiny.toml"
    experiment.write_text(NULL_EXPERIMENT + FEW, encoding="utf-8")
    program = installed / "bin" / "ddpbench"
    done = run(program, "run", experiment, "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(tmp_path / "out", "runs.csv")} == {"ok"}
    done = run(program, "report", "out", "--out", "again", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again" / "report.html").stat().st_size > 0
    assert list((tmp_path / "again" / "plots").glob("*.png"))


def test_shipped_experiments_and_what_the_worker_offers_are_found(installed, tmp_path):
    program = installed / "bin" / "ddpbench"
    assert run(program, "plan", "demo", cwd=tmp_path).returncode == 0
    done = run(program, "doctor", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["worker"]["backends"]["gloo"] == "available"


def test_arms_in_python_run_from_there_too(installed, tmp_path):
    experiment = tmp_path / "python.toml"
    text = NULL_EXPERIMENT.replace('"trainer", "injected"', '"py_raw", "py_lightning"')
    experiment.write_text(text + FEW, encoding="utf-8")
    done = run(installed / "bin" / "ddpbench", "run", experiment, "--out", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {run["arm"]: run["status"] for run in rows(tmp_path / "out", "runs.csv")}["py_lightning"] == "ok"
    (module,) = (installed / "share" / "ddpbench" / "python").glob("ddpbench_harness*")
    assert not [folder for folder in run_path(module) if Path(folder).is_relative_to(BUILD)]

"""A small experiment from its file to the report."""

import json
import os
import shutil
import tarfile
import tomllib
from pathlib import Path

import pytest
from conftest import NULL_EXPERIMENT, Ddpbench, rows, timed_steps

ARMS = ["raw", "raw_again", "trainer", "injected"]
PHASES = ["data_s", "h2d_s", "forward_s", "backward_s", "optimizer_s", "wrapper_s", "other_s"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory):
    """One run of the null workload on two ranks over gloo, for the tests that look at what it left."""
    ddpbench = Ddpbench(tmp_path_factory.mktemp("finished"))
    done = ddpbench.run("run", ddpbench.experiment(), "--out", ddpbench.folder / "out", page=True)
    assert done.returncode == 0, done.stderr
    return ddpbench, done, ddpbench.folder / "out"


def test_every_file_of_the_contract_is_there(finished):
    _, _, out = finished
    names = ["experiment.toml", "environment.json", "plan.csv", "runs.csv", "steps.csv.gz", "blocks.csv.gz", "metrics.csv"]
    for name in [*names, "overhead.csv", "report.html", "summary.md"]:
        assert (out / name).stat().st_size > 0, name
    assert list((out / "plots").glob("*.png")) and list((out / "plots").glob("*.svg"))
    assert not [path for path in out.rglob("*part*") if path.stem not in ("step_parts", "traced_parts")], "private files stayed"


def test_the_contract_names_every_file_and_every_key_of_the_protocol(finished):
    """docs/contract.md, by hand, against what a run leaves."""
    _, _, out = finished
    contract = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
    names = {path.name if path.is_file() else f"{path.name}/" for path in out.iterdir() if not path.name.startswith(".")}
    protocol = tomllib.loads((out / "experiment.toml").read_text(encoding="utf-8"))["protocol"]
    missing = [name for name in sorted(names | set(protocol)) if f"`{name}" not in contract]
    assert missing == []


def test_every_arm_ran_and_every_step_is_kept(finished):
    _, _, out = finished
    runs = rows(out, "runs.csv")
    assert [(run["arm"], run["status"], run["super_blocks"]) for run in runs] == [(arm, "ok", "8") for arm in ARMS]
    timed = timed_steps(out)
    assert len(timed) == 8 * len(ARMS) * 4 * 2
    for step in timed:
        assert abs(sum(float(step[phase]) for phase in PHASES) - float(step["step_s"])) < 1e-9
        assert step["loss"] == ""


def test_arms_saw_equal_losses_in_the_check(finished):
    _, _, out = finished
    losses: dict[str, list[str]] = {}
    for step in rows(out, "steps.csv.gz"):
        if step["super_block"] == "0" and step["rank"] == "0":
            losses.setdefault(step["arm"], []).append(step["loss"])
    assert set(losses) == set(ARMS)
    assert all(found == losses["raw"] and len(found) == 5 for found in losses.values())


def test_the_output_ends_with_the_answer_and_names_the_report(finished):
    _, done, out = finished
    assert "FOM " in done.stdout
    sentences = json.loads((out / "tables" / "summary.json").read_text())["sentences"]
    assert "".join(f"{sentence}\n" for sentence in sentences) in done.stdout
    assert "report.html" in done.stdout


def test_a_steps_parts_add_up_to_what_was_timed_and_are_told(finished):
    _, done, out = finished
    parts = rows(out, "tables/step_parts.csv")
    for arm in ARMS:
        timed = [step for step in timed_steps(out) if step["arm"] == arm]
        ms = {row["part"]: float(row["ms"]) for row in parts if row["arm"] == arm}
        assert len(ms) == 5
        mean_ms = 1e3 * sum(float(step["step_s"]) for step in timed) / len(timed)
        waited_ms = 1e3 * sum(float(step["comm_wait_s"]) for step in timed) / len(timed)
        assert sum(ms.values()) == pytest.approx(mean_ms, rel=1e-6)
        assert ms["exposed communication"] + ms["waiting for a slower rank"] == pytest.approx(waited_ms, rel=1e-6)
    (sentence, *_) = json.loads((out / "tables" / "summary.json").read_text())["where"]
    assert sentence.startswith("null on 2 ranks: a step takes ") and f"{sentence}\n" in done.stdout
    assert "Where the step goes:" in (out / "report.html").read_text(encoding="utf-8")


def test_verify_finds_the_folder_whole_and_a_torn_one_not(finished, tmp_path):
    ddpbench, _, out = finished
    assert ddpbench.run("verify", out).returncode == 0
    torn = tmp_path / "torn"
    os.system(f"cp -r {out} {torn}")
    data = (torn / "steps.csv.gz").read_bytes()
    (torn / "steps.csv.gz").write_bytes(data[: len(data) // 2])
    done = ddpbench.run("verify", torn)
    assert done.returncode == 1
    assert "steps.csv.gz" in done.stdout + done.stderr


def test_report_can_be_rebuilt_from_the_folder_alone(finished, tmp_path):
    ddpbench, _, out = finished
    done = ddpbench.run("report", out, "--out", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again" / "report.html").stat().st_size > 0
    assert (tmp_path / "again" / "overhead.csv").read_bytes() == (out / "overhead.csv").read_bytes()


def test_an_archive_gives_the_same_tables_elsewhere(finished, tmp_path):
    ddpbench, _, out = finished
    archive = tmp_path / "first.tar.gz"
    done = ddpbench.run("pack", out, "--out", archive)
    assert done.returncode == 0, done.stderr
    with tarfile.open(archive) as unpacked:
        unpacked.extractall(tmp_path, filter="data")
    elsewhere = tmp_path / out.name
    tables = sorted(path.relative_to(out) for path in [out / "overhead.csv", *(out / "tables").glob("*.csv")])
    for table in tables:
        (elsewhere / table).unlink()
    assert ddpbench.run("report", elsewhere).returncode == 0
    for table in tables:
        assert (elsewhere / table).read_bytes() == (out / table).read_bytes(), table
    assert ddpbench.run("verify", elsewhere).returncode == 0
    assert ddpbench.run("pack", out, "--out", archive).returncode == 2, "the archive is there already"


def test_what_was_never_committed_is_not_packed(finished, tmp_path):
    """A sparse terabyte behind the samples costs nothing to look at, and must not be read."""
    ddpbench, _, out = finished
    longer = tmp_path / "longer"
    shutil.copytree(out, longer)
    size = (out / "steps.csv.gz").stat().st_size
    os.truncate(longer / "steps.csv.gz", 2**40)
    verified = ddpbench.run("verify", longer)
    assert verified.returncode == 0 and f"holds {2**40 - size} unused bytes" in verified.stdout
    assert ddpbench.run("pack", longer).returncode == 0
    with tarfile.open(tmp_path / "longer.tar.gz") as packed:
        assert packed.getmember("longer/steps.csv.gz").size == size
    (longer / "steps.csv.gz").rename(tmp_path / "elsewhere.gz")
    (longer / "steps.csv.gz").symlink_to(tmp_path / "elsewhere.gz")
    assert ddpbench.run("pack", longer, "--out", tmp_path / "link.tar.gz").returncode == 0
    with tarfile.open(tmp_path / "link.tar.gz") as packed:
        assert {member.name for member in packed if member.issym()} == {"longer/steps.csv.gz"}
        assert "longer/runs.csv" in packed.getnames(), "all that stands behind it can be read"


def test_resume_of_a_finished_run_runs_nothing(finished):
    ddpbench, _, out = finished
    before = (out / "steps.csv.gz").read_bytes()
    done = ddpbench.run("run", ddpbench.experiment(), "--out", out, "--resume")
    assert done.returncode == 0, done.stderr
    assert (out / "steps.csv.gz").read_bytes() == before


def test_what_cannot_run_here_is_a_skip_with_its_reason(ddpbench):
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", ddpbench.experiment(), "--set", "backend=gloo,nccl,mpi", "--launcher", "local", "--out", out)
    assert done.returncode == 0, done.stderr
    skips = {row["backend"]: row["skip_reason"] for row in rows(out, "plan.csv") if row["status_planned"] == "skipped"}
    assert set(skips) == {"nccl", "mpi"}
    assert all(skips.values())


def test_only_skips_is_77(ddpbench):
    words = ("--set", "backend=mpi", "--launcher", "local")
    done = ddpbench.run("run", ddpbench.experiment(), *words, "--out", ddpbench.folder / "out")
    assert done.returncode == 77, done.stderr
    assert "mpi" in done.stdout + done.stderr


def test_cifar_files_are_generated_and_named(ddpbench):
    experiment = ddpbench.experiment(NULL_EXPERIMENT.replace('"null"', '"convnet_cifar10"'))
    out = ddpbench.folder / "out"
    done = ddpbench.run("run", experiment, "--out", out, page=True)
    assert done.returncode == 0, done.stderr
    assert "generated" in json.loads((out / "environment.json").read_text())["data_origin"]
    assert "generated" in (out / "report.html").read_text(encoding="utf-8")


def test_torchvision_reads_generated_mnist(ddpbench):
    torchvision = pytest.importorskip("torchvision")
    made = ddpbench.run("data", "make", ddpbench.folder, "--dataset", "mnist")
    assert made.returncode == 0, made.stderr
    images = torchvision.datasets.MNIST(ddpbench.folder, train=False)
    assert images.data.shape == (10_000, 28, 28)
    assert images.targets.bincount().tolist() == [1000] * 10


def test_commands_need_no_torch():
    program = Path(os.environ["DDPBENCH_PROGRAM"])
    linked = os.popen(f"ldd {program}").read()
    assert "torch" not in linked and "libc.so" in linked


def test_other_commands_answer(ddpbench):
    for arguments in (["--help"], ["list"], ["list", "arms", "--json"], ["plan", "demo"], ["doctor"], ["doctor", "--json"]):
        done = ddpbench.run(*arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        assert done.stdout
    assert {arm["name"] for arm in json.loads(ddpbench.run("list", "arms", "--json").stdout)["arms"]} >= set(ARMS)

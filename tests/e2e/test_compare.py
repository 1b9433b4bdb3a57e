"""Two builds in turn, two folders, an extension: the gate as CI calls it."""

import json
import os
import re
import stat
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import LONG_ENOUGH, PROGRAM, Ddpbench, rows

BUILD = Path(PROGRAM).parent.parent
SHORT = "min_super_blocks = 6\nmax_super_blocks = 6"
# A step with so many matrix products takes ten times as long, whatever else the host does.
SLOW = "matmuls=60"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory):
    """A build against itself with a slower step: three launches of each, in turn."""
    ddpbench = Ddpbench(tmp_path_factory.mktemp("compare"))
    experiment = ddpbench.experiment(protocol=SHORT)
    done = ddpbench.run(
        "compare", "--base", BUILD, "--new", SLOW, experiment, "--out", "out", "--once", "--launches", "3",
        "--junit", "junit.xml", "--json", "bench.json", "--markdown", "comment.md",
    )  # fmt: skip
    return ddpbench, done, ddpbench.folder / "out"


def test_a_slower_step_is_a_regression(measured):
    _, done, out = measured
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Regression: raw's step takes longer in the new build" in done.stdout
    step = [row for row in rows(out, "comparison.csv") if row["what"] == "step" and row["counts"] == "1"]
    assert [row["gate"] for row in step] == ["REGRESSION"]
    assert float(step[0]["change_us_lo"]) > 0


def test_each_side_is_a_results_folder_of_its_own(measured):
    ddpbench, _, out = measured
    for side in ("base", "new"):
        runs = rows(out / side, "runs.csv")
        assert {run["status"] for run in runs} == {"ok"} and len(runs) == 3 * 4
        assert ddpbench.run("verify", out / side).returncode == 0
    assert {run["options"] for run in rows(out / "new", "runs.csv")} != {run["options"] for run in rows(out / "base", "runs.csv")}


def test_launches_of_both_took_turns(measured):
    _, done, _ = measured
    order = re.findall(r"^launch \d of 3: (base|new): ", done.stderr, re.MULTILINE)
    assert len(order) == 6
    assert all(sorted(order[turn : turn + 2]) == ["base", "new"] for turn in range(0, 6, 2)), order


def test_other_tools_read_the_formats(measured):
    ddpbench, _, _ = measured
    suites = ElementTree.parse(ddpbench.folder / "junit.xml").getroot()
    cases = suites.findall("testsuite/testcase")
    assert int(suites.get("tests")) == len(cases) == 2
    assert int(suites.get("failures")) == len(suites.findall("testsuite/testcase/failure")) >= 1
    entries = json.loads((ddpbench.folder / "bench.json").read_text(encoding="utf-8"))
    assert all({"name", "unit", "value"} <= set(entry) for entry in entries) and len(entries) == 2
    comment = (ddpbench.folder / "comment.md").read_text(encoding="utf-8")
    assert "| raw's step |" in comment and "REGRESSION" in comment


def test_a_measured_comparison_is_judged_again_with_another_rule(measured):
    ddpbench, _, measured_folder = measured
    out = ddpbench.folder / "judged_again"
    subprocess.run(["cp", "-r", measured_folder, out], check=True)
    again = ddpbench.run("compare", out, "--costs-only")
    assert "Regression: raw" not in again.stdout
    lenient = ddpbench.run("compare", out, "--threshold", "10000")
    assert lenient.returncode == 0, lenient.stdout


def test_a_comparison_has_a_page_of_its_own(measured):
    ddpbench, _, measured_folder = measured
    out = ddpbench.folder / "with_page"
    subprocess.run(["cp", "-r", measured_folder, out], check=True)
    drawn = ddpbench.run("compare", out, page=True)
    assert drawn.returncode == 1 and f"page: {out}/comparison.html" in drawn.stdout, drawn.stdout + drawn.stderr
    page = (out / "comparison.html").read_text(encoding="utf-8")
    assert "Regression: raw&#39;s step takes longer in the new build" in page and "data:image/png;base64," in page
    (out / "comparison.html").unlink()
    undrawn = ddpbench.run("compare", out, page=True, DDPBENCH_PYTHON="/bin/false")
    assert undrawn.returncode == 1, "a page that cannot be drawn changes no verdict"
    assert "no page was drawn: /bin/false" in undrawn.stderr and not (out / "comparison.html").exists()


def test_of_two_folders_costs_alone_are_judged(measured):
    ddpbench, _, out = measured
    packed = ddpbench.run("pack", out / "base", "--out", "baseline.tar.gz")
    assert packed.returncode == 0, packed.stderr
    temporary = ddpbench.folder / "temporary"
    temporary.mkdir()
    done = ddpbench.run("compare", "baseline.tar.gz", out / "new", "--out", "apart", TMPDIR=str(temporary))
    assert "not judged" in done.stdout and "Regression: raw" not in done.stdout
    assert "costs are judged" in done.stdout
    assert all(row["counts"] == "0" for row in rows(ddpbench.folder / "apart", "comparison.csv") if row["what"] == "step")
    assert list(temporary.iterdir()) == [], "what was unpacked is removed"


def test_a_folder_is_not_compared_with_itself(measured):
    ddpbench, _, out = measured
    (ddpbench.folder / "link").symlink_to(out / "base")
    for other in (out / "base", ddpbench.folder / "link"):
        done = ddpbench.run("compare", out / "base", other)
        assert done.returncode == 2 and "are the same: give two results folders" in done.stderr, done.stderr


def test_an_archive_that_is_none_is_neither_waited_for_nor_fills_the_disk(measured):
    ddpbench, _, out = measured
    pipe, bomb, temporary = ddpbench.folder / "pipe.tgz", ddpbench.folder / "bomb.tgz", ddpbench.folder / "bombed"
    os.mkfifo(pipe)
    temporary.mkdir()
    with (ddpbench.folder / "zeros").open("wb") as zeros:
        zeros.truncate(400 << 20)
    subprocess.run(["tar", "-czf", bomb, "-C", ddpbench.folder, "zeros"], check=True)
    for archive, words in ((pipe, "is no regular file"), (bomb, "at most 256 MiB are taken")):
        done = ddpbench.run("compare", archive, out / "new", TMPDIR=str(temporary))
        assert done.returncode == 2 and words in done.stderr, done.stderr
        assert list(temporary.iterdir()) == []


def test_pack_makes_no_folder(measured):
    ddpbench, _, out = measured
    done = ddpbench.run("pack", out / "base", "--out", "nowhere/x.tgz")
    assert done.returncode == 2 and "there is no folder" in done.stderr, done.stderr
    assert not (ddpbench.folder / "nowhere").exists()


def test_a_damaged_side_is_no_pass(measured):
    ddpbench, _, out = measured
    subprocess.run(["cp", "-r", out / "base", ddpbench.folder / "damaged"], check=True)
    with (ddpbench.folder / "damaged" / "runs.csv").open("a") as runs:
        runs.write("x\n")
    done = ddpbench.run("compare", "damaged", out / "new")
    assert done.returncode in (1, 2) and "damaged" in done.stdout + done.stderr  # 2: so damaged that it cannot be read


def test_a_history_has_a_row_for_each_folder(measured):
    ddpbench, _, out = measured
    done = ddpbench.run("history", out / "base", out / "new", "--out", "history.csv", "--otava", "otava.yaml")
    assert done.returncode == 0, done.stderr
    history = rows(ddpbench.folder, "history.csv")
    assert [row["results"] for row in history] == ["base", "new"]
    cell = rows(out / "base", "runs.csv")[0]["cell_id"]
    assert all(float(row[f"step_us.{cell}.raw.awaited"]) > 0 for row in history)
    assert f"column: cost_us.{cell}.trainer.thread_cpu" in (ddpbench.folder / "otava.yaml").read_text(encoding="utf-8")


def test_a_file_that_is_a_device_is_written_into_and_stays(measured, tmp_path):
    """As a job of CI has it, often as root: /dev/stdout for the comment of a pull request."""
    ddpbench, _, out = measured
    unjudged = ["--threshold", "10000"]  # what launches of six pairs find by chance is nothing to this test
    told = ddpbench.run("compare", out / "base", out / "new", *unjudged, "--markdown", "/dev/stdout", "--json", "/dev/null")
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.index("How sure: ") < told.stdout.index("### ddpbench: "), "what was told before stands before"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert ddpbench.run("history", out / "base", "--out", "/dev/stdout").stdout.startswith("time,results")
    log = tmp_path / "log"
    ddpbench.paste(f"{{ echo before; {PROGRAM} history {out / 'base'} --out /dev/stdout; echo behind; }} > {log}")
    assert log.read_text(encoding="utf-8").splitlines()[0::3] == ["before", "behind"]
    full = tmp_path / "full"
    if os.geteuid() != 0:
        pytest.skip("makes a device node: only root can")
    os.mknod(full, stat.S_IFCHR | 0o600, os.makedev(1, 7))
    for command in (["history", out / "base", "--out"], ["compare", out / "base", out / "new", "--junit"]):
        refused = ddpbench.run(*command, full)
        assert refused.returncode == 3 and f"cannot write {full}" in refused.stderr, refused.stderr
        assert stat.S_ISCHR(full.stat().st_mode)


def test_it_is_stopped_and_continued(ddpbench: Ddpbench):
    experiment = ddpbench.experiment(protocol=SHORT)
    command = ["compare", "--base", BUILD, "--new", BUILD, experiment, "--out", "out", "--launches", "2"]
    process = ddpbench.start(*command)
    for line in process.stderr:
        if "launch 2 of 2" in line:
            process.terminate()
            break
    out, _ = process.communicate(timeout=LONG_ENOUGH)
    assert process.returncode == 75, out
    assert "to continue: " in out and "--resume" in out
    done = ddpbench.run(*command, "--resume")
    assert done.returncode in (0, 1), done.stderr  # a chance finding of equal builds is no fault of resuming
    for side in ("base", "new", "base_again"):
        assert len({run["launch_id"] for run in rows(ddpbench.folder / "out" / side, "runs.csv")}) == 2
    other = ddpbench.run(*command[:4], SLOW, *command[5:], "--resume")
    assert other.returncode == 2 and "was begun with --base" in other.stderr


def test_until_settled_looks_and_adds_launches(ddpbench: Ddpbench):
    """Nothing can be settled in launches of six pairs: the looks are taken, recorded and told, and the time is kept."""
    experiment = ddpbench.experiment(protocol=SHORT)
    done = ddpbench.run("run", experiment, "--out", "out", "--launches", "2", "--until", "settled", "--minutes", "0.3")
    assert done.returncode == 0, done.stderr
    looks = json.loads((ddpbench.folder / "out" / "environment.json").read_text(encoding="utf-8"))["looks"]
    assert 1 <= len(looks) <= 5 and looks[0]["launches"] == 2
    launches = len({run["launch_id"] for run in rows(ddpbench.folder / "out", "runs.csv")})
    assert launches >= looks[-1]["launches"] >= 2
    assert "so that every interval is of 99 %" in done.stdout
    again = ddpbench.run("run", experiment, "--out", "out", "--resume")
    assert again.returncode == 0, again.stderr
    assert json.loads((ddpbench.folder / "out" / "environment.json").read_text(encoding="utf-8"))["looks"] == looks, "no new data"
    assert ddpbench.run("verify", "out").returncode == 0


def test_a_folder_is_extended(ddpbench: Ddpbench):
    experiment = ddpbench.experiment(protocol=SHORT)
    assert ddpbench.run("run", experiment, "--out", "out").returncode == 0
    more = ddpbench.run("run", experiment, "--out", "out", "--resume", "--launches", "+2")
    assert more.returncode == 0, more.stderr
    assert "Look 1 of at most 5 looks" in more.stdout
    assert {run["launch_id"][-2:] for run in rows(ddpbench.folder / "out", "runs.csv")} == {"r0", "r1", "r2"}
    assert ddpbench.run("verify", "out").returncode == 0
    less = ddpbench.run("run", experiment, "--out", "out", "--resume", "--launches", "2")
    assert less.returncode == 2 and "has 3 of each cell already" in less.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--base", "nowhere", "--new", BUILD, "demo"], "--base 'nowhere' is no build: there is no"),
        (["--base", BUILD, "demo"], "--new is missing"),
        (["demo"], "is no folder of `compare"),
        (["--base", BUILD, "--new", BUILD, "a", "b"], "give one EXPERIMENT"),
        (["--base", BUILD, "--new", BUILD, "demo", "--threshold", "much"], "--threshold 'much': must be a percentage"),
        (["--base", BUILD, "--new", BUILD, "demo", "--until", "done"], "--until 'done': must be 'settled'"),
        (["--base", BUILD, "--new", BUILD, "demo", "--launches", "+2"], "no folder that has any"),
        (["a.tar.gz", "b.tar.gz"], "a.tar.gz is not there"),
        (["a", "b", "--once"], "need --base and --new"),
        (["--bisect", "v1", "--base", BUILD, "demo"], "--bisect GOOD..BAD needs two commits"),
        (["--base", "backend=gloo", "--new", "backend=mpi", "demo"], "base and new have other cells"),
        (["--base", "launches=1", "--new", "launches=2", "demo"], "--base launches=…: this changes nothing that a rank does"),
        (["a", "b", "--until", "settled"], "need --base and --new"),
        (["a", "b", "--junit", "nowhere/junit.xml"], "--junit nowhere/junit.xml: there is no folder nowhere"),
    ],
)
def test_a_mistake_is_named(ddpbench: Ddpbench, words: list, says: str):
    done = ddpbench.run("compare", *words)
    assert done.returncode == 2 and says in done.stderr, done.stderr
    assert not (ddpbench.folder / "results").exists()


def test_the_commands_of_a_bisection_are_printed(ddpbench: Ddpbench):
    done = ddpbench.run("compare", "--base", BUILD, "--bisect", "v1..HEAD", "overhead", "--set", "workload=null")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("git bisect start HEAD v1\ngit bisect run sh -c ")
    assert subprocess.run(["sh", "-n"], input=done.stdout, text=True, check=False).returncode == 0

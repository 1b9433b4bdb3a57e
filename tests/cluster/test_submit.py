"""Jobs that `ddpbench submit` writes, through sbatch itself."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from cluster import wait_for
from conftest import PROGRAM
from node_experiment import SHORT, SITE, TEN_SECONDS, experiment, rows
from terminal import UP_AND_CLEAR, on_a_terminal, screen_of


@pytest.fixture
def site(cluster):
    def write(more: str = "", before: str = ""):
        path = cluster.work / "mine.toml"
        path.write_text(before + SITE + more, encoding="utf-8")
        return path

    return write


def submit(cluster, path, site, folder, *options: str, code: int = 0):
    done = cluster.run([PROGRAM, "submit", path, "--site", site, "--output", folder, *options])
    assert done.returncode == code, done.stdout + done.stderr
    return done


def jobs_of(folder) -> dict[str, int]:
    return {job["name"]: int(job["id"]) for job in json.loads((folder / "submission.json").read_text())["jobs"]}


def test_one_job_measures_all_sizes(cluster, out, site):
    path = experiment(cluster, nodes=(1, 2), ranks=1, launches=2)
    said = submit(cluster, path, site(), out).stdout
    assert "job all: 2 nodes, 2 cells, 4 launches" in said
    assert "#SBATCH --nodes=2" in said
    assert cluster.wait_for_end(jobs_of(out)["all"])["JobState"] == "COMPLETED", (out / "all.log").read_text()
    assert (
        sorted((row["nodes"], row["status"]) for row in rows(out / "results-all", "runs.csv"))
        == [("1", "ok")] * 4 + [("2", "ok")] * 4
    )
    assert (out / "results-all/node_checks.csv").exists(), "its nodes were looked at"
    status = cluster.run([PROGRAM, "submit", "--status", out])
    assert status.returncode == 0, status.stderr
    line = next(line for line in status.stdout.splitlines() if line.startswith("all"))
    told = ["all", str(jobs_of(out)["all"]), "COMPLETED", "[####################]", "4", "of", "4", "0", str(out / "results-all")]
    assert line.split() == told


def test_gadis_example_prints_what_lightning_prints_there(cluster, out, site):
    short = "nodes=2 launches=1 epochs=2 epoch_steps=2 validation_batches=1 max_super_blocks=1 min_super_blocks=1"
    wanted = [*short.split(), "arms=py_raw,py_lightning+messages"]
    settings = [word for setting in wanted for word in ("--set", setting)]
    submit(cluster, "gadi_mnist", site(), out, *settings, "--no-preflight")
    said = (out / "all.log").read_text() if cluster.wait_for_end(jobs_of(out)["all"]) else ""
    for member in range(1, 5):
        assert f"Initializing distributed: GLOBAL_RANK: {member - 1}, MEMBER: {member}/4" in said, said
    assert "GPU available: False, used: False" in said
    assert "distributed_backend=gloo" in said and "All distributed processes registered. Starting with 4 processes" in said
    assert "MnistConvNet" in said and "`max_epochs=2` reached" in said and "test_accuracy" in said
    assert "Whole trainings on mnist_convnet, 4 ranks, 2 epochs" in said


def test_a_job_for_each_number_of_nodes(cluster, out, site):
    path = experiment(cluster, nodes=(1, 2), ranks=1)
    submit(cluster, path, site(), out, "--jobs", "per-node-count", "--no-preflight")
    jobs = jobs_of(out)
    assert set(jobs) == {"nodes-1", "nodes-2"}
    for name, number in jobs.items():
        assert cluster.wait_for_end(number)["JobState"] == "COMPLETED", (out / f"{name}.log").read_text()
        assert {row["nodes"] for row in rows(out / f"results-{name}", "runs.csv")} == {name.removeprefix("nodes-")}
    assert not list(out.rglob("node_checks.csv")), "--no-preflight"
    report = cluster.run([PROGRAM, "report", out])
    assert report.returncode == 0, report.stderr
    assert f"one study of 2 folders: {out}/results-nodes-1, {out}/results-nodes-2" in report.stdout
    assert {(row["nodes"], row["mode"]) for row in rows(out / "report", "scaling.csv")} == {("1", "weak"), ("2", "weak")}
    audited = {row["what"]: row["values"] for row in rows(out / "report", "tables/audit.csv")}
    assert "results-nodes-1 (1 launch: " in audited["job"]


COLLECTED = 'collect = ["--ntasks=1", "--time=10"]\n'


def test_an_array_has_a_task_for_each_repetition_and_a_job_collects_them(cluster, out, site):
    path = experiment(cluster, nodes=(1, 2), ranks=1, launches=3)
    said = submit(cluster, path, site(before=COLLECTED), out, "--jobs", "array", "--no-preflight").stdout
    assert "job all: 3 tasks of an array, each: 2 nodes, 2 cells, 2 launches" in said
    number, collecting = jobs_of(out)["all"], int(json.loads((out / "submission.json").read_text())["collecting_id"])
    watched = cluster.run([PROGRAM, "watch", out, "--every", "0.5"])
    assert watched.returncode == 0, watched.stderr
    last = watched.stdout.splitlines()[-2:]
    assert last[0].split()[:8] == ["all", str(number), "COMPLETED", "[####################]", "6", "of", "6", "0"], watched.stdout
    assert last[1].split() == ["collect", str(collecting), "COMPLETED", str(out / "report" / "report.html")], watched.stdout
    assert "[####################]" not in watched.stdout.splitlines()[2], "it was seen before its end"
    repetitions = [{row["repetition"] for row in rows(out / f"results-all-{task}", "runs.csv")} for task in (1, 2, 3)]
    assert repetitions == [{"0"}, {"1"}, {"2"}]
    assert (out / "report" / "report.html").stat().st_size > 0, (out / "collect.log").read_text()
    assert {row["launches"] for row in rows(out / "report", "overhead.csv")} == {"3"}


def meet_limits(cluster, out, number: int, tasks: Sequence[int]) -> None:
    """Of tasks that are warned 60 s before their limit: one 90 s after a launch has ended, so that the warning comes when Slurm
    looks next, within 30 s. Their next start has time for all."""
    for task in tasks:
        runs = out / f"results-all-{task}/runs.csv"
        wait_for(lambda runs=runs: runs.exists() and rows(runs.parent, runs.name), "a launch that has ended")
        cluster.run(["scontrol", "update", f"jobid={number}_{task}", "EndTime=now+90"])
    for task in tasks:
        wait_for(lambda name=f"{number}_{task}": int(cluster.job(name)["Restarts"]) > 0, "second start")
        cluster.run(["scontrol", "update", f"jobid={number}_{task}", "TimeLimit=10"])


def test_tasks_that_meet_their_limit_begin_again_to_the_plans_end(cluster, out, site, monkeypatch):
    """Each for itself: the number of one task is the number of its array."""
    monkeypatch.setitem(cluster.environment, "DDPBENCH_SECONDS_FOR_REPORT", "5")  # of the 60 that are left at the warning
    path = experiment(cluster, launches=2, protocol=TEN_SECONDS)
    sizes = ("--set", "batch_size_per_rank=1,2,3,4,5,6,7", "--set", "max_seconds_per_launch=6")  # 36 s after the first
    warned = ("--batch-option=--time=10", "--batch-option=--signal=B:USR1@60", "--no-preflight")
    submit(cluster, path, site(before=COLLECTED), out, "--jobs", "array", *sizes, *warned)
    limits = threading.Thread(target=meet_limits, args=(cluster, out, jobs_of(out)["all"], (1, 2)))
    limits.start()
    code, sent = on_a_terminal([PROGRAM, "watch", out, "--every", "1"], env=cluster.environment, cwd=cluster.work)
    limits.join()
    assert code == 0, sent
    number = jobs_of(out)["all"]
    assert len(screen_of(sent)) == 4, sent
    _, head, tasks, collecting = screen_of(sent)
    assert len(UP_AND_CLEAR.findall(sent)) > 1, "it was drawn anew while the tasks ran"
    assert (head.split()[:3], tasks.split()[:3]) == (["job", "id", "state"], ["all", str(number), "COMPLETED"]), sent
    assert collecting.startswith("collect "), sent
    assert max(map(len, screen_of(sent))) < 80, "a line is cut at the end of the screen"
    for task in (1, 2):
        said = (out / f"all-{task}.log").read_text()
        ended = cluster.job(f"{number}_{task}")
        assert ended["JobState"] == "COMPLETED", said
        assert int(ended["Restarts"]) >= 1, said
        assert "not all is measured: the job begins once more" in said
        assert sorted(row["status"] for row in rows(out / f"results-all-{task}", "runs.csv")) == ["ok"] * 14
        assert cluster.run([PROGRAM, "verify", out / f"results-all-{task}"]).returncode == 0
    assert len(rows(out / "report", "runs.csv")) == 28, "the report waits for the last start"


def test_scripts_may_be_edited_before_they_are_submitted(cluster, out, site):
    path = experiment(cluster, protocol=SHORT)
    said = submit(cluster, path, site(), out, "--dry-run", "--no-preflight").stdout
    assert cluster.run(["squeue", "-h"]).stdout == ""
    script = out / "all.sh"
    script.write_text(script.read_text().replace("--job-name=ddpbench-cluster", "--job-name=mine"), encoding="utf-8")
    command = next(line for line in said.splitlines() if line.startswith("  sbatch"))
    number = int(cluster.run(command.split()).stdout)
    ended = cluster.wait_for_end(number)
    assert (ended["JobState"], ended["JobName"]) == ("COMPLETED", "mine"), (out / "all.log").read_text()


def test_a_job_from_inside_a_job(cluster, out, site):
    """As from a desktop session, which is a job: srun would take its --mem-per-cpu beside the new job's --mem, and end."""
    path, place = experiment(cluster, ranks=1), site()
    place.write_text(place.read_text().replace('"--exclusive"', '"--exclusive", "--mem=400"'), encoding="utf-8")
    by_hand = f"{out}-by-hand"
    session = f"""
        {PROGRAM} submit {path} --site {place} --output {out} --no-preflight
        {PROGRAM} submit {path} --site {place} --output {by_hand} --no-preflight --dry-run
        sbatch --parsable {by_hand}/all.sh > {by_hand}.id
    """
    options = ["--nodes=1", "--ntasks=1", "--mem-per-cpu=500", "--hint=nomultithread", f"--output={out}.log"]
    cluster.wait_for_end(cluster.submit(session, *options))
    numbers = [jobs_of(out)["all"], int(Path(f"{by_hand}.id").read_text())]
    for folder, number in zip([out, Path(by_hand)], numbers, strict=True):
        assert cluster.wait_for_end(number)["JobState"] == "COMPLETED", (folder / "all.log").read_text()
        assert {row["status"] for row in rows(folder / "results-all", "runs.csv")} == {"ok"}


def test_what_the_site_does_not_allow_is_refused_before_anything_is_written(cluster, out, site):
    path = experiment(cluster, nodes=(1, 2), ranks=1)
    said = submit(cluster, path, site("nodes = 1\n"), out, code=0).stdout
    assert "site 'mine' allows 1 node, this cell has 2" in said, "what is too large is left out, and told"
    long = experiment(cluster, launches=100, protocol="max_seconds_per_launch = 7200")
    refused = submit(cluster, long, site(), f"{out}-2", code=2)
    assert "a launch may take 02:04:00" in refused.stderr
    assert not (out.parent / f"{out.name}-2").exists()


def test_what_a_job_would_miss_is_told_before_it_is_submitted(cluster, out, site):
    path = experiment(cluster, workloads=("convnet_cifar10",))
    path.write_text(path.read_text().replace('"constant"', '"cifar"'), encoding="utf-8")
    lines = ["if true; then", "module purge # none here", "fi", "[ -e /nowhere ] && true", "ulimit -v 200000"]
    place = site(before=f'data = "$NOWHERE"\nsetup = {json.dumps(lines)}\n')
    refused = submit(cluster, path, place, out, code=3)
    assert "#SBATCH --nodes=2" in refused.stdout, "the script is shown all the same"
    assert not out.exists()
    for said in (refused.stderr, submit(cluster, path, place, out, "--dry-run").stdout):
        assert "'module purge' fails: " in said and "module: command not found" in said
        assert said.count("fails: ") == 1, "what a script goes on behind is no failure"
        assert "ddpbench-worker does not start behind the site's setup: " in said
        assert '--data "$NOWHERE": it is empty here, or not set' in said
        assert "--no-site-check does not look" in said
    gone = submit(cluster, path, site(before='setup = ["exit 7"]\n'), out, code=3).stderr
    assert "the site's setup ends the script: it ended with exit code 7" in gone
    assert "--data" not in submit(cluster, experiment(cluster), place, f"{out}-2", "--dry-run", "--no-site-check").stdout


def test_two_builds_are_compared_by_a_job(cluster, out, site):
    path = experiment(cluster, arms=("raw", "raw_again"), launches=2)
    said = submit(cluster, path, site(before=COLLECTED), out, "--base", "injected_us=100", "--new", "injected_us=200").stdout
    assert "job all: 2 nodes, 1 cell, 6 launches" in said, "base, new, and base again"
    assert f"the page, once it has measured: ddpbench compare {out}/results-all\n" in said
    state = cluster.wait_for_end(jobs_of(out)["all"])["JobState"]
    assert {path.parent.name for path in (out / "results-all").glob("*/runs.csv")} == {"base", "new", "base_again"}
    assert "6 of 6" in cluster.run([PROGRAM, "submit", "--status", out]).stdout
    assert cluster.run([PROGRAM, "--progress", out / "results-all"]).stdout == "6 6\n"
    verdict = cluster.run([PROGRAM, "compare", out / "results-all", "--tables-only"]).returncode
    assert (state, verdict) in (("COMPLETED", 0), ("FAILED", 1)), (out / "all.log").read_text()  # two launches may find by chance


def test_collectives_are_measured_by_a_job(cluster, out, site):
    words = ["--site", site(), "--output", out, "--backends", "gloo", "--max-bytes", "1K", "--check"]
    done = cluster.run([PROGRAM, "submit", "collectives", *words])
    assert done.returncode == 0, done.stderr
    assert "collectives --backends gloo --max-bytes 1024 --check --nodes 2 --resume --launcher srun" in done.stdout
    assert cluster.wait_for_end(jobs_of(out)["all"])["JobState"] == "COMPLETED", (out / "all.log").read_text()
    assert {row["nodes"] for row in rows(out / "results-all", "collectives.csv")} == {"2"}
    assert "1 of 1" in cluster.run([PROGRAM, "submit", "--status", out]).stdout
    assert cluster.run([PROGRAM, "--progress", out / "results-all"]).stdout == "1 1\n"


def test_why_a_job_failed_is_told_with_its_log(cluster, out, site):
    path = experiment(cluster)
    submit(cluster, path, site(), out, "--no-preflight", "--dry-run")
    script = (out / "all.sh").read_text().replace("/experiment.toml", "/nowhere.toml")
    (out / "all.sh").write_text(script, encoding="utf-8")
    number = int(cluster.run(["sbatch", "--parsable", out / "all.sh"]).stdout)
    assert cluster.wait_for_end(number)["JobState"] == "FAILED"
    record = json.loads((out / "submission.json").read_text())
    record["jobs"][0]["id"] = str(number)
    (out / "submission.json").write_text(json.dumps(record), encoding="utf-8")
    for command in (["submit", "--status", out], ["watch", out]):
        told = cluster.run([PROGRAM, *command])
        assert told.returncode == 1, told.stderr
        assert "job all FAILED\n" in told.stdout
        assert "nowhere.toml" in told.stdout and f"its log: {out}/all.log" in told.stdout


def test_a_batch_system_that_refuses_is_told_with_its_words(cluster, out, site):
    path = experiment(cluster)
    done = submit(cluster, path, site(), out, "--batch-option=--partition=nowhere", code=3)
    assert "invalid partition specified: nowhere" in done.stderr
    assert "job all" not in cluster.run([PROGRAM, "submit", "--status", out]).stdout
    status = cluster.run([PROGRAM, "submit", "--status", out]).stdout
    assert "not submitted" in status


def test_jobs_can_be_cancelled(cluster, out, site):
    path = experiment(cluster, protocol="min_super_blocks = 1000000\nmax_seconds_per_launch = 600")
    submit(cluster, path, site(), out, "--no-preflight")
    number = jobs_of(out)["all"]
    assert cluster.run([PROGRAM, "submit", "--cancel", out]).returncode == 0
    assert cluster.wait_for_end(number)["JobState"] == "CANCELLED"

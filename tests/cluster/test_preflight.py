"""Nodes that are looked at before a sweep, on a real cluster. What needs a quiet host is a proof (tests/proofs/slow_node.py)."""

import csv
import re

from conftest import PROGRAM, RUN, RUN_LOOKING, in_a_job
from node_experiment import SITE, experiment, rows

CHECKS = {"product_s", "chain_cpu_s", "copy_s", "link_latency_s", "link_transfer_s", "wrong_sums", "wrong_products"}


def bad_nodes(cluster) -> list[dict[str, str]]:
    path = cluster.cache / "ddpbench/bad-nodes.csv"
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_look_compares_all_nodes_and_all_that_they_do(cluster):
    done = in_a_job(cluster, PROGRAM, "preflight", nodes=3)
    assert done.returncode in (0, 1), done.stderr  # on a busy host one of them may be slow
    assert "looking at 3 nodes, 1 rank on each, over gloo" in done.stderr
    head, *lines = done.stdout.splitlines()[:4]
    assert re.split(r"  +", head) == ["node", "matrix product", "core's clock", "copy in memory", "link, 8 bytes", "link, 4 MiB"]
    assert [line.split()[0] for line in lines] == ["node1", "node2", "node3"]
    assert all(line.count(" x)") == 5 for line in lines), lines


def test_without_two_nodes_there_is_nothing_to_compare(cluster):
    done = in_a_job(cluster, PROGRAM, "preflight", nodes=1)
    assert done.returncode == 2 and "no two nodes to compare" in done.stderr


def test_a_run_keeps_what_it_saw_of_its_nodes(cluster, out):
    done = in_a_job(cluster, *RUN_LOOKING, experiment(cluster), "--out", out)
    assert done.returncode == 0, done.stderr
    kept = rows(out, "node_checks.csv")
    assert {row["node"] for row in kept} == {"node1", "node2"}
    assert len({(row["rank"], row["node"]) for row in kept}) == 4, "two ranks on each, as the launches have"
    judged = [row for row in rows(out, "tables/nodes.csv") if row["source"] == "check"]
    assert {row["node"] for row in judged} == {"node1", "node2"}
    assert {row["check"] for row in judged} == CHECKS - {"link_latency_s", "link_transfer_s"}, "two nodes have one link"
    assert {row["value"] for row in judged if row["check"].startswith("wrong")} == {"0"}
    links = rows(out, "tables/links.csv")
    assert {(row["node"], row["peer"]) for row in links} == {("node1", "node2"), ("node2", "node1")}, "each end's own"
    assert all(float(row["latency_us"]) > 0 and float(row["rate_gb_s"]) > 0 and int(row["visits"]) > 0 for row in links)
    assert {row["node"] for row in rows(out, "tables/skew.csv")} == {"node1", "node2"}
    assert cluster.run([PROGRAM, "verify", out]).returncode == 0


def test_a_run_that_is_told_so_does_not_look(cluster, out):
    done = in_a_job(cluster, *RUN, experiment(cluster), "--out", out)
    assert done.returncode == 0, done.stderr
    assert "looking at" not in done.stderr and not (out / "node_checks.csv").exists()


def test_a_node_that_cannot_run_is_named_left_out_and_not_asked_for_again(cluster, out):
    """Its worker is an empty file: as after a disk that is broken, or an installation that is not there."""
    worker = PROGRAM.parent / "ddpbench-worker"
    cluster.on("node2", ["mount", "--bind", "/dev/null", str(worker)])
    try:
        path = experiment(cluster, nodes=(2, 3), ranks=1)
        done = in_a_job(cluster, *RUN_LOOKING, path, "--out", out, nodes=3)
    finally:
        cluster.on("node2", ["umount", str(worker)])
    assert done.returncode == 0, done.stderr
    assert "node2 is broken: rank 1 on node2" in done.stderr and "left out: node2" in done.stderr
    assert {(row["nodes"], row["status"]) for row in rows(out, "runs.csv")} == {("2", "ok"), ("3", "skipped")}
    assert {row["host_list"] for row in rows(out, "runs.csv") if row["status"] == "ok"} == {"node1 node3"}
    assert [row["node"] for row in bad_nodes(cluster) if row["finding"] == "broken"] == ["node2"]

    site = cluster.work / "left-out.toml"
    site.write_text(SITE, encoding="utf-8")
    command = [PROGRAM, "submit", experiment(cluster), "--site", site, "--output"]
    planned = cluster.run([*command, f"{out}-a", "--dry-run"])
    assert planned.returncode == 0, planned.stderr
    assert "left out: node2 is broken" in planned.stdout
    excluded = re.findall(r"#SBATCH --exclude=(\S+)", (out.parent / f"{out.name}-a/all.sh").read_text())
    assert excluded and "node2" in excluded[0].split(",")
    again = cluster.run([*command, f"{out}-b", "--dry-run", "--exclude", "none"])
    assert again.returncode == 0 and "--exclude" not in (out.parent / f"{out.name}-b/all.sh").read_text()

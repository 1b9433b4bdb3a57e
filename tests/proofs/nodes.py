"""Several nodes of a real Slurm on this machine (tests/cluster): what links cost, and what is left when anything is killed."""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from conftest import Ddpbench
from finding import Finding, interval_us

TESTS = Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "cluster"))
from cluster import ENDED, Cluster, why_not  # noqa: E402
from node_experiment import experiment, rows  # noqa: E402

PROGRAM = Path(os.environ["DDPBENCH_PROGRAM"])
SHARED = tuple({folder for folder in (TESTS.parent, PROGRAM.parents[1]) if str(folder).startswith("/tmp/")})


def run_in_job(cluster: Cluster, path: Path, out: Path, nodes: int) -> None:
    command = ["salloc", f"--nodes={nodes}", "--exclusive", "--quiet", PROGRAM, "run", path, "--out", out]
    done = cluster.run(command, timeout=3000)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])


# Of the float32 gradients that one step reduces, in one bucket.
GRADIENT_BYTES = {"null": 4 * (3072 * 10 + 10), "convnet_cifar10": 4 * 62_006}


def between_nodes(cluster: Cluster, script: str, *words: object) -> str:
    """What a script of tests/cluster says that runs on both of the first two nodes, one of which listens."""
    program, rest = [sys.executable, TESTS / "cluster" / script], ["4712", *words]
    command = ["nsenter", f"--target={cluster.pid_of('node1')}", "--all", *program, "listen", *rest]
    with subprocess.Popen([str(word) for word in command]) as listener:
        time.sleep(1)
        done = cluster.on("node2", [*program, cluster.address_of("node1"), *rest])
        listener.wait(timeout=60)
    return done.stdout


def exchange_ms(cluster: Cluster) -> dict[str, float]:
    """By workload: what plain sockets take to exchange so many bytes as its gradients have, between the same two nodes."""
    said = between_nodes(cluster, "exchange.py", "40", *GRADIENT_BYTES.values())
    return dict(zip(GRADIENT_BYTES, map(float, said.split()), strict=True))


def exposed_ms(delay_us: int, mbit: int) -> tuple[dict[str, float], dict[str, float]]:
    """By workload: what an ideal network saves per step, on two nodes of one rank each; and exchange_ms() before it."""
    with Cluster(nodes=2, shared=SHARED, link=(delay_us, mbit)) as cluster:
        plain = exchange_ms(cluster)
        protocol = "min_super_blocks = 12\nmax_super_blocks = 12\nmax_seconds_per_launch = 120"
        path = experiment(cluster, ("raw", "raw+ideal"), workloads=tuple(GRADIENT_BYTES), ranks=1, protocol=protocol, launches=2)
        out = cluster.work / "out"
        run_in_job(cluster, path, out, 2)
        found = {}
        for row in rows(out, "tables/efficiency.csv"):
            if row["arm"] == "raw" and row["exposed_us"]:
                found[row["cell_id"].partition("-")[0]] = float(row["exposed_us"]) / 1000
        return found, plain


def slow_link(_: Ddpbench) -> list[Finding]:
    """By the α-β model a reduction of n bytes among two ranks takes k·d + n/R: each sends half of it, waits, sends the other.
    gloo asks whether the peer is ready before it sends, so k is from 2 (nobody asks) to 4 (each time). R is what plain sockets
    reach on the same link: frames have heads, answers take their part, and the switch is a program. Tolerance: 20 %."""
    if why_not():
        return [Finding("the slow link", why_not(), "a cluster", held=False)]
    delay_us = 2000
    findings = []
    (fast, fast_link), (delayed, _), (narrow, narrow_link) = exposed_ms(0, 200), exposed_ms(delay_us, 200), exposed_ms(0, 50)
    small, large = GRADIENT_BYTES
    for mbit, found, plain in ((200, fast, fast_link), (50, narrow, narrow_link)):
        nominal = (GRADIENT_BYTES[large] - GRADIENT_BYTES[small]) * 8 / (mbit * 1000)
        expected = plain[large] - plain[small]
        grown = found[large] - found[small]
        claim = f"{mbit} Mbit/s: exposed communication of {large} beyond that of {small}"
        bound = f"{expected:.2f} ms ± 20 % (plain sockets; {nominal:.2f} by the rate)"
        findings.append(Finding(claim, f"{grown:.2f} ms", bound, abs(grown - expected) <= 0.2 * expected))
    for name in GRADIENT_BYTES:
        grown, low, high = delayed[name] - fast[name], 0.8 * 2 * delay_us / 1000, 1.2 * 4 * delay_us / 1000
        claim = f"{delay_us / 1000:g} ms each way: exposed communication of {name} grows by"
        findings.append(Finding(claim, f"{grown:.2f} ms", f"{low:.1f} to {high:.1f} ms", low <= grown <= high))
    return findings


# Who may be killed, by the name of the process; the node where it is, "" for the machine of the shell.
VICTIMS = {
    "driver": ("ddpbench", "node1"),
    "batch shell": ("slurm_script", "node1"),
    "remote rank": ("ddpbench-worker", "node2"),
    "remote agent": ("ddpbench", "node2"),
    "srun": ("srun", "node1"),
}
# Of what `verify` says of a run that was killed: launches to come, and the part files of one that was under way.
NO_FAULTS = ("it never ran", "is whole", "note: ")
KILLS = int(os.environ.get("DDPBENCH_PROOF_KILLS", "100"))


def victims_of(cluster: Cluster, who: str) -> list[int]:
    name, node = VICTIMS[who]
    found = []
    for pid in cluster.processes_on(node, name):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        is_agent = b"--agent" in words
        is_driver = b"run" in words and b"--out" in words
        fits = {"driver": is_driver, "remote agent": is_agent}
        if fits.get(who, True):
            found.append(pid)
    return found


def kills_on_nodes(_: Ddpbench) -> list[Finding]:
    """SIGKILL at random instants of the driver, its shell, srun, a rank, its agent; each time the run is continued."""
    if why_not():
        return [Finding("the kills", why_not(), "a cluster", held=False)]
    drawn = random.Random(17)
    problems: list[str] = []
    killed: dict[str, int] = dict.fromkeys(VICTIMS, 0)
    with Cluster(nodes=2, shared=SHARED) as cluster:
        protocol = "min_super_blocks = 4\nmax_super_blocks = 4\nmax_seconds_per_launch = 120"
        for out in (cluster.work / f"out{number}" for number in itertools.count()):
            if sum(killed.values()) >= KILLS:
                break
            path = experiment(cluster, ("raw", "raw_again"), ranks=2, launches=12, protocol=protocol)
            problems += one_plan(cluster, path, out, drawn, killed)
    told = ", ".join(f"{count} {who}" for who, count in killed.items())
    enough = sum(killed.values()) >= KILLS
    return [
        Finding("SIGKILLs at random instants", f"{sum(killed.values())}: {told}", f"at least {KILLS}", enough),
        Finding("torn, doubled or lost finished rows", f"{len(problems)}: {problems[:12]}", "0", not problems),
    ]


def one_plan(cluster: Cluster, path: Path, out: Path, drawn: random.Random, killed: dict[str, int]) -> Iterator[str]:
    """Kills and continues until the plan is done."""
    finished: list[str] = []
    for attempt in itertools.count():
        last_kill = attempt == 12  # then it may end
        number = cluster.submit(f"{PROGRAM} run {path} --out {out} --resume\n", "--nodes=2", "--no-requeue")
        who = drawn.choice(list(VICTIMS))
        until = time.monotonic() + drawn.uniform(0.2, 6)
        while cluster.job(number)["JobState"] not in ENDED and not last_kill:
            pids = victims_of(cluster, who) if time.monotonic() > until and sum(killed.values()) < KILLS else []
            if pids:
                try:
                    os.kill(drawn.choice(pids), signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed[who] += 1
                break
            time.sleep(0.02)
        cluster.wait_for_end(number)
        wait_until_nobody_is_left(cluster)
        lines = (out / "runs.csv").read_text().splitlines() if (out / "runs.csv").exists() else []
        good = [line for line in lines if ",ok," in line]
        lost = [line for line in finished if line not in good]
        if lost:
            yield f"{out.name}: lost after {who}: {lost[0]}"
        if len(set(lines)) != len(lines):
            yield f"{out.name}: a row is there twice after {who}"
        finished = good
        if lines:
            verified = cluster.run([PROGRAM, "verify", out])
            said = (verified.stdout + verified.stderr).splitlines()
            wrong = [line for line in said if not any(word in line for word in NO_FAULTS)]
            if wrong:
                yield f"{out.name}: verify after {who}: {wrong[0]}"
        planned = len(rows(out, "plan.csv")) if (out / "plan.csv").exists() else 0
        if planned and len(good) == 2 * planned:
            return
        if attempt > 20:
            yield f"{out.name}: not done after {attempt} attempts"
            return


def wait_until_nobody_is_left(cluster: Cluster) -> None:
    deadline = time.monotonic() + 60
    while any(cluster.processes_on(name, "ddpbench") for name in cluster.names):
        if time.monotonic() > deadline:
            raise RuntimeError("processes were left behind")
        time.sleep(0.1)


def sizes(_: Ddpbench) -> list[Finding]:
    """Told, not judged: on a machine with fewer cores than ranks the figures are those of the machine."""
    if why_not():
        return [Finding("the world sizes", why_not(), "a cluster", held=False)]
    findings = []
    with Cluster(nodes=4, shared=SHARED) as cluster:
        protocol = "min_super_blocks = 2\nmax_super_blocks = 2\nmax_seconds_per_launch = 300\nhang_timeout_seconds = 240"
        for nodes, ranks in ((1, 2), (2, 2), (4, 2), (4, 4), (4, 8), (4, 16)):
            out = cluster.work / f"first{nodes * ranks}"
            run_in_job(cluster, experiment(cluster, ("raw",), nodes=(nodes,), ranks=ranks, protocol=protocol), out, 4)
            seconds = [float(row["value"]) for row in rows(out, "metrics.csv") if row["metric"] == "seconds_to_first_step"]
            claim = f"{nodes * ranks} ranks on {counted(nodes)}: time to the first step"
            findings.append(Finding(claim, f"{max(seconds):.2f} s", "told, not judged", held=True))
        out = cluster.work / "overhead"
        arms = ("raw", "raw_again", "trainer", "py_raw", "py_raw_again", "py_lightning")
        protocol = "max_seconds_per_launch = 20"
        run_in_job(cluster, experiment(cluster, arms, nodes=(1, 2, 4), ranks=1, launches=5, protocol=protocol), out, 4)
        for row in rows(out, "overhead.csv"):
            if row["arm"] in ("trainer", "py_lightning") and row["clock"] == "wall":
                figure = interval_us(row)
                claim = f"{row['arm']} on {counted(nodes_of(row['cell_id']))}: its cost per step"
                findings.append(Finding(claim, figure, "told, not judged", held=True))
    return findings


def nodes_of(cell_id: str) -> int:
    return int(re.search(r"-n(\d+)r", cell_id)[1])


def counted(nodes: int) -> str:
    return f"{nodes} node" + ("" if nodes == 1 else "s")


def held_out_sizes(_: Ddpbench) -> list[Finding]:
    """Sizes of this machine, each predicted from the others. Communication takes longest, for the nodes share two cores."""
    if why_not():
        return [Finding("the held-out sizes", why_not(), "a cluster", held=False)]
    protocol = "min_super_blocks = 12\nmax_super_blocks = 12\nmax_seconds_per_launch = 120"
    with Cluster(nodes=6, shared=SHARED, link=(2000, 400)) as cluster:
        path = experiment(
            cluster, ("raw",), nodes=(1, 2, 3, 4, 6), ranks=1, launches=3, protocol=protocol, workloads=("convnet_cifar10",)
        )
        out = cluster.work / "out"
        run_in_job(cluster, path, out, 6)
        findings = []
        for row in rows(out, "tables/held_out.csv"):
            claim = f"{row['world_size']} ranks ({row['mode']}), from {row['sizes']} other sizes: the step is missed by"
            place = "in" if row["is_inside"] == "1" else "out of"
            told = row["reason"] or f"{float(row['error_percent']):+.1f} %, {place} its interval"
            held = row["world_size"] == "1" or (not row["reason"] and abs(float(row["error_percent"])) <= 10)
            findings.append(Finding(claim, told, "at most 10 % (one rank: told, not judged)", held))
        return findings

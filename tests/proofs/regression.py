"""The gate of `ddpbench compare`: how often it calls a regression where there is none, and where there is one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from conftest import NULL_EXPERIMENT, PROGRAM, Ddpbench
from finding import Finding
from scipy import stats

RECORDED = 96  # launches: 32 turns of base, new and base again
LAUNCHES = 24  # of each side in a replay of one look
# Five looks are of 1 % each: for the same power they take ((2.576 + 1.282) / (1.960 + 1.282))² = 1.42 times as many launches.
LAUNCHES_OF_LOOKS = 32
REPLAYS = 2000
BUILD = Path(PROGRAM).parent.parent


def recorded(ddpbench: Ddpbench) -> Path:
    """$DDPBENCH_RECORDED: the results folder of an earlier proof; else one is measured, in ten minutes."""
    if given := os.environ.get("DDPBENCH_RECORDED"):
        return Path(given)
    out = ddpbench.folder / "recorded"
    experiment = ddpbench.experiment(NULL_EXPERIMENT, "max_seconds_per_launch = 5")
    done = ddpbench.run("run", experiment, "--out", out, "--launches", str(RECORDED))
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return out


def launches_of(looks: int) -> int:
    return LAUNCHES if looks == 1 else LAUNCHES_OF_LOOKS


def ends(folder: Path, percent: float, looks: int) -> dict[str, int]:
    program = BUILD / "tests" / "replays"
    command = [program, folder, str(launches_of(looks)), str(percent), str(REPLAYS), str(looks)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {word: int(count) for word, count in (line.split() for line in out.splitlines())}


def share(count: int) -> str:
    lo, hi = stats.binomtest(count, REPLAYS).proportion_ci(0.999, "exact")
    return f"{100 * count / REPLAYS:.1f} % [{100 * lo:.1f}, {100 * hi:.1f}] (99.9 %)"


def regression_replays(ddpbench: Ddpbench) -> list[Finding]:
    subprocess.run(["cmake", "--build", BUILD, "--target", "replays"], check=True, capture_output=True)
    folder = recorded(ddpbench)
    findings = []
    for looks, words in ((1, "one look"), (5, "at most five looks")):
        equal, slower = ends(folder, 0, looks), ends(folder, 1, looks)
        most = "" if looks == 1 else "at most "
        what = f"{REPLAYS} replays of {most}{launches_of(looks)} launches of each, {words}: "
        findings += [
            Finding(what + "equal builds are called a regression", share(equal["regression"]), "at most 5 %",
                    equal["regression"] <= 0.05 * REPLAYS),
            Finding(what + "a cost that grew by 1 % of the step is called one", share(slower["regression"]), "at least 90 %",
                    slower["regression"] >= 0.9 * REPLAYS),
        ]  # fmt: skip
    return findings

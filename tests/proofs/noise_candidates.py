#!/usr/bin/env python3
"""What would make intervals narrower? Other ways to estimate an arm's cost, on the blocks of one recorded run of many launches.

usage: noise_candidates.py FOLDER [CLOCK]

FOLDER: a results folder of one cell with `raw`, `raw_again` and `trainer`, ten launches or more. CLOCK: thread_cpu_s (the
default) or step_s. Prints, for the A/A pair and the trainer, how far the launches' estimates scatter by each way, as a share of
the first way, with the 95 % interval of a bootstrap over launches. Half-widths over launches are in proportion to it.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

ARMS = ("raw", "raw_again", "trainer")
BOOTSTRAPS = 2000

Blocks = dict[str, np.ndarray]  # arm -> super-block x rank x timed step, seconds; NaN where a block is missing


class Launch:
    def __init__(self, steps: Blocks, foreign: dict[str, np.ndarray], disturbed: np.ndarray) -> None:
        self.steps, self.foreign, self.disturbed = steps, foreign, disturbed

    def values(self, arm: str, of_block: Callable) -> np.ndarray:
        """One per super-block and rank."""
        return of_block(self.steps[arm], axis=2)


def hodges_lehmann(values: np.ndarray) -> float:
    values = values[np.isfinite(values)]
    upper = np.triu_indices(len(values))
    return float(np.median((values[upper[0]] + values[upper[1]]) / 2))


def trimmed(values: np.ndarray) -> float:
    values = np.sort(values[np.isfinite(values)])
    cut = len(values) // 5
    return float(values[cut : len(values) - cut].mean())


def pairs(launch: Launch, arm: str, of_block: Callable = np.median) -> np.ndarray:
    return (launch.values(arm, of_block) - launch.values("raw", of_block)).mean(axis=1)


def today(launch: Launch, arm: str) -> float:
    return hodges_lehmann(pairs(launch, arm))


def by_means(launch: Launch, arm: str) -> float:
    return hodges_lehmann(pairs(launch, arm, np.mean))


def by_fastest_step(launch: Launch, arm: str) -> float:
    return hodges_lehmann(pairs(launch, arm, np.min))


def by_trimmed_mean(launch: Launch, arm: str) -> float:
    return trimmed(pairs(launch, arm))


def by_ratio(launch: Launch, arm: str) -> float:
    values, reference = (launch.values(name, np.median).mean(axis=1) for name in (arm, "raw"))
    return float(np.nanmedian(reference) * np.expm1(hodges_lehmann(np.log(values / reference))))


def ranks_by_variance(launch: Launch, arm: str) -> float:
    differences = launch.values(arm, np.median) - launch.values("raw", np.median)
    spread = np.nanpercentile(differences, 75, axis=0) - np.nanpercentile(differences, 25, axis=0)
    weights = 1 / spread**2
    return hodges_lehmann(differences @ (weights / weights.sum()))


def both_references(launch: Launch, arm: str) -> float:
    if arm == "raw_again":
        return float("nan")  # nothing is left to compare it with
    reference = (launch.values("raw", np.median) + launch.values("raw_again", np.median)) / 2
    return hodges_lehmann((launch.values(arm, np.median) - reference).mean(axis=1))


def neighbours(launch: Launch, arm: str) -> float:
    """The reference of the super-blocks before and behind as well."""
    raw = launch.values("raw", np.median).mean(axis=1)
    around = np.nanmean(np.stack([np.roll(raw, 1), raw, np.roll(raw, -1)]), axis=0)[1:-1]
    return hodges_lehmann(launch.values(arm, np.median).mean(axis=1)[1:-1] - around)


def regressed_on_foreign(launch: Launch, arm: str) -> float:
    """What the pair's difference follows of what other programs used beside the two blocks is taken away (least squares)."""
    found = pairs(launch, arm)
    load = launch.foreign[arm] - launch.foreign["raw"]
    there = np.isfinite(found) & np.isfinite(load)
    spread = np.var(load[there])
    slope = np.cov(load[there], found[there])[0, 1] / spread if spread > 0 else 0
    return hodges_lehmann(found[there] - slope * load[there])


def undisturbed(launch: Launch, arm: str) -> float:
    kept = pairs(launch, arm)[~launch.disturbed]
    return hodges_lehmann(kept) if len(kept) > 5 else float("nan")


WAYS = {
    "today: median of a block, mean over ranks, Hodges-Lehmann": today,
    "mean of a block": by_means,
    "fastest step of a block": by_fastest_step,
    "20 % trimmed mean of the pairs": by_trimmed_mean,
    "ratios in place of differences": by_ratio,
    "ranks weighted by the inverse of their variance": ranks_by_variance,
    "raw and raw_again together as the reference": both_references,
    "raw of the super-blocks before and behind too": neighbours,
    "regression on what other programs used": regressed_on_foreign,
    "undisturbed super-blocks alone": undisturbed,
}


def read_rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_launches(folder: Path, clock: str) -> list[Launch]:
    steps: dict = defaultdict(lambda: defaultdict(dict))
    for row in read_rows(folder / "steps.csv.gz"):
        if row["super_block"] != "0" and row["discarded"] == "0" and row["arm"] in ARMS:
            place = (int(row["super_block"]) - 1, int(row["rank"]), int(row["step"]) - 1)
            steps[row["launch_id"]][row["arm"]][place] = float(row[clock] or "nan")
    foreign: dict = defaultdict(lambda: defaultdict(dict))
    disturbed: dict = defaultdict(set)
    for row in read_rows(folder / "blocks.csv.gz"):
        if row["disturbed"] == "1":
            disturbed[row["launch_id"]].add(int(row["super_block"]) - 1)
        if row["rank"] == "0":
            foreign[row["launch_id"]][row["arm"]][int(row["super_block"]) - 1] = float(row["foreign_cpu_s"] or "nan")
    return [_launch(of_arm, foreign[name], disturbed[name]) for name, of_arm in steps.items()]


def _launch(of_arm: dict, foreign: dict, disturbed: set[int]) -> Launch:
    shape = tuple(1 + max(place[axis] for places in of_arm.values() for place in places) for axis in range(3))
    tables = {arm: np.full(shape, np.nan) for arm in ARMS}
    for arm, places in of_arm.items():
        for place, value in places.items():
            tables[arm][place] = value
    loads = {arm: np.array([foreign[arm].get(block, np.nan) for block in range(shape[0])]) for arm in ARMS}
    return Launch(tables, loads, np.array([block in disturbed for block in range(shape[0])]))


def share(estimates: np.ndarray, reference: np.ndarray) -> str:
    """Of the scatter of two ways over the same launches."""
    if not np.isfinite(estimates).all():
        return "–"
    random = np.random.default_rng(1)
    drawn = random.integers(0, len(reference), (BOOTSTRAPS, len(reference)))
    ratios = np.std(estimates[drawn], axis=1) / np.std(reference[drawn], axis=1)
    low, high = np.percentile(ratios, [2.5, 97.5])
    return f"{np.std(estimates) / np.std(reference):.2f} [{low:.2f}, {high:.2f}]"


def main(words: list[str]) -> int:
    if not 1 <= len(words) <= 2 or not (Path(words[0]) / "steps.csv.gz").is_file():
        print(__doc__, file=sys.stderr)
        return 2
    launches = read_launches(Path(words[0]), words[1] if len(words) > 1 else "thread_cpu_s")
    found = {
        (way, arm): np.array([estimate(launch, arm) for launch in launches])
        for way, estimate in WAYS.items()
        for arm in ("raw_again", "trainer")
    }
    first = next(iter(WAYS))
    print(f"{len(launches)} launches; scatter of today's estimates: ", end="")
    print(", ".join(f"{arm} {1e6 * np.std(found[first, arm]):.2f} us" for arm in ("raw_again", "trainer")))
    print(f"{'way':62}{'A/A':22}trainer")
    for way in WAYS:
        shares = (share(found[way, arm], found[first, arm]) for arm in ("raw_again", "trainer"))
        print(f"{way:62}" + "".join(f"{text:22}" for text in shares).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

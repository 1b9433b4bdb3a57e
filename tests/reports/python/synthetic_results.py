"""A results folder made up by formula.

It has every kind of row that the report has to show, and names that want to run as code.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass, field
from pathlib import Path

import synthetic_findings
from synthetic_answer import answer_in_words
from synthetic_schema import schema_text, write_table

from reports.plots.tables.schema import SCHEMA

ARMS = ("raw", "raw_again", "raw_item", "trainer", "trainer-fetch-loss", "injected")
PHASES = ("data", "h2d", "forward", "backward", "optimizer", "wrapper", "other")
PHASE_SHARES = (0.04, 0.01, 0.27, 0.48, 0.12, 0.03, 0.05)
COST_US = {"raw": 0.0, "raw_again": 0.05, "raw_item": 0.9, "trainer": 3.1, "trainer-fetch-loss": 1.6, "injected": 101.0}
MARGIN_PERCENT, MARGIN_US = 0.5, 2.0
ROLES = {"raw": "reference", "py_raw": "reference"} | {
    "raw_again": "aa_control",
    "py_raw_again": "aa_control",
    "injected": "positive_control",
}
CONTROLS, FAMILY = ("raw_again", "injected"), 12  # a control is a family of one
HOSTILE = "<script>window.hostileNameRan = 1</script>"
HOSTILE_ATTRIBUTE = '"><img src=x onerror="window.hostileNameRan = 1"> $x_1$ | `a`'


@dataclass
class Cell:
    cell_id: str
    workload: str
    step_ms: float
    noise_percent: float = 0.05
    launches: int = 5
    super_blocks: int = 400
    label: str = ""
    arms: tuple[str, ...] = ARMS

    def full_label(self) -> str:
        return self.label or f"{self.workload} · ddp · gloo · fp32 · 1×2 ranks · batch 16"


CELLS = (
    Cell("c001", "null", 0.213),
    Cell("c002", "convnet_cifar10", 9.4, noise_percent=0.3),
    Cell("c003", "resnet50_cifar10", 1312.0, noise_percent=1.4, launches=1, super_blocks=7),
    Cell("c004", "resnet18_cifar10", 240.0, noise_percent=0.12, label=f"resnet18 {HOSTILE}"),
)


def reference_of(arms: tuple[str, ...], arm: str) -> str:
    return "py_raw" if "py_raw" in arms and arm.startswith("py_") else "raw"


def arm_entry(arms: tuple[str, ...], arm: str) -> dict:
    """As the analysis writes it into summary.json."""
    role = ROLES.get(arm, "subject")
    return {
        "arm": arm,
        "role": role,
        "reference": reference_of(arms, arm),
        "program": "worker",
        "is_delayed": role == "positive_control",
        "has_ideal_network": False,
    }


@dataclass
class Folder:
    """What is written; a test takes away or adds what it is about."""

    cells: tuple[Cell, ...] = CELLS
    with_tables: bool = True
    report_needs: str = ""
    summary_extra: dict = field(default_factory=dict)

    def write(self, path: Path) -> Path:
        (path / "tables").mkdir(parents=True, exist_ok=True)
        random_ = random.Random(7)
        write_table(path, "plan.csv", self._plan())
        write_table(path, "runs.csv", self._runs())
        _json(path / "environment.json", ENVIRONMENT)
        (path / "experiment.toml").write_text('name = "overhead"\n', encoding="utf-8")
        if self.with_tables:
            for name, rows in (
                ("overhead.csv", _overhead),
                ("tables/cells.csv", _cell_rows),
                ("tables/breakdown.csv", _breakdown),
                ("tables/distribution.csv", _distribution),
                ("tables/drift.csv", _drift),
                ("tables/loss.csv", _loss),
            ):
                write_table(path, name, [row for cell in self.cells for row in rows(cell, random_)])
            for name, rows in synthetic_findings.TABLES.items():
                write_table(path, name, rows(self.cells))
            write_table(path, "tables/points.csv", POINTS)
            (path / SCHEMA).write_text(schema_text(), encoding="utf-8")
            _json(path / "tables/summary.json", self._summary())
        return path

    def _plan(self) -> list[dict]:
        rows = [
            {
                "launch_id": f"L{cell.cell_id}-{n}",
                "cell_id": cell.cell_id,
                "workload": cell.workload,
                "strategy": "ddp",
                "backend": "gloo",
                "precision": "fp32",
                "nodes": 1,
                "ranks_per_node": 2,
                "batch_size_per_rank": 16,
                "options": "stem=imagenet;data=cifar",
                "arms": " ".join(cell.arms),
                "repetition": n,
                "seed": n,
                "status_planned": "planned",
                "skip_reason": "",
                "command": f"ddpbench-worker --launch-id L{cell.cell_id}-{n} --workload {cell.workload}",
            }
            for cell in self.cells
            for n in range(cell.launches)
        ]
        skip = dict(
            rows[0],
            launch_id="Lnccl",
            cell_id="c900",
            backend="nccl",
            status_planned="skipped",
            skip_reason="no GPU",
            command="",
        )
        return [*rows, skip]

    def _runs(self) -> list[dict]:
        return [
            {
                "launch_id": f"L{cell.cell_id}-{n}",
                "cell_id": cell.cell_id,
                "arm": arm,
                "status": "ok",
                "reason": "",
                "steps": cell.super_blocks * 4,
            }
            for cell in self.cells
            for n in range(cell.launches)
            for arm in cell.arms
        ]

    def _summary(self) -> dict:
        return {
            **answer_in_words([cell.workload for cell in self.cells if "trainer" in cell.arms], HOSTILE),
            "headlines": ["trainer is SLOWER than raw on null by 3.1 µs (1.5 %).", f"Hostile headline {HOSTILE}"],
            "foms": [{"name": "trainer_overhead_null", "value": 3.1, "unit": "us"}],
            "experiment": "overhead",
            "schema_version": 1,
            "confidence_percent": 95,
            "counts": {"ok": 16, "failed": 1, "skipped": 1},
            "margin_percent": MARGIN_PERCENT,
            "margin_us": MARGIN_US,
            "block_steps": 4,
            "data_origins": ["generated (ddpbench data make, seed 1)"],
            "hosts": ["node-a"],
            "started_utc": "2025-05-01T12:00:00Z",
            "report_needs": self.report_needs,
            "arms": list({arm: arm_entry(cell.arms, arm) for cell in self.cells for arm in cell.arms}.values()),
            **self.summary_extra,
        }


ENVIRONMENT = {
    "schema_version": 1,
    "versions": {"ddpbench": "0.1.0", "torch": "2.11.0"},
    "host": {"name": "node-a", "cores": 2, "interfaces": ["eth0", "lo"]},
    "git": {"commit": "0123abc", "dirty": False},
    "variables": {"OMP_NUM_THREADS": "1", "HOSTILE": HOSTILE_ATTRIBUTE},
    "probes": [{"backend": "nccl", "why_not": "no GPU"}, {"backend": "mpi", "why_not": "not built"}],
}

POINTS = [
    {
        "launch_id": "Lc003-1",
        "cell_id": "c003",
        "arm": "trainer",
        "status": "failed",
        "reason": f"rank 1 died: signal 9, {HOSTILE_ATTRIBUTE}",
    },
    {
        "launch_id": "Lnccl",
        "cell_id": "c900",
        "arm": "raw",
        "status": "skipped",
        "reason": "backend nccl: no GPU on this machine",
    },
]


def _json(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def verdict(low: float, high: float, margin: float) -> str:
    if high - low > 2 * margin:
        return "UNMEASURABLE"
    if -margin <= low and high <= margin:
        return "EQUIVALENT"
    return "SLOWER" if low > margin else "FASTER" if high < -margin else "AMBIGUOUS"


def _overhead(cell: Cell, random_: random.Random) -> list[dict]:
    rows = []
    for clock, share, noisier in (("wall", 1.0, 4.0), ("awaited", 0.8, 1.0), ("process_cpu", 1.6, 3.0)):
        step_us = cell.step_ms * 1000 * share
        half = step_us * cell.noise_percent / 100 * noisier
        margin = max(step_us * MARGIN_PERCENT / 100, MARGIN_US)
        for arm in cell.arms:
            if ROLES.get(arm) == "reference":
                continue
            us = COST_US.get(arm, 5.0) + random_.uniform(-0.3, 0.3) * half
            low, high = us - half, us + half
            word = verdict(low, high, margin)
            rows.append(
                {
                    "cell_id": cell.cell_id,
                    "arm": arm,
                    "reference": reference_of(cell.arms, arm),
                    "clock": clock,
                    "overhead_us": us,
                    "overhead_us_lo": low,
                    "overhead_us_hi": high,
                    "overhead_percent": us / step_us * 100,
                    "overhead_percent_lo": low / step_us * 100,
                    "overhead_percent_hi": high / step_us * 100,
                    "reference_step_us": step_us,
                    "pairs": cell.super_blocks * cell.launches,
                    "launches": cell.launches,
                    "aa_us_lo": -half,
                    "aa_us_hi": half * 0.9,
                    "injected_true_us": 101.0,
                    "injected_us": 101.0 + half / 3,
                    "verdict": word,
                    "reason": REASONS.get(word, "interval against the margin"),
                    "overhead_us_of_means": us * 1.1,
                    "p_value": 0.00003 if low > 0 else 0.021,
                    "p_holm": (0.00003 if low > 0 else 0.021) * (1 if arm in CONTROLS else FAMILY),
                    "comparisons": 1 if arm in CONTROLS else FAMILY,
                }
            )
    return rows


REASONS = {
    "UNMEASURABLE": "sigma_d 5.1 %, 5,400 pairs needed, 7 measured; load 2.4, steal 0.3 s: use a quiet machine",
    "AMBIGUOUS": "900 more pairs would decide",
}


def _cell_rows(cell: Cell, _: random.Random) -> list[dict]:
    return [
        {
            "cell_id": cell.cell_id,
            "label": cell.full_label(),
            "workload": cell.workload,
            "strategy": "ddp",
            "backend": "gloo",
            "precision": "fp32",
            "nodes": 1,
            "ranks_per_node": 2,
            "world_size": 2,
            "batch_size_per_rank": 16,
            "global_batch_size": 32,
            "options": "stem=imagenet;data=cifar",
            "launches_ok": cell.launches,
            "super_blocks": cell.super_blocks,
            "reference_step_ms": cell.step_ms,
        }
    ]


def mean_step_s(cell: Cell, arm: str) -> float:
    return cell.step_ms / 1000 * 1.02 + COST_US.get(arm, 5.0) / 1e6


def _breakdown(cell: Cell, _: random.Random) -> list[dict]:
    rows = []
    for arm in cell.arms:
        step = mean_step_s(cell, arm)
        parts = dict(zip(PHASES, PHASE_SHARES, strict=True))
        rows += [
            {"cell_id": cell.cell_id, "arm": arm, "phase": phase, "mean_s": step * share, "share": share, "in_sum": 1}
            for phase, share in parts.items()
        ]
        rows.append(
            {
                "cell_id": cell.cell_id,
                "arm": arm,
                "phase": "comm_wait",
                "mean_s": step * 0.19,
                "share": 0.19,
                "in_sum": 0,
            }
        )
    return rows


def _distribution(cell: Cell, random_: random.Random) -> list[dict]:
    rows = []
    for arm in cell.arms:
        times = sorted(_step_ms(cell, arm, random_) for _ in range(2001))
        rows += [
            {"cell_id": cell.cell_id, "arm": arm, "quantile": n / 200, "step_ms": times[n * 10]} for n in range(201)
        ]
    return rows


def _step_ms(cell: Cell, arm: str, random_: random.Random) -> float:
    slow = 6.0 if random_.random() < 0.004 else 1.0
    return (
        (cell.step_ms + COST_US.get(arm, 5.0) / 1000) * random_.lognormvariate(0, 0.05 + cell.noise_percent / 20) * slow
    )


def _drift(cell: Cell, random_: random.Random) -> list[dict]:
    rows = []
    for n in range(cell.launches):
        for block in range(1, min(cell.super_blocks, 300) + 1):
            wave = 1 + 0.03 * math.sin(block / 40 + n)
            rows += [
                {
                    "cell_id": cell.cell_id,
                    "launch_id": f"L{cell.cell_id}-{n}",
                    "arm": arm,
                    "super_block": block,
                    "step_ms": _step_ms(cell, arm, random_) * wave,
                }
                for arm in cell.arms
            ]
    return rows


def _loss(cell: Cell, random_: random.Random) -> list[dict]:
    rows = []
    for n in range(cell.launches):
        base = {"cell_id": cell.cell_id, "launch_id": f"L{cell.cell_id}-{n}"}
        check = [2.3 - 0.05 * step + random_.uniform(-0.05, 0.05) for step in range(1, 6)]
        for arm in cell.arms:
            rows += [
                base | {"arm": arm, "source": "equal_work", "index": step + 1, "loss": loss}
                for step, loss in enumerate(check)
            ]
            rows += [
                base
                | {
                    "arm": arm,
                    "source": "training",
                    "index": block,
                    "loss": 2.3 * math.exp(-block / 150) + random_.uniform(0, 0.2),
                }
                for block in range(1, min(cell.super_blocks, 120) + 1)
            ]
    return rows


def many_cells(count: int) -> tuple[Cell, ...]:
    """A sweep: long ladder names, more cells and arms than any figure shows."""
    ladder = ("raw", "raw_again", "trainer", *(f"trainer+feature{n}" for n in range(12)), "py_lightning", "injected")
    return tuple(
        Cell(
            f"c{n:03d}",
            "convnet_cifar10",
            5.0 + n,
            noise_percent=0.05 * (n + 1),
            super_blocks=60,
            launches=3,
            arms=ladder,
            label=f"convnet_cifar10 · ddp · gloo · fp32 · 1×{n + 1} ranks · batch {16 * (n + 1)}"
            " · bucket_cap_mb=25, accumulate=1, workers=2",
        )
        for n in range(count)
    )

"""Whole trainings of two arms in each cell, made up: the second one's checkpoint takes 50 ms more, half of it in one call."""

from __future__ import annotations

NOTHING = float("nan")
PARTS = {"training": 31_000.0, "epoch": 10_000.0, "head": 1_000.0, "steps": 8_000.0, "checkpoint": 100.0, "test": 500.0}


def whole_trainings(cells: tuple) -> list[dict]:
    rows = []
    for cell in cells:
        for arm in ("raw", "trainer"):
            calls = {}
            if arm == "trainer":
                calls = {("checkpoint", "Mine.on_save_checkpoint"): 25.0, ("checkpoint", "Mine.setup"): 0.5}
            for (part, call), ms in ({(part, ""): ms for part, ms in PARTS.items()} | calls).items():
                extra = 50.0 if part in ("training", "epoch", "checkpoint") and not call else 0.0
                rows.append(
                    {
                        "cell_id": cell.cell_id,
                        "arm": arm,
                        "reference": "raw",
                        "part": part,
                        "call": call,
                        "is_once": int(part in ("training", "head", "test")),
                        "ms": ms + (extra if arm == "trainer" else 0),
                        **_estimate("extra_ms", NOTHING if arm == "raw" else extra, 2.0),
                        **_estimate("growth_ms", NOTHING if arm == "raw" or part == "head" else 0.0, 1.0),
                        "launches": 5,
                        "epochs": 3,
                    }
                )
    return rows


def whole_training_results(cells: tuple) -> list[dict]:
    return [
        {
            "cell_id": cell.cell_id,
            "arm": arm,
            "reference": "raw",
            "samples_per_s": 1234.5,
            "validation_accuracy": 0.905,
            "test_accuracy": 0.891,
            "epochs": 3,
            "launches": 5,
        }
        for cell in cells
        for arm in ("raw", "trainer")
    ]


def _estimate(name: str, value: float, width: float) -> dict:
    return {name: value, f"{name}_lo": value - width, f"{name}_hi": value + width}

"""Rows of the tables beyond the overhead, made up by formula: the step-time law and the ladder."""

from __future__ import annotations

STEPS_MS = (0.1, 0.2, 0.4, 0.9, 1.8, 3.5)
CLOCKS = ("thread_cpu", "wall")
RUNGS = ("loops", "fetch", "loss")


def law_groups(cells: tuple) -> list[str]:
    """A group per cell: as many as the figure of a sweep has to choose from."""
    return [f"{cell.workload}, ddp, gloo, fp32, 1 node, {place + 1} ranks per node" for place, cell in enumerate(cells)]


def laws(cells: tuple) -> list[dict]:
    rows = []
    for place, (group, cell) in enumerate(zip(law_groups(cells), cells, strict=True)):
        for clock in CLOCKS:
            for nth, arm in enumerate(cell.arms[1:]):
                c, s = 3.1 + place - 0.6 * nth, 0.0004 * (nth + 1)
                rows.append(
                    {
                        "group": group,
                        "arm": arm,
                        "clock": clock,
                        "step_lengths": len(STEPS_MS),
                        "step_ms_min": STEPS_MS[0],
                        "step_ms_max": STEPS_MS[-1],
                        "c_us": c,
                        "c_us_lo": c - 0.4,
                        "c_us_hi": c + 0.4,
                        "s": s,
                        "s_lo": s - 0.0003,
                        "s_hi": s + 0.0003,
                        "chi_square": 3.1,
                        "scale": 1.0,
                        "step_ms_at_1_percent": c / (0.01 - s) / 1000,
                        "step_ms_at_1_percent_lo": (c - 0.4) / (0.01 - s) / 1000,
                        "step_ms_at_1_percent_hi": (c + 0.4) / (0.01 - s) / 1000,
                        "at_1_percent": "bounded",
                        "step_ms_at_5_percent": float("nan"),
                        "step_ms_at_5_percent_lo": float("nan"),
                        "step_ms_at_5_percent_hi": float("nan"),
                        "at_5_percent": "never",
                        "reason": "",
                    }
                )
    rows.append(dict.fromkeys(rows[0], "") | {"group": "two", "arm": "trainer", "clock": "thread_cpu", "reason": "no law: 2"})
    return rows


def curves(cells: tuple) -> list[dict]:
    rows = []
    for law in laws(cells)[:-1]:
        places = [("point", step) for step in STEPS_MS] + [("line", STEPS_MS[-1] * n / 40) for n in range(41)]
        for n, (kind, step_ms) in enumerate(places):
            us = law["c_us"] + law["s"] * step_ms * 1000 + (0.3 * (-1) ** n if kind == "point" else 0.0)
            half = 0.5 if kind == "point" else 0.4 + 0.1 * step_ms
            rows.append(
                {key: law[key] for key in ("group", "arm", "clock")}
                | {
                    "kind": kind,
                    "cell_id": "",
                    "step_ms": step_ms,
                    "overhead_us": us,
                    "overhead_us_lo": us - half,
                    "overhead_us_hi": us + half,
                }
            )
    return rows


def ladder(cells: tuple) -> list[dict]:
    return [row for cell in cells for clock in CLOCKS for row in _ladder_of(cell, clock)]


def _ladder_of(cell: object, clock: str) -> list[dict]:
    step = {"loops": 1.6, "fetch": 0.4, "loss": 1.1}
    rungs = [("cumulative", feature, step[feature], "") for feature in RUNGS]
    rows = [
        *rungs,
        ("total", "+".join(RUNGS), 3.05, 3.05 - 3.1),
        ("leave_one_out", "fetch", 0.3, ""),
        ("leave_one_out", "loss", 0.9, ""),
        ("interaction", "fetch+loss", 0.25, ""),
    ]
    return [
        {
            "cell_id": cell.cell_id,
            "clock": clock,
            "base": "trainer",
            "kind": kind,
            "feature": feature,
            "arm": "trainer",
            "reference": "raw",
            "cost_us": us,
            "cost_us_lo": us - 0.2,
            "cost_us_hi": us + 0.25,
            "pairs": cell.super_blocks * cell.launches,
            "launches": cell.launches,
            "remainder_us": remainder,
        }
        for kind, feature, us, remainder in rows
    ]

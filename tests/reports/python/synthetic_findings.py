"""Rows of the tables beyond the overhead, made up by formula."""

from __future__ import annotations

import synthetic_collectives
import synthetic_links
import synthetic_phase_memory
import synthetic_start_up
import synthetic_step_parts
import synthetic_traces
import synthetic_whole_trainings

STEPS_MS = (0.1, 0.2, 0.4, 0.9, 1.8, 3.5)
CLOCKS = ("awaited", "wall")
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
                        "step_us_min": 1000 * STEPS_MS[0],
                        "step_us_max": 1000 * STEPS_MS[-1],
                        "c_us": c,
                        "c_us_lo": c - 0.4,
                        "c_us_hi": c + 0.4,
                        "s": s,
                        "s_lo": s - 0.0003,
                        "s_hi": s + 0.0003,
                        "chi_square": 3.1,
                        "scale": 1.0,
                        "step_us_at_1_percent": c / (0.01 - s),
                        "step_us_at_1_percent_lo": (c - 0.4) / (0.01 - s),
                        "step_us_at_1_percent_hi": (c + 0.4) / (0.01 - s),
                        "at_1_percent": "bounded",
                        "step_us_at_5_percent": float("nan"),
                        "step_us_at_5_percent_lo": float("nan"),
                        "step_us_at_5_percent_hi": float("nan"),
                        "at_5_percent": "never",
                        "reason": "",
                    }
                )
    rows.append(dict.fromkeys(rows[0], "") | {"group": "two", "arm": "trainer", "clock": "awaited", "reason": "no law: 2"})
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
                    "step_us": 1000 * step_ms,
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


def carry_over(cells: tuple) -> list[dict]:
    rows = []
    for cell in cells:
        for previous in ("raw", "injected"):
            effect = 0.9 if previous == "injected" and cell is cells[0] else 0.02
            rows.append(
                {
                    "cell_id": cell.cell_id,
                    "clock": "awaited",
                    "arm": "trainer",
                    "previous": previous,
                    "effect_us": effect,
                    "effect_us_lo": effect - 0.2,
                    "effect_us_hi": effect + 0.2,
                    "super_blocks": 130,
                    "others": 270,
                    "p": 0.0001 if effect > 0.5 else 0.8,
                    "p_holm": 0.001 if effect > 0.5 else 1.0,
                    "stands_out": int(effect > 0.5),
                }
            )
    return rows


def efficiency(cells: tuple) -> list[dict]:
    rows = []
    for place, cell in enumerate(cells):
        for arm in ("raw", "trainer"):
            balance, communication = 0.97 - 0.1 * (place % 4), 0.9 - 0.05 * (place % 4)
            ideal = arm == "raw"
            rows.append(
                {
                    "cell_id": cell.cell_id,
                    "arm": arm,
                    "ranks": 2,
                    "launches": cell.launches,
                    "load_balance": balance,
                    "communication_efficiency": communication,
                    "parallel_efficiency": balance * communication,
                    "parallel_efficiency_lo": balance * communication - 0.02,
                    "parallel_efficiency_hi": balance * communication + 0.02,
                    "serialisation_efficiency": 0.98 if ideal else float("nan"),
                    "transfer_efficiency": communication / 0.98 if ideal else float("nan"),
                    "contention": 1.0 if ideal else float("nan"),
                    "exposed_us": 40.0 if ideal else float("nan"),
                    "exposed_us_lo": 35.0 if ideal else float("nan"),
                    "exposed_us_hi": 45.0 if ideal else float("nan"),
                    "mode": "weak" if place else "",
                    "reference_cell": cells[0].cell_id if place else "",
                    "computation_scaling": 0.99 if place else float("nan"),
                    "global_efficiency": 0.99 * balance * communication if place else float("nan"),
                    "identity_error_percent": 0.01 if place else float("nan"),
                }
            )
    return rows


def scaling(cells: tuple) -> list[dict]:
    rows = []
    for cell in cells:
        subject = next((arm for arm in cell.arms if arm.startswith("trainer")), "trainer")
        for ranks in (1, 2, 4):
            for nth, arm in enumerate(("raw", subject)):
                efficient = 1.0 if ranks == 1 else 0.95 - 0.05 * ranks - 0.01 * nth
                rows.append(
                    {
                        "cell_id": cell.cell_id,
                        "workload": cell.workload,
                        "strategy": "ddp",
                        "backend": "gloo",
                        "precision": "fp32",
                        "nodes": 1,
                        "ranks_per_node": ranks,
                        "batch_size_per_rank": 16,
                        "options": f"cell={cell.cell_id}",
                        "arm": arm,
                        "world_size": ranks,
                        "mode": "weak",
                        "samples_per_s": 1000.0 * ranks * efficient,
                        "samples_per_s_lo": 980.0 * ranks * efficient,
                        "samples_per_s_hi": 1020.0 * ranks * efficient,
                        "speedup": ranks * efficient,
                        "speedup_lo": ranks * (efficient - 0.03),
                        "speedup_hi": ranks * (efficient + 0.03),
                        "efficiency": efficient,
                        "efficiency_lo": efficient - 0.03,
                        "efficiency_hi": efficient + 0.03,
                        "reference_cell": cell.cell_id,
                        "launches": cell.launches,
                        "super_blocks": cell.super_blocks,
                    }
                )
    return rows


def settings(cells: tuple) -> list[dict]:
    """A comparison per cell, on two clocks; in turn alike, of one repetition, slower, not resolved."""
    kinds = (
        (40.0, 9.0, 5, "SLOWER", "beyond chance among all comparisons on this clock"),
        (-3.0, 20.0, 5, "AMBIGUOUS", "neither inside ±2 us nor beyond chance; more repetitions (protocol.launches) would tell"),
        (0.2, 0.6, 3, "EQUIVALENT", "inside ±2 us"),
        (1.5, float("nan"), 1, "", "one repetition: no interval"),
    )
    rows = []
    for place, cell in enumerate(cells):
        us, half, repetitions, verdict, reason = kinds[(place + 2) % len(kinds)]
        for clock in CLOCKS:
            step_us = cell.step_ms * 1000
            rows.append(
                {
                    "setting": "bucket_cap_mb",
                    "value": "1",
                    "reference_value": "25",
                    "cell_id": cell.cell_id,
                    "reference_cell_id": f"{cell.cell_id}-25",
                    "clock": clock,
                    "difference_us": us,
                    "difference_us_lo": us - half,
                    "difference_us_hi": us + half,
                    "difference_percent": 100 * us / step_us,
                    "difference_percent_lo": 100 * (us - half) / step_us,
                    "difference_percent_hi": 100 * (us + half) / step_us,
                    "reference_step_us": step_us,
                    "repetitions": repetitions,
                    "p": 0.00002 if verdict == "SLOWER" else 0.61 if repetitions > 1 else float("nan"),
                    "p_holm": 0.0043 if verdict == "SLOWER" else 1.0 if repetitions > 1 else float("nan"),
                    "comparisons": 2,
                    "verdict": verdict,
                    "reason": reason,
                }
            )
    return rows


def audit(_: tuple) -> list[dict]:
    return [
        {
            "what": what,
            "severity": severity,
            "values": values,
            "launches": 16,
            "cells": 4,
            "within_a_cell": int(severity == "error"),
            "asked_for": "threads_per_rank" if severity == "asked_for" else "",
        }
        for what, severity, values in (
            ("torch", "error", "2.11.0 (15 launches: Lc001-0, …); 2.12.0 (1 launch: Lc003-0)"),
            ("cpu_mhz", "warning", "1500.5 (Lc001-1) to 2100 (Lc002-3)"),
            ("threads_per_rank", "asked_for", "1 (8 launches: …); 2 (8 launches: …)"),
        )
    ]


def metrics(cells: tuple) -> list[dict]:
    rows = []
    for cell in cells:
        of_launch = {"arm": "", "values": 2 * cell.launches, "launches": cell.launches}
        rows.append({"cell_id": cell.cell_id, "metric": "deterministic", "unit": "1", **_values(0), **of_launch})
        rows.append({"cell_id": cell.cell_id, "metric": "peak_memory_mib", "unit": "MiB", **_values(402.25), **of_launch})
        for arm in cell.arms:
            of_arm = {"arm": arm, "values": 2 * cell.launches, "launches": cell.launches}
            faults = 0.30000000000000004
            rows.append({"cell_id": cell.cell_id, "metric": "page_faults_per_step", "unit": "1", **_values(faults), **of_arm})
    return rows


def _values(median: float) -> dict[str, float]:
    return {"median": median, "smallest": 0.9 * median, "largest": 1.1 * median}


def nodes(_: tuple) -> list[dict]:
    """One node of three is slow, and has a bad link."""
    rows = []
    for node, factor in (("jza1", 1.0), ("jza2", 1.98), ("jza3", 1.01)):
        for check, seconds in (("product_s", 0.041), ("copy_s", 0.012), ("link_latency_s", 2.1e-5), ("wrong_sums", 0.0)):
            timed = check in ("product_s", "copy_s")
            rows.append(
                {
                    "node": node,
                    "source": "check",
                    "started_utc": "2026-01-01T00:00:00Z",
                    "check": check,
                    "value": seconds * factor,
                    "ratio": factor if check != "wrong_sums" else float("nan"),
                    "ratio_lo": 0.99 * factor if timed else float("nan"),
                    "ratio_hi": 1.01 * factor if timed else float("nan"),
                    "samples": 24 if timed else 0,
                    "finding": "slow" if factor > 1.5 and check != "wrong_sums" else "ok",
                    "reason": "the same takes 1.98 times as long as on the other nodes" if factor > 1.5 and timed else "",
                }
            )
    return rows


def skew(cells: tuple) -> list[dict]:
    """Two nodes of two ranks; the last rank is slow, the more the later the cell stands."""
    return [
        {
            "cell_id": cell.cell_id,
            "arm": "raw",
            "rank": rank,
            "node_rank": rank // 2,
            "node": f"jza{rank // 2 + 1}",
            "ratio": 1 + (0.03 if rank == 3 else -0.01) * (place + 1),
            "ratio_lo": 1 + (0.03 if rank == 3 else -0.01) * (place + 1) - 0.004,
            "ratio_hi": 1 + (0.03 if rank == 3 else -0.01) * (place + 1) + 0.004,
            "samples": cell.super_blocks,
            "launches": cell.launches,
        }
        for place, cell in enumerate(cells)
        for rank in range(4)
    ]


def held_out(cells: tuple) -> list[dict]:
    return [
        {
            "cell_id": cells[0].cell_id,
            "arm": arm,
            "mode": "weak",
            "reference_cell": cells[0].cell_id,
            "nodes": 1,
            "world_size": ranks,
            "sizes": 2,
            "step_ms": 10.0 + ranks,
            "predicted_ms": (10.0 + ranks) * 1.03,
            "predicted_ms_lo": 10.5 + ranks if ranks == 4 else 9.0 + ranks,
            "predicted_ms_hi": 12.0 + ranks,
            "compute_ms": 9.0,
            "skew_ms": 0.5,
            "exposed_ms": 0.5 + ranks,
            "error_percent": 3.0,
            "is_inside": int(ranks != 4),
            "reason": "",
        }
        for arm in ("raw", "raw_again")
        for ranks in (1, 2, 4)
    ]


def batch_memory(cells: tuple) -> list[dict]:
    return [
        {
            "cell_id": cells[0].cell_id,
            "where": "device",
            "world_size": 4,
            "batch_sizes": 3,
            "batch_size_per_rank": 128,
            "peak_mib": 9 * 1024,
            "available_mib": 40 * 1024,
            "fixed_mib": 1024,
            "mib_per_sample": 64,
            "largest_batch": 624,
            "did_not_fit": 0,
        }
    ]


TABLES = {
    "tables/traced_parts.csv": synthetic_traces.traced_parts,
    "tables/trace_memory.csv": synthetic_traces.trace_memory,
    "tables/traces.csv": synthetic_traces.traces,
    "tables/phase_memory.csv": synthetic_phase_memory.phase_memory,
    "tables/whole_trainings.csv": synthetic_whole_trainings.whole_trainings,
    "tables/whole_training_results.csv": synthetic_whole_trainings.whole_training_results,
    "tables/step_parts.csv": synthetic_step_parts.step_parts,
    "tables/start_up.csv": synthetic_start_up.start_up,
    "collectives.csv": synthetic_collectives.collectives,
    "tables/collective_fits.csv": synthetic_collectives.collective_fits,
    "tables/backend_shares.csv": synthetic_collectives.backend_shares,
    "tables/batch_memory.csv": batch_memory,
    "tables/held_out.csv": held_out,
    "tables/nodes.csv": nodes,
    "tables/links.csv": synthetic_links.links,
    "tables/skew.csv": skew,
    "tables/metrics.csv": metrics,
    "tables/step_time_law.csv": laws,
    "tables/step_time_curve.csv": curves,
    "tables/ladder.csv": ladder,
    "tables/carry_over.csv": carry_over,
    "tables/efficiency.csv": efficiency,
    "scaling.csv": scaling,
    "tables/settings.csv": settings,
    "tables/audit.csv": audit,
}

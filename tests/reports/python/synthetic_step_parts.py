"""What each arm's step goes into."""

from __future__ import annotations

STEP_PARTS = {
    "compute": 0.55,
    "exposed communication": 0.25,
    "waiting for a slower rank": 0.1,
    "data": 0.06,
    "host": 0.04,
}


def step_parts(cells: tuple) -> list[dict]:
    """An ideal network shows what the first arm could save; every other arm waits for nobody."""
    return [
        {
            "cell_id": cell.cell_id,
            "arm": arm,
            "part": part,
            "ms": share * cell.step_ms,
            "ms_lo": 0.95 * share * cell.step_ms,
            "ms_hi": 1.05 * share * cell.step_ms,
            "share": share,
            "step_ms": cell.step_ms,
            "step_ms_lo": 0.98 * cell.step_ms,
            "step_ms_hi": 1.02 * cell.step_ms,
            "is_bottleneck": int(part == "exposed communication"),
            "saves_ms": 0.9 * share * cell.step_ms,
            "saves_ms_lo": 0.8 * share * cell.step_ms,
            "saves_ms_hi": share * cell.step_ms,
            "measured_by": "raw+ideal" if arm == "raw" and part == "exposed communication" else "",
            "slowest_rank": "1" if part == "waiting for a slower rank" else "",
            "without_core_ms": 0.01 * cell.step_ms,
            "without_core_ms_lo": 0.0,
            "without_core_ms_hi": 0.02 * cell.step_ms,
            "launches": cell.launches,
        }
        for cell in cells
        for arm in cell.arms
        for part, share in STEP_PARTS.items()
    ]

"""Peak memory by phase of two arms in each cell, made up: the second takes 4 MiB more in each phase."""

from __future__ import annotations

PHASES = {"set_up": 60.0, "data": 12.0, "forward": 50.0, "backward": 80.0, "optimizer": 20.0}


def phase_memory(cells: tuple) -> list[dict]:
    rows = []
    for cell in cells:
        for arm, extra, around in (("raw", float("nan"), "other"), ("trainer", 4.0, "wrapper")):
            for phase, mib in (PHASES | {around: 10.0}).items():
                more = 4.0 if arm == "trainer" else 0.0
                rows.append(
                    {
                        "cell_id": cell.cell_id,
                        "arm": arm,
                        "reference": "raw",
                        "phase": phase,
                        "tensors_mib": mib + more,
                        "extra_tensors_mib": extra if phase != around else float("nan"),
                        "reserved_mib": float("nan"),
                        "is_peak": int(phase == "backward"),
                        "ranks": 2,
                    }
                )
    return rows

"""Rows of two recorded ranks."""


def traces(cells: tuple) -> list[dict]:
    return [
        {
            "cell_id": cells[0].cell_id,
            "profiler": "kineto",
            "arms": "raw trainer",
            "rank": rank,
            "first_step": 11,
            "last_step": 20,
            "file": f"profiles/{cells[0].cell_id}-r0-kineto/rank{rank}.pt.trace.json.gz",
            "open_with": "ui.perfetto.dev, chrome://tracing or TensorBoard",
        }
        for rank in range(2)
    ]


TRACED_PARTS = {"compute": 0.6, "exposed communication": 0.2, "waiting for a slower rank": 0.05, "data": 0.05, "host": 0.1}


def traced_parts(cells: tuple) -> list[dict]:
    """Of the second arm of the first cell, whose steps take a tenth longer while they are recorded."""
    cell = cells[0]
    return [
        {
            "cell_id": cell.cell_id,
            "arm": cell.arms[1],
            "part": part,
            "ms": 1.1 * cell.step_ms * share,
            "share": share,
            "least_share": 0.9 * share,
            "most_share": 1.1 * share,
            "step_ms": 1.1 * cell.step_ms,
            "is_bottleneck": int(part == "exposed communication"),
            "slowest_rank": "1" if part == "waiting for a slower rank" else "",
            "ranks": 2,
            "steps": 10,
        }
        for part, share in TRACED_PARTS.items()
    ]


# What lives when each phase of a step begins, MiB; forward grows in four strides.
MEMORY = (
    ("other", 0, 20.0),
    ("data", 5, 20.0),
    ("forward", 100, 22.0),
    ("forward", 250, 40.0),
    ("forward", 400, 60.0),
    ("forward", 600, 80.0),
    ("other", 700, 80.0),
    ("backward", 710, 80.0),
    ("backward", 900, 95.0),
    ("backward", 1300, 50.0),
    ("optimizer", 1500, 30.0),
    ("other", 1900, 20.0),
    ("end", 2000, 20.0),
)


def trace_memory(cells: tuple) -> list[dict]:
    return [
        {
            "launch_id": f"{cell.cell_id}-r0-kineto",
            "cell_id": cell.cell_id,
            "arm": arm,
            "rank": rank,
            "device": "cpu",
            "phase": phase,
            "us": us,
            "allocated_mib": mib + rank,
            "reserved_mib": float("nan"),
        }
        for cell in cells
        for arm in ("raw", "trainer")
        for rank in range(2)
        for phase, us, mib in MEMORY
    ]

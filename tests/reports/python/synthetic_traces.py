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
            "file": f"profiles/{cells[0].cell_id}-r0-profile.rank{rank}.json.gz",
            "open_with": "ui.perfetto.dev, or chrome://tracing",
        }
        for rank in range(2)
    ]


def trace_steps(cells: tuple) -> list[dict]:
    parts = {"step": 2000.0, "operations": 1400.0, "exposed communication": 400.0, "data": 50.0, "host between operations": 150.0}
    return [
        {
            "launch_id": f"{cells[0].cell_id}-r0-profile",
            "cell_id": cells[0].cell_id,
            "arm": "trainer",
            "rank": 0,
            "steps": 10,
            "part": part,
            "us": us,
            "share": us / parts["step"],
        }
        for part, us in parts.items()
    ]

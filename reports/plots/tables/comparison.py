"""The tables of `ddpbench compare`: new against base."""

from __future__ import annotations

from reports.plots.tables.csv_table import Row

REGRESSION, PASS, OPEN = "REGRESSION", "PASS", "OPEN"
GATES = (REGRESSION, OPEN, PASS, "")  # what has to be looked at first


def figure_name(row: Row) -> str:
    return f"{row.arm}'s {row.what}"


def percent_of_step(row: Row, us: float) -> float:
    """Returns it in percent of the step that the user waits for; NaN where that is not known."""
    return 100 * us / row.step_us if row.step_us > 0 else float("nan")

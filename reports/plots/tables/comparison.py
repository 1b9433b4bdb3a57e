"""The tables of `ddpbench compare`: new against base. They are in no schema, so that their columns stand here."""

from __future__ import annotations

from reports.plots.tables.csv_table import Row

REGRESSION, PASS, OPEN = "REGRESSION", "PASS", "OPEN"
GATES = (REGRESSION, OPEN, PASS, "")  # what has to be looked at first

CHANGE_PERCENT = ("change_percent", "change_percent_lo", "change_percent_hi")
CHANGES = (  # comparison.csv
    dict.fromkeys(("cell_id", "what", "arm", "clock", "verdict", "gate", "reason"), "text")
    | dict.fromkeys(("base_us", "new_us", "change_us", "change_us_lo", "change_us_hi", *CHANGE_PERCENT), "number")
    | dict.fromkeys(("step_us", "aa_lo_us", "aa_hi_us", "margin_us", "settle_launches"), "number")
    | dict.fromkeys(("base_launches", "new_launches"), "integer")
    | {"counts": "flag"}
)
INSTRUCTION_CHANGES = (  # comparison_instructions.csv
    dict.fromkeys(("cell_id", "what", "arm", "verdict"), "text") | dict.fromkeys(("base", "new", *CHANGE_PERCENT), "number")
)


def figure_name(row: Row) -> str:
    return f"{row.arm}'s {row.what}"


def percent_of_step(row: Row, us: float) -> float:
    """Returns it in percent of the step that the user waits for; NaN where that is not known."""
    return 100 * us / row.step_us if row.step_us > 0 else float("nan")

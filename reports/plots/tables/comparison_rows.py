"""One row of comparison.csv and of comparison_instructions.csv: new against base."""

from __future__ import annotations

from dataclasses import dataclass

REGRESSION, PASS, OPEN = "REGRESSION", "PASS", "OPEN"
GATES = (REGRESSION, OPEN, PASS, "")  # what has to be looked at first


@dataclass(frozen=True, slots=True)
class ComparedRow:
    cell_id: str
    what: str
    arm: str
    clock: str
    base_us: float
    new_us: float
    change_us: float
    change_us_lo: float
    change_us_hi: float
    change_percent: float
    change_percent_lo: float
    change_percent_hi: float
    step_us: float
    aa_lo_us: float
    aa_hi_us: float
    margin_us: float
    base_launches: int
    new_launches: int
    settle_launches: float
    counts: bool
    verdict: str
    gate: str
    reason: str

    @property
    def quantity(self) -> str:
        return f"{self.arm}'s {self.what}"

    def percent(self, us: float) -> float:
        """Returns it in percent of the step that the user waits for; NaN where that is not known."""
        return 100 * us / self.step_us if self.step_us > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class InstructionChangeRow:
    cell_id: str
    what: str
    arm: str
    base: float
    new: float
    change_percent: float
    change_percent_lo: float
    change_percent_hi: float
    verdict: str

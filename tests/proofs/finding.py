"""What a proof found: a claim, the figure that was measured, the bound that it must keep."""

from __future__ import annotations

from dataclasses import dataclass

# Half-widths of 99.9 % over those of 95 %, of a normal distribution: chance then breaks a bound once in a thousand runs.
WIDER = 3.291 / 1.960


@dataclass(frozen=True)
class Finding:
    claim: str
    figure: str
    bound: str
    held: bool


def half_width_us(row: dict[str, str]) -> float:
    return 0.5 * (float(row["overhead_us_hi"]) - float(row["overhead_us_lo"]))


def interval_us(row: dict[str, str]) -> str:
    return f"{float(row['overhead_us']):+.1f} [{float(row['overhead_us_lo']):+.1f}, {float(row['overhead_us_hi']):+.1f}] us"


def at_most(claim: str, value: float, bound: float, unit: str) -> Finding:
    return Finding(claim, f"{value:.3g} {unit}", f"at most {bound:g} {unit}", value <= bound)

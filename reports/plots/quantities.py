"""Numbers as text. The last digit shown is the third of the largest number beside it: no digit that nobody measured."""

from __future__ import annotations

import math

NOT_MEASURED = "not measured"


def decimals_for(*values: float) -> int:
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest == 0:
        return 1
    return min(max(2 - math.floor(math.log10(largest)), 0), 5)


def number(value: float, decimals: int | None = None, signed: bool = False) -> str:
    if not math.isfinite(value):
        return NOT_MEASURED
    digits = decimals_for(value) if decimals is None else decimals
    return f"{value:{'+' if signed else ''},.{digits}f}".replace("-", "−")


def interval(low: float, high: float, decimals: int | None = None) -> str:
    if not (math.isfinite(low) and math.isfinite(high)):
        return NOT_MEASURED
    digits = decimals_for(low, high) if decimals is None else decimals
    return f"[{number(low, digits, signed=True)}, {number(high, digits, signed=True)}]"


def estimate(value: float, low: float, high: float) -> str:
    """Returns "+1.62 [+1.10, +2.15]"."""
    if not math.isfinite(value):
        return NOT_MEASURED
    digits = decimals_for(value, low, high)
    bounds = interval(low, high, digits)
    return f"{number(value, digits, signed=True)} {bounds if bounds != NOT_MEASURED else '[no interval]'}"


def with_bounds(value: float, low: float, high: float) -> str:
    """Returns "1.62 [1.10, 2.15]" for what has no sign; "1.62" without an interval, "" where it was not measured."""
    if not math.isfinite(value):
        return ""
    return f"{number(value)} [{number(low)}, {number(high)}]" if math.isfinite(low) else number(value)


def ratio(value: float, low: float, high: float) -> str:
    """Returns "1.98 [1.90, 2.05] ×", as with_bounds."""
    if not math.isfinite(value):
        return ""
    bounds = f" [{low:.2f}, {high:.2f}]" if math.isfinite(low) else ""
    return f"{value:.2f}{bounds} ×"


def probability(p: float) -> str:
    """Writes p as the reasons of verdicts do: two digits, and no zeros that nobody computed."""
    if not math.isfinite(p):
        return NOT_MEASURED
    return "< 0.0001" if p < 1e-4 else f"{p:.2g}"


def count_range(counts: list[int]) -> str:
    """Returns "400" or "120–400"."""
    if not counts:
        return "0"
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def plural(count: int, noun: str, ending: str = "s") -> str:
    return f"{count:,} {noun}{'' if count == 1 else ending}"

"""The step-time law: how the cost grows with the step, and at which step it is which share."""

from __future__ import annotations

from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, estimate, interval, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results
from reports.plots.wording import clock_name, short_groups

AT_SHARE = {"never": "less at every step", "always": "more at every step", "unknown": "open"}


def tables(results: Results) -> list[PlainTable]:
    confidence = float(results.summary.get("confidence_percent") or 95)
    names = short_groups(law.group for law in results.step_time_law)
    columns = [
        Column("Cells of", lambda law: names[law.group]),
        Column("Arm", lambda law: law.arm),
        Column("Clock", lambda law: clock_name(law.clock)),
        Column("n: step lengths", _step_lengths),
        Column("c (µs per step)", lambda law: estimate(law.c_us, law.c_us_lo, law.c_us_hi), True),
        Column("s (µs per ms of step)", _slope, True),
        Column("1 % of a step of (ms)", lambda law: at_share(law, "1"), True),
        Column("5 % of a step of (ms)", lambda law: at_share(law, "5"), True),
    ]
    caption = (
        f"Δ = c + s · T over cells that differ in the length of their step; {confidence:g} % intervals (weighted least"
        " squares; Fieller's for the step at which an arm costs 1 % and 5 %). Fewer than five step lengths: no line."
    )
    order = {clock: place for place, clock in enumerate(results.clocks())}
    laws = [law for law in results.step_time_law if not results.facts_of(law.arm).is_control]
    laws.sort(key=lambda law: order.get(law.clock, len(order)))
    head = Head("step-time-law", "Step-time law", caption, "scale", 50)
    why = "No two cells differ in the length of their step alone."
    return [plain_table(head, columns, laws, "tables/step_time_law.csv", why)]


def _step_lengths(law: Row) -> str:
    if law.reason:
        return f"{law.step_lengths} ({law.reason})"
    return f"{law.step_lengths} from {number(law.step_us_min / 1000)} to {number(law.step_us_max / 1000)} ms"


def _slope(law: Row) -> str:
    return estimate(1000 * law.s, 1000 * law.s_lo, 1000 * law.s_hi)


def at_share(law: Row, percent: str) -> str:
    """Returns the step, ms, of which the arm costs so many percent."""
    if law.reason:
        return NOT_MEASURED
    kind = getattr(law, f"at_{percent}_percent")
    value, low, high = (getattr(law, f"step_us_at_{percent}_percent{end}") / 1000 for end in ("", "_lo", "_hi"))
    if kind == "unbounded":
        return f"longer than {number(low)}"
    return AT_SHARE.get(kind) or f"{number(value)} {interval(low, high)}".replace("+", "")

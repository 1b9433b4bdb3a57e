"""The tables beyond the overhead, in the order of the report."""

from __future__ import annotations

from reports.html.batch_memory_table import batch_memory_table
from reports.html.check_tables import audit_table, carry_over_table
from reports.html.collective_tables import collective_tables
from reports.html.counts_table import counts_table
from reports.html.efficiency_tables import efficiency_table, scaling_table
from reports.html.held_out_table import held_out_table
from reports.html.instructions_table import instructions_table
from reports.html.metrics_table import metrics_table
from reports.html.node_table import nodes_table
from reports.html.plain_table import Column, PlainTable, plain_table
from reports.html.training_table import training_table
from reports.plots.quantities import NOT_MEASURED, estimate, interval, number
from reports.plots.results import Results
from reports.plots.rows import LadderRow, StepTimeLawRow
from reports.plots.wording import LADDER_KINDS, capitalize_first, clock_name, short_clock, short_groups

AT_SHARE = {"never": "less at every step", "always": "more at every step", "unknown": "not resolved"}


def finding_tables(results: Results) -> list[PlainTable]:
    return [
        _laws(results),
        _ladder(results),
        instructions_table(results),
        counts_table(results),
        efficiency_table(results),
        training_table(results),
        scaling_table(results),
        held_out_table(results),
        batch_memory_table(results),
        *collective_tables(results),
        nodes_table(results),
        carry_over_table(results),
        audit_table(results),
        metrics_table(results),
    ]


# --- the step-time law --------------------------------------------------------------------------------------------


def _laws(results: Results) -> PlainTable:
    confidence = float(results.summary.get("confidence_percent") or 95)
    names = short_groups(law.group for law in results.laws)
    columns = [
        Column[StepTimeLawRow]("Cells of", lambda law: names[law.group]),
        Column[StepTimeLawRow]("Arm", lambda law: law.arm),
        Column[StepTimeLawRow]("Clock", lambda law: clock_name(law.clock)),
        Column[StepTimeLawRow]("n: step lengths", _step_lengths),
        Column[StepTimeLawRow]("c (µs per step)", lambda law: estimate(law.c_us, law.c_us_lo, law.c_us_hi), True),
        Column[StepTimeLawRow]("s (µs per ms of step)", _slope, True),
        Column[StepTimeLawRow]("1 % of a step of (ms)", lambda law: _at_share(law, "1"), True),
        Column[StepTimeLawRow]("5 % of a step of (ms)", lambda law: _at_share(law, "5"), True),
    ]
    caption = (
        f"Δ = c + s · T over cells that differ in the length of their step; {confidence:g} % intervals (weighted least"
        " squares; Fieller's for the step at which an arm costs 1 % and 5 %). Fewer than five step lengths: no line."
    )
    order = {clock: place for place, clock in enumerate(results.clocks())}
    laws = [law for law in results.laws if not results.facts_of(law.arm).is_control]
    laws.sort(key=lambda law: order.get(law.clock, len(order)))
    return plain_table(
        ("step-time-law", "Step-time law", caption),
        columns,
        laws,
        "tables/step_time_law.csv",
        "No two cells differ in the length of their step alone.",
    )


def _step_lengths(law: StepTimeLawRow) -> str:
    if law.reason:
        return f"{law.step_lengths} ({law.reason})"
    return f"{law.step_lengths} from {number(law.step_ms_min)} to {number(law.step_ms_max)} ms"


def _slope(law: StepTimeLawRow) -> str:
    return estimate(1000 * law.s, 1000 * law.s_lo, 1000 * law.s_hi)


def _at_share(law: StepTimeLawRow, percent: str) -> str:
    if law.reason:
        return NOT_MEASURED
    kind = getattr(law, f"at_{percent}_percent")
    value, low, high = (getattr(law, f"step_ms_at_{percent}_percent{end}") for end in ("", "_lo", "_hi"))
    if kind == "unbounded":
        return f"{number(value)} [{number(low)}, no upper bound]"
    return AT_SHARE.get(kind) or f"{number(value)} {interval(low, high)}".replace("+", "")


# --- the ladder ---------------------------------------------------------------------------------------------------


def _ladder(results: Results) -> PlainTable:
    labels = {cell.cell_id: cell.label for cell in results.cells}
    clock = next(iter(results.clocks()), "")
    columns = [
        Column[LadderRow]("Cell", lambda row: labels.get(row.cell_id, row.cell_id)),
        Column[LadderRow]("What", lambda row: LADDER_KINDS.get(row.kind, row.kind)),
        Column[LadderRow]("Feature", lambda row: row.feature),
        Column[LadderRow]("Arm less reference", lambda row: f"{row.arm} − {row.reference}"),
        Column[LadderRow]("Cost (µs per step)", lambda row: estimate(row.cost_us, row.cost_us_lo, row.cost_us_hi), True),
        Column[LadderRow]("n: pairs / launches", lambda row: f"{row.pairs:,} / {row.launches}", True),
        Column[LadderRow]("Not closed (µs)", _remainder, True),
    ]
    caption = (
        f"{capitalize_first(short_clock(clock))}; the other clocks are in the file. A rung is an arm less the rung below it,"
        " paired within super-blocks; the total says what the rungs leave of it. Leave-one-out: the whole less the whole"
        " without that feature. Interaction: the total less all leave-one-out figures."
    )
    rows = results.worst_first(row for row in results.ladder if row.clock == clock)
    return plain_table(
        ("ladder", "Ladder of features", caption),
        columns,
        rows,
        "tables/ladder.csv",
        "No two arms of a cell differ by features alone.",
    )


def _remainder(row: LadderRow) -> str:
    return number(row.remainder_us, signed=True) if row.kind == "total" else ""

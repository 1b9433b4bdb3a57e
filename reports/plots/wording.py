"""The words that stand in captions, tables and plots alike."""

from __future__ import annotations

import math
from collections.abc import Iterable

from reports.plots.quantities import count_range, number
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

# The kinds of a ladder's rows, as tables of it say them.
LADDER_KINDS = {
    "cumulative": "rung",
    "total": "total",
    "leave_one_out": "leave-one-out",
    "interaction": "interaction",
    "language": "the same loop in Python",
}

CLOCK_TITLES = {
    "wall": "wall clock",
    "thread_cpu": "thread CPU clock (computing alone: it cannot see waiting)",
    "awaited": "awaited time (how long the ranks wait for a step, without what other programs take)",
    "process_cpu": "process CPU clock (all threads; never a verdict clock)",
    "device": "device clock",
}


def clock_title(clock: str) -> str:
    return CLOCK_TITLES.get(clock, clock)


def short_clock(clock: str) -> str:
    return clock_title(clock).split(" (")[0]


def clock_name(clock: str) -> str:
    """Names a clock in a column of clocks."""
    return short_clock(clock).removesuffix(" clock")


def capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


# As the terminal says them; beside a bound or a margin.
VERDICTS = {
    "SLOWER": "slower",
    "FASTER": "faster",
    "EQUIVALENT": "equal",
    "AMBIGUOUS": "open",
    "UNMEASURABLE": "not measurable",
    "": "no verdict",
}


def verdict_word(row: Row) -> str:
    return VERDICTS.get(row.verdict, row.verdict)


def verdict_text(row: Row) -> str:
    """Writes a verdict of overhead.csv with its bound or margin."""
    text = verdict_word(row)
    if row.verdict == "EQUIVALENT" and math.isfinite(row.margin_us):
        return f"{text} within ±{number(row.margin_us)} µs"
    bound = at_most(row)
    return f"{text}: {bound}" if bound else text


def short_verdict(row: Row) -> str:
    """Shortens a verdict: beside a plot there is room for some 30 characters."""
    bound = at_most(row)
    return f"open: {bound}" if bound else verdict_word(row)


def at_most(row: Row) -> str:
    """Returns what an open row says all the same: "costs at most 2.3 %"; "" where it says nothing."""
    if not (math.isfinite(row.at_most_us) and row.step_us > 0) or row.verdict != "AMBIGUOUS":
        return ""
    if row.at_most_us <= 0:
        return f"saves at most {number(-100 * row.at_least_us / row.step_us)} %"
    return f"costs at most {number(100 * row.at_most_us / row.step_us)} %"


def interval_kind(rows: Iterable[Row], confidence_percent: float) -> str:
    """Says which interval the bounds of these rows are: over launches, or within the only one."""
    return f"{confidence_percent:g} % {_by_launches(rows, 't-interval', 'Wilcoxon signed-rank interval')}"


def p_kind(rows: Iterable[Row]) -> str:
    """Says which tests the p of these rows is of."""
    tests = _by_launches(rows, "t tests", "signed-rank and t tests")
    return f"{tests}; of median step, mean step and ranks, against the reference and the A/A arm"


def _by_launches(rows: Iterable[Row], over_launches: str, within_one: str) -> str:
    several = {row.launches > 1 for row in rows}
    over, within = f"{over_launches} over launches", f"{within_one} within one launch"
    return f"{over}; {within} where there is only one" if len(several) > 1 else over if True in several else within


def pairs_and_launches(rows: list[Row]) -> str:
    pairs, launches = [row.pairs for row in rows], [row.launches for row in rows]
    return f"n = {count_range(pairs)} pairs in {launch_count(launches)}"


def samples_of(cells: list[Row], results: Results) -> str:
    """Says what a figure of raw samples rests on: super-blocks, timed steps in each, launches."""
    steps = results.summary.get("block_steps")
    blocks = count_range([cell.super_blocks for cell in cells])
    launches = [cell.launches_ok for cell in cells]
    per_block = f" of {steps} timed steps per arm" if steps else ""
    return f"n = {blocks} super-blocks{per_block} in {launch_count(launches)} per cell"


def launch_count(launches: list[int]) -> str:
    return f"{count_range(launches)} launch{'' if set(launches) == {1} else 'es'}"


def left_out(shown: int, total: int, what: str, file: str, order: str = "the worst") -> str:
    if shown >= total:
        return ""
    return f" Shown: {shown:,} of {total:,} {what}, {order}; the rest is in {file}."


def short_groups(groups: Iterable[str]) -> dict[str, str]:
    """Maps each group to its name without the options ("momentum=0.9") that every one of them has; those stand with the cells."""
    names = list(dict.fromkeys(groups))
    parts = {name: name.split(", ") for name in names}
    common = {part for part in parts[names[0]] if "=" in part and all(part in parts[name] for name in names)} if names else set()
    return {name: ", ".join(part for part in parts[name] if part not in common) for name in names}


def shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"

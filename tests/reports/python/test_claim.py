"""The section on a framework's cost: what it says of which step, and what it leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic_schema import bounds, row_of, tables_of

from reports.html.findings.claim import Claim, published
from reports.html.findings.step_time_law import at_share
from reports.html.plain_table import PlainTable
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

ARMS = [
    {"arm": "py_raw", "role": "reference", "base": "py_raw"},
    {"arm": "py_raw_item", "role": "subject", "base": "py_raw_item"},
    {"arm": "py_lightning", "role": "subject", "base": "py_lightning", "is_wrapper": True},
    {
        "arm": "py_lightning-sigterm+sigterm=10",
        "role": "subject",
        "base": "py_lightning",
        "is_wrapper": True,
        "features": ["sigterm=10"],
    },
]
CELL = row_of("tables/cells.csv", cell_id="c0", label="null", workload="null", reference_step_ms=1.2)
LONGER = CELL._replace(cell_id="c1", reference_step_ms=12.0)


WAITING = bounds("waiting_us", 300, 200, 400)


GROUP = "null"


def law(arm: str, clock: str = "awaited", kind: str = "bounded") -> Row:
    one = bounds("step_us_at_1_percent", 80_000, 70_000, 90_000) | {"at_1_percent": "bounded"}
    five = bounds("step_us_at_5_percent", 12_000, 11_000, 13_000) | {"at_5_percent": kind}
    steps = {"step_lengths": 5, "step_us_min": 1200, "step_us_max": 25_000}
    line = bounds("c_us", 500, 450, 550) | bounds("s", 0, -1e-3, 1e-3) | one | five
    return row_of("tables/step_time_law.csv", group=GROUP, arm=arm, clock=clock, **steps, **line)


def overhead(arm: str, clock: str, us: float, **more: float | str) -> Row:
    cost = bounds("overhead_us", us, us - 10, us + 10) | bounds("overhead_percent", 1, 0, 2) | {"overhead_us_of_means": us}
    row = {"cell_id": "c0", "arm": arm, "reference": "py_raw", "clock": clock, "verdict": "SLOWER", "launches": 3, "pairs": 200}
    return row_of("overhead.csv", **row, **cost, reference_step_us=1200, **more)


def rung(kind: str, feature: str, us: float, clock: str = "awaited", half: float = 5.0) -> Row:
    arm, reference = ("py_raw", "raw") if kind == "language" else ("py_lightning+typical", "other")
    row = {"cell_id": "c0", "clock": clock, "base": "py_lightning", "kind": kind, "feature": feature, "arm": arm}
    cost = bounds("cost_us", us, us - half, us + half)
    return row_of("tables/ladder.csv", **row, reference=reference, **cost, pairs=200, launches=3)


@pytest.fixture
def results() -> Results:
    found = Results(Path("folder"), tables_of(cells=[LONGER, CELL]), {"arms": ARMS, "primary_clock": "awaited"})
    found.step_time_law = [law("py_raw_item"), law("py_lightning"), law("py_lightning", "wall")]
    found.overhead = [
        overhead("py_lightning", "awaited", 500, versions="lightning=2.6.6;torch=2.11.0", **WAITING),
        overhead("py_lightning", "wall", 800),
        overhead("py_lightning-sigterm+sigterm=10", "awaited", 400, periodic_us=18, periodic_us_lo=15, periodic_us_hi=21),
    ]
    found.counts = [row_of("tables/counts.csv", cell_id="c0", arm="py_lightning", resident_mib=730, extra_resident_mib=124)]
    found.ladder = [
        rung("leave_one_out", "bar", 90, half=100),
        rung("leave_one_out", "accuracy", 700),
        rung("leave_one_out", "accuracy", 900, "wall"),
        rung("cumulative", "sigterm=1", 180),
        rung("language", "python", 70),
    ]
    found.metrics = [
        row_of("tables/metrics.csv", cell_id="c0", arm="py_lightning", metric=f"once_s.{name}", median=value, unit="s")
        for name, value in {"head": 0.25, "tail": 0.5, "epoch_boundary": 0.01, "validation": 99.0}.items()
    ]
    return found


def table(results: Results, anchor: str) -> PlainTable:
    return next(found for found in Claim(results).tables() if found.anchor == anchor)


def cell_of(found: PlainTable, row: int, title: str) -> str:
    return found.rows[row][[column.title for column in found.columns].index(title)]


def test_only_frameworks_have_a_row(results: Results) -> None:
    found = table(results, "claim-costs")
    assert [row[0] for row in found.rows] == ["py_lightning"]
    assert cell_of(found, 0, "5 % of a step of (ms)") == "12.0 [11.0, 13.0]"
    assert cell_of(found, 0, "Of it waiting (µs)") == "+300 [+200, +400]"
    assert cell_of(found, 0, "Takes more memory (MiB)") == "124"
    assert cell_of(found, 0, "Runs on") == "lightning 2.6.6"


def at_step(clock: str, step_ms: float, percent: dict[str, float], word: str, is_extrapolated: bool = False) -> Row:
    row = {"group": GROUP, "arm": "py_lightning", "clock": clock, "step_ms": step_ms, "at_most_5_percent": word}
    return row_of("tables/cost_at_step.csv", **row, **percent, is_extrapolated=is_extrapolated)


def test_whether_it_is_at_most_5_percent_is_the_tables_word(results: Results) -> None:
    places = [(2, 25.0, "no", False), (10, 5.0, "open", False), (50, 1.0, "yes", True)]
    results.cost_at_step = [
        at_step("awaited", step, bounds("percent", share, 0.9 * share, 1.1 * share), word, is_extrapolated=beyond)
        for step, share, word, beyond in places
    ]
    results.cost_at_step.append(at_step("wall", 2, bounds("percent", 1, 1, 1), "yes"))
    assert table(results, "claim-shares").rows == [
        ["2", "no: 25.0 [22.5, 27.5] %"],
        ["10", "open: 5.00 [4.50, 5.50] %"],
        ["50", "yes*: 1.00 [0.90, 1.10] %"],
    ]


def test_a_step_without_a_bound_is_told_by_the_other(results: Results) -> None:
    assert at_share(law("x"), "5") == "12.0 [11.0, 13.0]"
    assert at_share(law("x", kind="unbounded"), "5") == "longer than 11.0"
    assert at_share(law("x", kind="never"), "5") == "less at every step"


def test_each_part_stands_with_what_it_adds_to_the_counts(results: Results) -> None:
    counted = {"py_lightning": (28.0, 940.0), "py_lightning+log": (39.0, 1718.0)}
    results.counts = [
        row_of("tables/counts.csv", cell_id="c0", arm=arm, tensor_ops=operations, python_calls=calls)
        for arm, (operations, calls) in counted.items()
    ]
    whole = rung("cumulative", "py_lightning", 300)._replace(arm="py_lightning", reference="py_raw")
    logged = rung("cumulative", "log", 320)._replace(arm="py_lightning+log", reference="py_lightning")
    results.ladder = [whole, logged, logged._replace(clock="wall", cost_us=380.0)]
    found = table(results, "claim-parts")
    assert [row[:2] for row in found.rows] == [["py_lightning", "its loop, all off"], ["py_lightning", "log"]]
    results.ladder[0] = whole._replace(feature="py_lightning+sigterm=1")
    assert table(results, "claim-parts").rows[0][1] == "its loop, with sigterm=1"
    assert [cell_of(found, row, "Tensor operations") for row in (0, 1)] == ["not measured", "+11"]  # py_raw: not counted
    assert cell_of(found, 1, "Calls in Python") == "+778"
    assert cell_of(found, 1, "On the wall clock (µs)") == "+380 [+315, +325]"


def test_what_to_switch_off_stands_worst_first(results: Results) -> None:
    found = table(results, "claim-features")
    assert [row[0] for row in found.rows] == ["accuracy", "bar"]
    results.ladder.append(rung("leave_one_out", "loss", 18)._replace(base="trainer"))  # not a framework that has a line
    assert [row[0] for row in table(results, "claim-features").rows] == ["accuracy", "bar"]
    assert [cell_of(found, row, "Resolved") for row in (0, 1)] == ["yes", "no"]
    assert cell_of(found, 0, "On the wall clock (µs)") == "+900 [+895, +905]"


def test_the_sentences_name_cost_wait_language_and_the_first_feature(results: Results) -> None:
    said = "py_lightning is 5 % of a step of 12 ms (11 to 13 ms), by the line through its costs at 5 step lengths."
    results.summary["laws"] = [{"group": GROUP, "arm": "py_lightning", "sentence": said}]
    cost, python, first = Claim(results).sentences()
    assert cost.startswith(said)
    assert "Where the step is shortest, 300 [200, 400] µs of its cost is waiting." in cost
    assert "more in Python (py_raw) than in C++ (raw)" in python
    assert first.startswith("What to switch off first: accuracy.")


def test_a_whole_training_is_its_steps_and_what_happens_once(results: Results) -> None:
    found = table(results, "claim-training")
    assert found.rows == [["py_lightning", "+14.0 [+13.9, +14.2]", "900 ms", "750 ms"]]  # 90 x 195 x 800 us; 90 x 10 ms


def test_the_broadcast_stands_at_every_and_at_every_nth_batch(results: Results) -> None:
    assert [row[0] for row in table(results, "claim-sigterm").rows] == ["at every batch", "at every 10-th batch, per step"]
    results.ladder = [rung("cumulative", "py_lightning+sigterm=1", 500)._replace(reference="py_raw")]  # all of Lightning
    assert [row[0] for row in table(results, "claim-sigterm").rows] == ["at every 10-th batch, per step"]


def test_modes_of_ddp_are_the_settings_of_that_name(results: Results) -> None:
    values = {"value": "true", "reference_value": "false", "clock": "wall", "verdict": "SLOWER"}
    values |= bounds("difference_us", 50.0, 40.0, 60.0) | bounds("difference_percent", 4.0, 3.0, 5.0)
    settings = ("find_unused_parameters", "bucket_cap_mb")
    results.settings = [row_of("tables/settings.csv", setting=f"{name} (raw)", **values) for name in settings]
    assert [row[0] for row in table(results, "claim-modes").rows] == ["find_unused_parameters = true (raw)"]


def test_figures_are_of_the_cell_with_the_longest_ladder(results: Results) -> None:
    assert Claim(results).main_cell == "c0"
    results.ladder += [rung("leave_one_out", f"feature{n}", 500)._replace(cell_id="c1") for n in range(9)]
    assert Claim(results).main_cell == "c1"  # c0 is shorter, and another mode


def test_lines_of_several_groups_are_told_apart(results: Results) -> None:
    results.step_time_law.append(law("py_lightning")._replace(group="null, lightning_version=2.5.1"))
    first, second = (row[0] for row in table(results, "claim-costs").rows)
    assert first != second and "2.5.1" in second


def test_without_a_law_there_is_no_section(results: Results) -> None:
    results.step_time_law = []
    (empty,) = Claim(results).tables()
    assert empty.rows == [] and "five lengths" in empty.note
    assert Claim(results).sentences() == []


def test_published_claims_name_their_source_and_design() -> None:
    assert all(row[0] and row[2] for row in published().rows)


def test_every_table_stands_in_the_section(results: Results) -> None:
    tables = Claim(results).tables()
    names = ["costs", "shares", "parts", "features", "sigterm", "modes", "training", "published"]
    assert [(found.anchor, found.question) for found in tables] == [(f"claim-{name}", "claim") for name in names]

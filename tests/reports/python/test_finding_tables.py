"""The tables of one row per finding: what they leave out, and how their numbers are written."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from synthetic_results import CELLS, Folder
from synthetic_schema import bounds, row_of

from reports.html.designs_table import designs_table
from reports.html.findings import carry_over, efficiency, finding_tables, instructions, phase_memory, traces, whole_trainings
from reports.html.findings.training import epoch_words
from reports.html.page import page_of, render
from reports.html.plain_table import PlainTable
from reports.html.questions import QUESTIONS, by_question
from reports.plots.tables.results import Results


@pytest.fixture
def fresh(tmp_path: Path) -> Results:
    """A test changes its rows."""
    return Results.read(Folder().write(tmp_path))


def titles(table: PlainTable) -> list[str]:
    return [column.title.replace("\u00ad", "") for column in table.columns]


def test_what_is_within_chance_does_not_bury_what_stands_out(fresh: Results) -> None:
    outstanding, within = (next(row for row in fresh.carry_over if row.stands_out == flag) for flag in (1, 0))
    fresh.carry_over = [within._replace(p=0.9 - 0.001 * n, p_holm=1.0) for n in range(96)] + [outstanding] * 2
    (table,) = carry_over.tables(fresh)
    assert [row[-1] for row in table.rows] == ["▲ stands out"] * 2 + ["–"] * 10
    assert [row[titles(table).index("p")] for row in table.rows][1:4] == ["0.0001", "0.81", "0.81"]  # the surest first
    assert table.note == "Shown: 12 of 98 rows; the rest is in tables/carry_over.csv."


def test_a_column_that_no_row_fills_is_left_out(fresh: Results) -> None:
    full = titles(efficiency.tables(fresh)[0])
    assert {"Parallel", "Computation", "Exposed (µs)"} <= set(full)
    fresh.efficiency = [row._replace(exposed_us=float("nan"), computation_scaling=float("nan")) for row in fresh.efficiency]
    (table,) = efficiency.tables(fresh)
    assert titles(table) == [title for title in full if title not in ("Computation", "Exposed (µs)")]
    assert {len(row) for row in table.rows} == {len(table.columns)}


def test_each_trace_stands_on_the_page_with_what_opens_it(fresh: Results) -> None:
    _, table = traces.tables(fresh)
    assert [row[titles(table).index("Rank")] for row in table.rows] == ["0", "1"]
    assert [row[titles(table).index("Steps of each arm")] for row in table.rows] == ["11 to 20"] * 2
    assert all(row[titles(table).index("File in the results folder")].startswith("profiles/") for row in table.rows)
    assert all("perfetto" in row[titles(table).index("Open it with")] for row in table.rows)
    fresh.traces = fresh.traced_parts = []
    assert traces.tables(fresh) == []


def test_the_parts_of_a_traced_step_stand_on_the_page(fresh: Results) -> None:
    table, _ = traces.tables(fresh)
    shares = {row[titles(table).index("Part")]: row[titles(table).index("Of the step")] for row in table.rows}
    assert shares == {
        "compute": "60.0 %",
        "exposed communication": "20.0 %",
        "waiting for a slower rank (rank 1 is slow)": "5.0 %",
        "data": "5.0 %",
        "host": "10.0 %",
    }
    assert table.rows[1][titles(table).index("Bottleneck")] == "yes"
    assert table.rows[1][titles(table).index("Rank by rank")] == "18.0 to 22.0 %"


def test_the_peak_of_each_phase_stands_beside_the_references(fresh: Results) -> None:
    (table,) = phase_memory.tables(fresh)
    rows = [dict(zip(titles(table), row, strict=True)) for row in table.rows]
    assert [row["Arm"] for row in rows[:2]] == ["raw", "trainer"]
    assert (rows[0]["Peak (MiB)"], rows[0]["It is in"], rows[0]["backward (MiB)"]) == ("80", "backward", "80")
    assert (rows[1]["Peak (MiB)"], rows[1]["wrapper (MiB)"]) == ("84 (+4)", "14")
    assert rows[0]["wrapper (MiB)"] == "" and rows[1]["other (MiB)"] == "", "a phase that the arm has not"
    assert "Reserved (MiB)" not in titles(table), "on a CPU nothing is reserved"
    changed = [row._replace(reserved_mib=2 * row.tensors_mib, extra_tensors_mib=-3e-5) for row in fresh.phase_memory]
    fresh.phase_memory = changed
    (table,) = phase_memory.tables(fresh)
    assert table.rows[1][titles(table).index("Reserved (MiB)")] == "168"
    assert table.rows[1][titles(table).index("Peak (MiB)")] == "84", "the allocator's rounding is no difference"
    fresh.phase_memory = []
    assert phase_memory.tables(fresh) == []


def test_whole_trainings_stand_part_by_part_with_the_calls_that_are_long(fresh: Results) -> None:
    came_to, table = whole_trainings.tables(fresh)
    rows = [dict(zip(titles(table), row, strict=True)) for row in table.rows]
    by_part = {row["Part"]: row for row in rows if row["Arm"] == "trainer"}
    assert list(by_part)[:3] == ["training", "epoch", "head"]
    assert by_part["checkpoint"]["More than the reference (ms)"] == "50.0 [48.0, 52.0]"
    assert by_part["checkpoint: Mine.on_save_checkpoint"]["Takes (ms)"] == "25.0"
    assert "checkpoint: Mine.setup" not in by_part, "half a millisecond"
    assert by_part["head"]["Grows by, an epoch (ms)"] == ""
    assert dict(zip(titles(came_to), came_to.rows[0], strict=True))["Test accuracy"] == "89.1 %"
    fresh.whole_trainings = []
    assert whole_trainings.tables(fresh) == []


def test_simulated_shares_have_the_digits_that_their_campaigns_bear() -> None:
    numbers = {"campaigns": "300", "rmse_percent": "0.1639682143441266", "power_percent": "83.33333333333333"}
    table = designs_table([{"design": "paired_medians", "words": "in pairs", **numbers}])
    assert table.rows == [["paired medians", "in pairs", "300", "0.164", "83.3"]]
    assert titles(table) == ["Design", "What is done", "Campaigns", "RMSE (%)", "Power (%)"]


def test_the_options_that_all_cells_have_stand_once(fresh: Results) -> None:
    fresh.cells = [cell._replace(options=f"stem=imagenet;bucket_cap_mb={n};data=cifar") for n, cell in enumerate(fresh.cells)]
    page = page_of(fresh, [], "")
    assert page.cell_options == ["stem=imagenet", "data=cifar"]
    assert [options for _, options in page.cells] == [[f"bucket_cap_mb={n}"] for n in range(len(CELLS))]
    html = render("report.html.j2", page)
    assert html.count("stem=imagenet") == 1 and "Options of all: stem=imagenet; data=cifar." in html
    assert "<td>bucket_cap_mb=1</td>" in html


def test_the_method_says_that_a_difference_must_hold_among_all_comparisons(fresh: Results) -> None:
    html = render("report.html.j2", page_of(fresh, [], ""))
    assert "p, adjusted by Holm for all comparisons on that clock, is below 0.05" in html


def test_the_page_says_which_step_of_a_block_costs_are_of(fresh: Results) -> None:
    assert "Overhead of the median step;" in render("report.html.j2", page_of(fresh, [], ""))
    fresh.summary["fastest_step"] = True
    assert "Overhead of each block&#39;s fastest step;" in render("report.html.j2", page_of(fresh, [], ""))


def test_instructions_are_told_in_thousands_or_why_there_are_none(fresh: Results) -> None:
    cell = fresh.cells[0]
    names = {"cell_id": cell.cell_id, "kind": "arm", "arm": "trainer", "reference": "raw"}
    more = bounds("extra", 12_340, 12_200, 12_480) | bounds("extra_percent", 1.2, 1.19, 1.21) | {"pairs": 400, "launches": 5}
    counted = row_of("tables/instructions.csv", **names, **more, verdict="MORE", reason="beyond chance")
    fresh.instructions = [counted]
    (row,) = instructions.tables(fresh)[0].rows
    counts = ["+12.3 [+12.2, +12.5]", "+1.20 [+1.19, +1.21]", "400 / 5"]
    assert row == [cell.label, "arm", "trainer − raw", *counts, "MORE", "beyond chance"]
    fresh.instructions = []
    fresh.environment = {"launches": {"one": {"instruction_counter": "none: no counter"}, "two": {}}}
    assert instructions.tables(fresh)[0].note == "No instructions were counted (none: no counter)."


def test_every_table_answers_a_question_and_has_an_anchor_of_its_own(fresh: Results) -> None:
    tables = finding_tables(fresh)
    assert {table.question for table in tables} <= {entry.anchor for entry in QUESTIONS}
    assert len({table.anchor for table in tables}) == len(tables)


def test_tables_stand_by_their_question_and_place(fresh: Results) -> None:
    tables = by_question(finding_tables(fresh))
    where = [table.anchor for table in tables if table.question == "where"]
    counted = ["instructions", "counts", "phase-memory"]
    assert where == ["step-parts", "ladder", *counted, "efficiency", "metrics", "trace-steps", "traces"]
    assert [table.anchor for table in tables if table.question == "trust"] == ["nodes", "carry-over", "audit"]
    questions = [table.question for table in tables]
    assert questions == sorted(questions, key=[entry.anchor for entry in QUESTIONS].index)


def test_an_epoch_is_as_long_as_its_workloads_training_set() -> None:
    assert epoch_words([]) == ""
    assert epoch_words([SimpleNamespace(epoch_samples=n) for n in (60_000, 50_000, 60_000)]) == " of 50,000 or 60,000 samples"

"""The step-time law and the ladder as they are drawn and listed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from synthetic_findings import STEPS_MS
from synthetic_results import CELLS, Folder

from reports.html.findings import ladder as ladder_table
from reports.html.findings import step_time_law as law_table
from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import ladder, step_time_law
from reports.plots.tables.results import Results


def bars(results: Results) -> list[ladder.Bar]:
    return ladder.bars_of([row for row in results.ladder if (row.cell_id, row.clock) == ("c001", "awaited")])


def test_a_rung_begins_where_the_one_before_it_ends_and_the_last_meets_the_total(results: Results) -> None:
    steps = [bar for bar in bars(results) if bar.look.is_rung]
    (total,) = [bar for bar in bars(results) if bar.look is ladder.LOOKS["total"]]
    assert [bar.label for bar in steps] == ["+ loops", "+ fetch", "+ loss", ladder.REST]
    assert steps[0].left == total.left == 0
    for one, next_ in pairwise(steps):
        assert one.left + one.width == pytest.approx(next_.left)
    assert steps[-1].left + steps[-1].width == pytest.approx(total.width)


def test_what_stands_beside_the_ladder_starts_at_zero_with_its_own_interval(results: Results) -> None:
    side = [bar for bar in bars(results) if bar.look.stands_apart]
    assert [bar.label for bar in side] == ["− fetch", "− loss", "interaction"]
    assert all(bar.left == 0 and bar.low < bar.width < bar.high for bar in side)


def test_line_and_points_are_those_of_the_table(results: Results) -> None:
    axes = step_time_law.draw(results).figure.axes[0]
    line, points = axes.lines[0], axes.lines[1]
    assert list(points.get_xdata()) == list(STEPS_MS)
    assert len(line.get_xdata()) == 41 and line.get_xdata()[0] == 0


def test_where_no_law_was_fitted_the_reason_stands_in_the_report(tmp_path: Path) -> None:
    folder = Folder(cells=CELLS[:1]).write(tmp_path)
    path = folder / "tables/step_time_law.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], lines[-1]]) + "\n", encoding="utf-8")
    with pytest.raises(NothingToDrawError, match="no law: 2"):
        step_time_law.draw(Results.read(folder))
    (table,) = law_table.tables(Results.read(folder))
    assert table.anchor == "step-time-law"
    assert "0 (no law: 2)" in table.rows[0] and "not measured" in table.rows[0]


def test_the_tables_hold_estimates_with_intervals_and_the_controls_are_left_out(results: Results) -> None:
    (laws,), (rungs,) = law_table.tables(results), ladder_table.tables(results)
    assert ["trainer", "+1.90 [+1.50, +2.30]"] in [[row[1], row[4]] for row in laws.rows]
    assert not any({"injected", "raw_again"} & set(row) for row in laws.rows)
    assert rungs.rows[0][1:3] == ["rung", "loops"]
    assert "−0.0500" in next(row for row in rungs.rows if row[1] == "total")

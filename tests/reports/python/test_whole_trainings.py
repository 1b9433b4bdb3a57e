"""The figure of whole trainings: an epoch's parts as a waterfall, what happens once beneath."""

from __future__ import annotations

from dataclasses import replace

import pytest
from synthetic_results import CELLS

from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import whole_trainings as figure
from reports.plots.tables.results import Results


def rows_of(results: Results, arm: str) -> list:
    return [row for row in results.whole_trainings if (row.cell_id, row.arm, row.call) == (CELLS[0].cell_id, arm, "")]


def test_an_epochs_parts_close_to_the_epoch_and_what_happens_once_stands_apart(results: Results) -> None:
    bars = figure.bars_of(rows_of(results, "trainer"))
    assert [bar.label for bar in bars] == ["steps", "checkpoint", "epoch", "head", "test"]
    assert [(bar.left, bar.width) for bar in bars] == [(0, 0), (0, 50), (0, 50), (0, 0), (0, 0)]
    assert [bar.look.stands_apart for bar in bars] == [False, False, False, True, True]
    assert bars[1].text == "+50.0 [+48.0, +52.0] ms" and (bars[1].low, bars[1].high) == (48, 52)


def test_each_part_begins_where_the_one_before_it_ends(results: Results) -> None:
    rows = [row for row in rows_of(results, "trainer") if row.part in ("steps", "checkpoint", "epoch")]
    moved = [row._replace(extra_ms=extra) for row, extra in zip(rows, (90.0, 70.0, 20.0), strict=True)]
    assert [(bar.label, bar.left, bar.width) for bar in figure.bars_of(moved)] == [
        ("steps", 0, 70),
        ("checkpoint", 70, 20),
        ("epoch", 0, 90),
    ]


def test_an_arm_has_a_panel_with_its_reference_and_controls_have_none(results: Results) -> None:
    again = [row._replace(arm="raw_again") for row in rows_of(results, "trainer")]
    rows = {"whole_trainings": [*results.whole_trainings, *again]}
    drawing = figure.draw(replace(results, tables=results.tables | rows))
    arms = [axes.get_title().rpartition(": ")[2] for axes in drawing.figure.axes if ": " in axes.get_title()]
    assert arms and set(arms) == {"trainer over raw"}
    assert "checkpoint +50.0 [+48.0, +52.0] ms" in drawing.alt


def test_without_trainings_there_is_nothing_to_draw(results: Results) -> None:
    without = replace(results, tables=results.tables | {"whole_trainings": []})
    with pytest.raises(NothingToDrawError, match=r"tables/whole_trainings\.csv"):
        figure.draw(without)

"""Who lets the others wait: the table of nodes and the figure of ranks."""

from __future__ import annotations

import pytest

from reports.html.findings import nodes
from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import skew
from reports.plots.tables.results import Results


def test_slow_nodes_come_first_and_the_others_do_not_bury_them(own_results: Results) -> None:
    well = next(row for row in own_results.nodes if row.finding == "ok")
    own_results.nodes = [well._replace(node=f"n{number}") for number in range(60)] + own_results.nodes
    (table,) = nodes.tables(own_results)
    assert [row[0] for row in table.rows[:3]] == ["jza2"] * 3
    assert {row[1] for row in table.rows[:3]} == {"▲ slow"}
    assert len(table.rows) == 3 + 12
    assert table.note.startswith("Shown: 15 of 72 rows")


def test_a_ratio_stands_with_its_interval_and_its_time(own_results: Results) -> None:
    row = next(row for row in nodes.tables(own_results)[0].rows if row[2] == "a product of matrices")
    assert "1.98 [1.96, 2.00] ×" in row
    assert "81.2 ms" in row


def test_the_cell_with_the_widest_spread_is_drawn_first_and_its_slowest_rank_is_marked(own_results: Results) -> None:
    drawing = skew.draw(own_results)
    (first, *_) = drawing.figure.axes
    marks = [line for line in first.lines if line.get_marker() in "^o"]
    assert [line.get_marker() for line in marks] == ["o", "o", "o", "^"]
    assert [text.get_text() for text in first.texts] == ["jza1", "jza2"]
    assert "rank 3 on jza2" in drawing.alt
    widest = max(row.ratio for row in own_results.skew)
    assert marks[3].get_ydata()[0] == pytest.approx(100 * (widest - 1))


def test_without_ranks_the_figure_says_why(own_results: Results) -> None:
    own_results.skew = []
    with pytest.raises(NothingToDrawError, match="on a GPU they are not"):
        skew.draw(own_results)

"""What a prediction is worth, as the page says it."""

from __future__ import annotations

from reports.html.findings import held_out
from reports.plots.tables.results import Results


def test_each_size_stands_with_its_miss_and_controls_are_left_out(own_results: Results) -> None:
    (table,) = held_out.tables(own_results)
    titles = [column.title for column in table.columns]
    assert [row[titles.index("Ranks")] for row in table.rows] == ["1", "2", "4"]
    assert [row[titles.index("In its interval")] for row in table.rows] == ["yes", "yes", "▲ no"]
    assert {row[titles.index("Missed by")] for row in table.rows} == {"+3.0 %"}
    assert "9.00 + 0.500 + 1.50" in table.rows[0] or "9.0 + 0.5 + 1.5" in " ".join(table.rows[0])


def test_what_could_not_be_predicted_says_why(own_results: Results) -> None:
    nan = float("nan")
    row = own_results.held_out[0]._replace(predicted_ms=nan, error_percent=nan, compute_ms=nan, reason="no size on several nodes")
    own_results.held_out = [row]
    (cells,) = held_out.tables(own_results)[0].rows
    assert "no size on several nodes" in cells
    assert not any("nan" in cell for cell in cells)

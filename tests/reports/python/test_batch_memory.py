"""Memory and the batch, as the page says it."""

from __future__ import annotations

from reports.html.findings import batch_memory
from reports.plots.tables.results import Results


def test_a_batch_stands_with_what_it_takes_and_what_would_fit(own_results: Results) -> None:
    (table,) = batch_memory.tables(own_results)
    titles = [column.title for column in table.columns]
    row = dict(zip(titles, table.rows[0], strict=True))
    assert (row["It takes (GiB)"], row["There is (GiB)"], row["Batch that fits, about"]) == ("9.00", "40.0", "624")
    assert "Did not fit" not in row, "a column without a value is left out"


def test_what_is_not_known_is_left_empty(own_results: Results) -> None:
    nan = float("nan")
    row = own_results.batch_memory[0]._replace(fixed_mib=nan, mib_per_sample=nan, largest_batch=0, available_mib=nan)
    own_results.batch_memory = [row]
    (cells,) = batch_memory.tables(own_results)[0].rows
    assert not any("nan" in cell for cell in cells)

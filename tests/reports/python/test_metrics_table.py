"""Other measurements: units and digits that a person reads."""

from __future__ import annotations

import pytest

from reports.html.findings import metrics
from reports.html.findings.metrics import readable
from reports.plots.tables.results import Results


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.30000000000000004, "1", "0.300"),
        (1, "1", "1"),
        (399, "1", "399"),
        (0.0427553, "1", "0.0428"),
        (1.2e-9, "1", "1.20e−09"),
        (0.000112345, "s", "112 µs"),
        (1.458447495, "s", "1.46 s"),
        (0, "s", "0 s"),
        (94_084_136, "B", "94.1 MB"),
        (122_920, "B", "123 kB"),
        (402.3, "MiB", "402 MiB"),
        (2048, "MiB", "2 GiB"),
        (float("nan"), "s", "not measured"),
    ],
)
def test_a_value_is_written_with_three_digits_and_a_near_unit(value: float, unit: str, text: str) -> None:
    assert readable(value, unit) == text


def test_the_page_has_a_row_per_metric_and_no_settings(results: Results) -> None:
    (table,) = metrics.tables(results)
    shown = {row[1] for row in table.rows}
    assert "page_faults_per_step" in shown and "peak_memory_mib" in shown
    assert "deterministic" not in shown
    assert any("MiB" in cell for row in table.rows for cell in row)

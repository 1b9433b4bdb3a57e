"""Memory over one step, as its figure draws it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from synthetic_results import CELLS
from synthetic_traces import MEMORY

from reports.plots.figures import step_memory
from reports.plots.tables.results import Results


def test_a_panel_shows_what_lives_and_the_phases_beneath(two_cells: Results) -> None:
    panels = step_memory.draw(two_cells).figure.axes
    assert len(panels) == 4, "two arms in each of two cells"
    (line,) = panels[0].get_lines()
    assert list(line.get_ydata()) == [mib for _, _, mib in MEMORY], "of the first rank"
    assert list(line.get_xdata()) == [us / 1000 for _, us, _ in MEMORY]
    bars = [(container.get_label(), bar.get_x(), bar.get_width()) for container in panels[0].containers for bar in container]
    assert [name for name, _, _ in bars] == ["other", "data", "forward", "other", "backward", "optimizer", "other"]
    assert bars[2][1:] == pytest.approx((0.1, 0.6)) and sum(width for _, _, width in bars) == pytest.approx(2.0)


def test_a_devices_memory_stands_before_the_hosts_with_what_is_reserved(two_cells: Results) -> None:
    rows = two_cells.trace_memory
    device = [row._replace(device="cuda:0", reserved_mib=128.0) for row in rows]
    results = replace(two_cells, tables=two_cells.tables | {"trace_memory": rows + device})
    drawing = step_memory.draw(results)
    live, reserved = drawing.figure.axes[0].get_lines()
    assert set(reserved.get_ydata()) == {128.0} and max(live.get_ydata()) == 95.0
    assert "cuda:0 of rank 0" in drawing.figure.axes[0].get_title()
    assert "caching allocator" in drawing.caption


def test_the_words_say_the_largest_and_its_phase(two_cells: Results) -> None:
    assert f"{CELLS[0].label}, raw: at most 95.0 MiB, in backward." in step_memory.draw(two_cells).alt

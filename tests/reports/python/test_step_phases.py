from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from synthetic_results import ARMS, CELLS, PHASES, Cell, mean_step_s

from reports.plots.figures import step_phases
from reports.plots.style import PHASE_STYLES
from reports.plots.tables.results import Results


def bars(axes: Axes, *labels: str) -> dict[int, list[Rectangle]]:
    """Line of the panel -> its bars of these phases, left to right."""
    by_line: dict[int, list[Rectangle]] = {}
    for container in axes.containers:
        if container.get_label() in labels:
            for bar in container:
                by_line.setdefault(round(bar.get_y() + bar.get_height() / 2), []).append(bar)
    return by_line


def panel_of(results: Results, cell: Cell) -> Axes:
    place = [row.cell_id for row in results.cells].index(cell.cell_id)
    return step_phases.draw(results).figure.axes[place]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.cell_id)
def test_parts_of_a_bar_add_up_to_the_mean_step(cell: Cell, results: Results) -> None:
    by_line = bars(panel_of(results, cell), *PHASES)
    assert len(by_line) == len(ARMS)
    for line, arm in enumerate(ARMS):
        assert len(by_line[line]) == len(PHASES)
        assert sum(bar.get_width() for bar in by_line[line]) == pytest.approx(mean_step_s(cell, arm) * 1000, rel=1e-9)


def test_parts_touch_and_do_not_overlap(results: Results) -> None:
    for parts in bars(panel_of(results, CELLS[0]), *PHASES).values():
        assert parts[0].get_x() == 0
        for left, right in pairwise(parts):
            assert left.get_x() + left.get_width() == pytest.approx(right.get_x())


def test_waiting_stands_beneath_the_phase_in_which_it_happens(results: Results) -> None:
    """A framework's broadcast is no part of the backward pass: its hatch ends where its own phase ends."""
    arm = ARMS[0]
    share = {"backward": 0.1, "wrapper": 0.01}
    rows = [
        row._replace(comm_wait_s=row.mean_s / row.share * share.get(row.phase, 0.0)) if row.in_sum else row
        for row in results.breakdown
    ]
    results = replace(results, tables=results.tables | {"breakdown": rows})
    axes = panel_of(results, CELLS[0])
    waits = bars(axes, "comm_wait")[ARMS.index(arm)]
    ends = dict(zip(PHASES, (part.get_x() + part.get_width() for part in bars(axes, *PHASES)[0]), strict=True))
    step_ms = mean_step_s(CELLS[0], arm) * 1000
    assert len(waits) == len(share)
    for wait, (phase, of_step) in zip(waits, share.items(), strict=True):
        assert wait.get_width() == pytest.approx(of_step * step_ms)
        assert wait.get_x() + wait.get_width() == pytest.approx(ends[phase])


def test_waiting_that_is_not_told_by_phase_is_told_for_the_whole_step(results: Results) -> None:
    axes = panel_of(results, CELLS[0])
    waited = bars(axes, "comm_wait")
    assert waited
    for line, waits in waited.items():
        (wait,) = waits
        assert wait.get_hatch()
        assert wait.get_x() == 0
        assert wait.get_y() >= max(part.get_y() + part.get_height() for part in bars(axes, *PHASES)[line])


def test_every_phase_has_a_colour_of_its_own() -> None:
    assert tuple(PHASE_STYLES) == PHASES
    assert len({style.color for style in PHASE_STYLES.values()}) == len(PHASES)

"""Throughput, efficiency and the arms' cost over the number of ranks."""

from __future__ import annotations

import math
from copy import copy
from pathlib import Path

import pytest
from synthetic_results import CELLS, Folder

from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import overhead_by_size, scaling, throughput
from reports.plots.scaling_groups import node_boundary, scaling_groups
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

RANKS_PER_NODE = 4


@pytest.fixture
def sizes(tmp_path: Path) -> Results:
    """One cell at 1, 2, 4, 8 and 16 ranks, on 1, 1, 1, 2 and 4 nodes."""
    results = copy(Results.read(Folder(cells=CELLS[:1]).write(tmp_path)))
    (reference,) = [row for row in results.scaling if row.arm == "raw" and row.world_size == 1]
    (trainer,) = [row for row in results.scaling if row.arm == "trainer" and row.world_size == 1]
    results.scaling = [at(row, ranks) for ranks in (1, 2, 4, 8, 16) for row in (reference, trainer)]
    costs = [row for row in results.overhead if row.arm in ("trainer", "injected")]
    results.overhead = [
        row._replace(cell_id=f"r{ranks}", overhead_us=float(ranks)) for ranks in (1, 2, 4, 8, 16) for row in costs
    ]
    return results


def at(row: Row, ranks: int) -> Row:
    efficient = 1 - 0.05 * math.log2(ranks)
    samples = 1000.0 * ranks * efficient
    return row._replace(
        cell_id=f"r{ranks}",
        reference_cell="r1",
        world_size=ranks,
        nodes=max(1, ranks // RANKS_PER_NODE),
        samples_per_s=samples,
        samples_per_s_lo=0.9 * samples,
        samples_per_s_hi=1.1 * samples,
        efficiency=efficient,
        efficiency_lo=0.0,
        efficiency_hi=40.0,
    )


def test_the_ideal_line_goes_through_the_smallest_size(sizes: Results) -> None:
    axes = throughput.draw(sizes).figure.axes[0]
    raw, ideal = axes.lines[0], axes.lines[2]
    assert list(ideal.get_xdata()) == [1, 2, 4, 8, 16]
    assert list(ideal.get_ydata()) == [1000, 2000, 4000, 8000, 16000]
    assert raw.get_ydata()[0] == 1000 and raw.get_ydata()[4] == pytest.approx(12800)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_the_nodes_boundary_lies_between_one_node_and_several(sizes: Results) -> None:
    rows = sizes.scaling
    assert node_boundary(rows) == pytest.approx(math.sqrt(4 * 8))
    assert node_boundary([row for row in rows if row.nodes == 1]) is None
    assert node_boundary([row for row in rows if row.nodes > 1]) is None
    (axes,) = scaling.draw(sizes).figure.axes
    assert any(text.get_text().strip() == "several nodes" for text in axes.texts)


def test_an_interval_of_few_launches_does_not_hide_the_estimates(sizes: Results) -> None:
    (axes,) = scaling.draw(sizes).figure.axes
    assert axes.get_ylim() == (0, 120)


def test_costs_are_those_of_the_primary_clock_without_controls(sizes: Results) -> None:
    drawing = overhead_by_size.draw(sizes)
    (axes,) = drawing.figure.axes
    curves = [line for line in axes.lines if len(line.get_xdata()) == 5]
    assert [list(line.get_ydata()) for line in curves] == [[1, 2, 4, 8, 16]], "the trainer's alone"
    assert f"({sizes.clocks()[0]} clock)" in drawing.caption


def test_without_other_sizes_the_reason_is_told(sizes: Results) -> None:
    sizes.scaling = [row._replace(mode="") for row in sizes.scaling]
    for figure in (throughput, scaling, overhead_by_size):
        with pytest.raises(NothingToDrawError, match="no cells of scaling.csv differ in the number of ranks alone"):
            figure.draw(sizes)


def test_arms_without_a_throughput_are_left_out(sizes: Results) -> None:
    sizes.scaling = [row._replace(samples_per_s=math.nan) if row.arm == "trainer" else row for row in sizes.scaling]
    assert "nan" not in throughput.draw(sizes).alt
    sizes.scaling = [row._replace(samples_per_s=math.nan) for row in sizes.scaling]
    with pytest.raises(NothingToDrawError, match="holds no samples per second"):
        throughput.draw(sizes)


def test_without_costs_the_reason_is_told(sizes: Results) -> None:
    sizes.overhead = []
    with pytest.raises(NothingToDrawError, match="overhead.csv holds no arm"):
        overhead_by_size.draw(sizes)


def test_groups_that_scale_worst_come_first(results: Results) -> None:
    worst = [min(row.efficiency for row in rows) for rows in scaling_groups(results).values()]
    assert worst == sorted(worst)


@pytest.fixture
def settings(sizes: Results) -> Results:
    """The same in two backends, two precisions and three batches; the more samples, the better it scales."""
    results = copy(sizes)
    results.scaling = [
        row._replace(
            cell_id=f"{row.cell_id}-{backend}-{precision}-{batch}",
            reference_cell=f"{row.reference_cell}-{backend}-{precision}-{batch}",
            backend=backend,
            precision=precision,
            batch_size_per_rank=batch,
            samples_per_s=row.samples_per_s * batch,
            efficiency=row.efficiency ** (1 / batch),
        )
        for backend in ("nccl", "gloo")
        for precision in ("fp32", "amp_fp16")
        for batch in (4, 1, 2)
        for row in sizes.scaling
        if row.mode == "weak"
    ]
    return results


def test_cells_that_differ_in_an_axis_that_no_column_has_share_no_curve(sizes: Results) -> None:
    """Two devices for each rank: the row's own reference cell tells them apart, whatever axes there are."""
    weak = [row for row in sizes.scaling if row.mode == "weak"]
    sizes.scaling = weak + [row._replace(reference_cell=f"{row.reference_cell}-d2", cell_id=f"{row.cell_id}-d2") for row in weak]
    groups = scaling_groups(sizes)
    assert len(groups) == 2 * len({row.reference_cell for row in weak})
    assert all(len({row.reference_cell for row in rows}) == 1 for rows in groups.values())
    assert any(title.endswith("-d2") for title in groups)


def test_settings_are_a_grid_of_batches_on_one_scale(settings: Results) -> None:
    figure = throughput.draw(settings).figure
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:3] == [f"gloo, amp_fp16, batch {batch} per rank" for batch in (1, 2, 4)]
    assert titles[9:] == [f"nccl, fp32, batch {batch} per rank" for batch in (1, 2, 4)]
    columns = {axes.get_subplotspec().colspan.start for axes in figure.axes}
    assert columns == {0, 1, 2}
    assert len({axes.get_ylim() for axes in figure.axes}) == 1


def test_what_all_panels_share_stands_in_the_caption_alone(settings: Results) -> None:
    caption = scaling.draw(settings).caption
    workload, strategy = settings.scaling[0].workload, settings.scaling[0].strategy
    assert f"All panels: {workload}, {strategy}" in caption


def test_of_many_groups_those_that_scale_worst_are_shown(settings: Results) -> None:
    more = [
        row._replace(precision="tf32", efficiency=0.1, reference_cell=f"{row.reference_cell}-tf32")
        for row in settings.scaling
        if row.precision == "fp32"
    ]
    settings.scaling = settings.scaling + more
    drawing = scaling.draw(settings)
    titles = [axes.get_title() for axes in drawing.figure.axes]
    assert len(titles) == 12
    assert sum("tf32" in title for title in titles) == 6
    assert "12 of 18 groups" in drawing.caption


def test_numbers_of_ranks_do_not_touch_in_narrow_panels(settings: Results) -> None:
    sizes = [2**n for n in range(11)]
    settings.scaling = [at(row, ranks)._replace(reference_cell=row.reference_cell) for row in settings.scaling for ranks in sizes]
    labels = [text.get_text() for text in throughput.draw(settings).figure.axes[0].get_xticklabels()]
    assert [label for label in labels if label] == ["1,024", "256", "64", "16", "4", "1"]

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from synthetic_results import ARMS, CELLS, Folder
from synthetic_step_parts import STEP_PARTS

from reports.html.__main__ import main
from reports.html.findings import step_parts as table
from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import step_parts
from reports.plots.style import PART_STYLES
from reports.plots.tables.results import Results

SENTENCE = "null on 2 ranks: a step takes 152 ms; 21 % of it is <data>: …"


def bars(axes: Axes, framed: bool) -> dict[int, list[Rectangle]]:
    """Line of the panel -> its parts, left to right; or the frames of bottlenecks."""
    by_line: dict[int, list[Rectangle]] = {}
    for container in axes.containers:
        for bar in container:
            if bar.get_fill() != framed:
                by_line.setdefault(round(bar.get_y() + bar.get_height() / 2), []).append(bar)
    return by_line


def test_parts_touch_and_add_up_to_the_step(results: Results) -> None:
    place = [row.cell_id for row in results.cells].index(CELLS[0].cell_id)
    axes = step_parts.draw(results).figure.axes[place]
    by_line = bars(axes, framed=False)
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [ARMS[0], ARMS[1], f"{ARMS[1]}, its trace", *ARMS[2:]]
    for name, parts in zip(names, (by_line[line] for line in range(len(names))), strict=True):
        assert len(parts) == len(STEP_PARTS) and parts[0].get_x() == 0
        factor = 1.1 if name.endswith("its trace") else 1
        assert sum(bar.get_width() for bar in parts) == pytest.approx(factor * CELLS[0].step_ms)
        for left, right in pairwise(parts):
            assert left.get_x() + left.get_width() == pytest.approx(right.get_x())


def test_the_bottleneck_has_a_frame(results: Results) -> None:
    axes = step_parts.draw(results).figure.axes[0]
    for line, (frame,) in bars(axes, framed=True).items():
        assert frame.get_x() == pytest.approx(bars(axes, framed=False)[line][1].get_x())


def test_what_has_not_all_parts_is_not_drawn(results: Results) -> None:
    rows = [row for row in results.step_parts if row.part == "exposed communication"]
    beside_device = replace(results, tables=results.tables | {"step_parts": rows, "traced_parts": []})
    with pytest.raises(NothingToDrawError, match=r"raw\+ideal"):
        step_parts.draw(beside_device)


def test_a_trace_alone_is_drawn(results: Results) -> None:
    (axes,) = step_parts.draw(replace(results, tables=results.tables | {"step_parts": []})).figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"{ARMS[1]}, its trace"]


def test_the_table_has_bounds_and_what_shows_them(results: Results) -> None:
    (found,) = table.tables(results)
    row = next(row for row in found.rows if row[1] == "raw" and row[2] == "exposed communication")
    assert row[3] == "yes" and row[7] == "raw+ideal" and "[" in row[4] and "[" in row[6]
    assert any(row[2] == "waiting for a slower rank (rank 1 is slow)" for row in found.rows)


def test_the_sentences_stand_behind_the_answer(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1], summary_extra={"where": [SENTENCE]}).write(tmp_path)
    assert main(["--results", str(tmp_path)]) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    shown = SENTENCE.replace("<", "&lt;").replace(">", "&gt;")
    assert html.index('id="answer"') < html.index(shown) < html.index('id="how-sure"')
    assert SENTENCE.replace("<", r"\<").replace(">", r"\>") in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_every_part_has_a_look_of_its_own() -> None:
    assert tuple(PART_STYLES) == tuple(STEP_PARTS)
    assert len({(style.color, style.hatch) for style in PART_STYLES.values()}) == len(STEP_PARTS)

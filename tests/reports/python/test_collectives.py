"""The collectives by themselves: figure, tables, and a folder that holds nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synthetic_results import CELLS, Folder

from reports.html.__main__ import main
from reports.html.findings.collectives import tables
from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import backend_shares, collective_tails, collectives
from reports.plots.tables.results import Results


def test_a_panel_has_a_curve_for_each_arm_over_the_sizes(own_results: Results) -> None:
    drawing = collectives.draw(own_results)
    first = drawing.figure.axes[0]
    assert first.get_title() == "all_reduce, nodes × ranks: 1 × 2"
    assert [list(line.get_xdata()) for line in first.lines] == [[64, 4096, 1 << 20]] * 3
    assert [text.get_text() for text in drawing.figure.legends[0].get_texts()] == [
        "mpi_nonblocking",
        "gloo",
        "mpi_nonblocking_again",
    ]
    assert "all_reduce on 1 × 2: gloo 1.58 ms for 1 MiB" in drawing.alt


def test_without_sizes_the_figure_says_what_would_measure_them(own_results: Results) -> None:
    own_results.collectives = [row for row in own_results.collectives if row.bucket_cap]
    with pytest.raises(NothingToDrawError, match="ddpbench collectives"):
        collectives.draw(own_results)


def test_the_tails_reach_from_the_mean_to_the_longest(own_results: Results) -> None:
    drawing = collective_tails.draw(own_results)
    first = drawing.figure.axes[0]
    tails = [segment for lines in first.collections for segment in lines.get_segments()]
    assert len(tails) == 2 * 3, "a line for each size of the reference and of gloo; the A/A arm has none"
    assert all(end[1] == pytest.approx(4 * begin[1]) for begin, end in tails), "the longest"
    assert len({segment[0][0] for segment in tails}) == 6, "arms stand side by side"
    assert "the longest is 4 times the mean" in drawing.alt
    assert "n = 200 repetitions" in drawing.caption and "99th percentile" in drawing.caption


def test_on_a_device_no_tail_is_drawn(own_results: Results) -> None:
    own_results.collectives = [row._replace(longest_us=float("nan")) for row in own_results.collectives]
    with pytest.raises(NothingToDrawError, match="not told apart on a device"):
        collective_tails.draw(own_results)


def test_the_tables_have_speed_tail_and_what_was_wrong(own_results: Results) -> None:
    own_results.collectives[1] = own_results.collectives[1]._replace(wrong=3)
    _, steps, buckets, sizes, fits = tables(own_results)
    gloo = next(row for row in sizes.rows if "gloo" in row)
    assert {"64 B", "0.33 [0.33, 0.34] ×", "0.60", "✖ 3"} <= set(gloo)
    assert any(" / " in text for text in gloo), "p99 and the worst"
    of_gloo = [row for row in buckets.rows if "gloo" in row and row[0] == "1 × 2"]
    assert [row[1] for row in of_gloo] == ["1", "25"], "the fastest first"
    assert "1.20 [1.10, 1.30] ×" in of_gloo[0]
    assert not {row[6] for row in buckets.rows} & {"compute", "compute_again"} and all("step" not in row for row in sizes.rows)
    gloo, compute, again = (next(row for row in steps.rows if name in row) for name in ("gloo", "compute", "compute_again"))
    alone = next(row for row in of_gloo if row[1] == gloo[1])
    assert gloo[7] == alone[8].split(" ")[0], "its buckets alone, in µs"
    assert gloo[8].endswith(" %)") and compute[6] == compute[7] == "" and again[6]
    assert "0.66 [0.64, no bound]" in fits.rows[0] and "−12 % at 4 KiB" in fits.rows[0]


def test_what_a_step_pays_for_its_backend_closes_to_the_total(own_results: Results) -> None:
    drawing = backend_shares.draw(own_results)
    titles = [axes.get_title(loc="left") for axes in drawing.figure.axes if axes.get_title(loc="left")]
    assert titles[:2] == [
        "gloo: 89.7 MiB in 4 buckets of bucket_cap_mb = 25, nodes × ranks: 1 × 2",
        "mpi: 89.7 MiB in 4 buckets of bucket_cap_mb = 25, nodes × ranks: 1 × 2",
    ], "at the bucket size of the shortest step"
    for row in own_results.backend_shares:
        bars = backend_shares.bars_of(row)
        assert bars[-2].left + bars[-2].width == pytest.approx(bars[-1].width)
        assert [bar.left for bar in bars[1:-1]] == pytest.approx([bar.left + bar.width for bar in bars[:-2]])
    assert "± overlap −12,000" in drawing.alt and "n = 12 rounds" in drawing.caption
    table = tables(own_results)[0]
    assert [row[2] for row in table.rows][:2] == ["gloo", "mpi"] and table.rows[1][4] == "the fastest"
    assert table.rows[0][-1] == "+2,000", "what the medians leave"


def test_a_backend_that_is_the_floor_has_no_share_of_its_own(own_results: Results) -> None:
    row = own_results.backend_shares[0]._replace(floor_arm="gloo", backend_us=float("nan"))
    assert [bar.label for bar in backend_shares.bars_of(row)][:2] == ["floor: gloo", "+ DDP's work"]


def test_steps_without_their_buckets_draw_nothing(own_results: Results) -> None:
    own_results.backend_shares = []
    with pytest.raises(NothingToDrawError, match="--batch-size"):
        backend_shares.draw(own_results)


def test_a_folder_of_collectives_alone_asks_nothing_about_training(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    for file in [
        *(tmp_path / "tables").glob("*.csv"),
        tmp_path / "overhead.csv",
        tmp_path / "scaling.csv",
        tmp_path / "plan.csv",
    ]:
        if "collective" not in file.name:
            file.write_text(file.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    environment = tmp_path / "environment.json"
    facts = json.loads(environment.read_text(encoding="utf-8"))
    environment.write_text(json.dumps(facts | {"command_line": "ddpbench collectives --min-bytes 64"}), encoding="utf-8")
    assert main(["--results", str(tmp_path)]) == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert [name for name in ("cost", "claim", "where", "scale") if f'<h2 id="{name}"' in html] == []
    assert '<h2 id="collectives">' in html and "ddpbench collectives --min-bytes 64" in html
    assert "plan.csv" not in html

"""What would make the answer surer, and the command that does it."""

from __future__ import annotations

from pathlib import Path

from synthetic_results import CELLS, Folder
from synthetic_schema import row_of, schema, write_table

from reports.html.next_steps import constraint, features, is_text, only
from reports.html.page import page_of
from reports.plots.tables.csv_table import Row, read_texts
from reports.plots.tables.results import Results


def test_what_would_settle_an_open_row_is_said_cheapest_first(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    rows = read_texts(tmp_path / "overhead.csv")
    settle = ({"settle_launches": 12, "settle_pairs": 600, "settle_minutes": 90 - n} for n in range(len(rows)))
    settled = [row | more if row["arm"] == "trainer" else row for row, more in zip(rows, settle, strict=True)]
    write_table(tmp_path, "overhead.csv", settled)
    results = Results.read(tmp_path)
    results.program = "/opt/my tools/ddpbench"
    step = page_of(results, [], "").next_steps[0]
    assert step.sentence.startswith("trainer on ") and "about 12 launches of 600 pairs (" in step.sentence
    assert step.command.startswith(f"'/opt/my tools/ddpbench' run {tmp_path.resolve()}/experiment.toml ")  # from any folder
    assert " --set launches=12 --set min_super_blocks=600 --set max_super_blocks=600 --out " in step.command
    commands = [found.command for found in page_of(results, [], "").next_steps]
    assert len({command.partition(" --out ")[2] for command in commands}) == len(commands)
    results.overhead = [row._replace(launches=1) for row in results.overhead]
    assert " --set launches=5 --out " in page_of(results, [], "").next_steps[0].command


def test_what_features_of_a_framework_cost_is_asked_first(tmp_path: Path) -> None:
    Folder(cells=CELLS[:1]).write(tmp_path)
    results = Results.read(tmp_path)
    results.program = "ddpbench"
    assert not features(results)
    results.summary["asks_features"] = True
    (step,) = features(results)
    assert step.command == f"ddpbench run claim --out {tmp_path.resolve()}-claim"
    assert page_of(results, [], "").next_steps[0] == step


def test_what_settles_a_row_leaves_the_other_cells_out() -> None:
    one = cell("null-ddp-gloo-n1r2-fp32-b4-stem=it's", workload="null", options="stem=it's;data=made")
    other = one._replace(cell_id="b8", batch_size_per_rank=8)
    assert only(one, [one]) == ['stem == "it\'s"']  # swept: it stands in the cell's id, `data` does not
    assert only(one, [one, other]) == ["batch_size_per_rank == 4", 'stem == "it\'s"']
    assert only(one._replace(workload="a"), [one, one._replace(workload="a")])[0] == 'workload == "a"'
    assert constraint("view", "true", is_text("true")) == "view == true"
    assert constraint("bucket_cap_mb", "0.5", is_text("0.5")) == "bucket_cap_mb == 0.5"
    assert constraint("bucket_cap_mb", "default", is_text("default")) == ""


def cell(cell_id: str, **values: object) -> Row:
    defaults = dict.fromkeys(schema()["tables/cells.csv"], 1) | {"batch_size_per_rank": 4}
    return row_of("tables/cells.csv", **defaults | {"cell_id": cell_id} | values)

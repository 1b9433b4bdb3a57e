"""Instructions, by the kernel's own clock in their place: a virtual machine's processor counts none."""

import json
from pathlib import Path

import pytest
from conftest import PROGRAM, Ddpbench, rows

BUILD = Path(PROGRAM).parent.parent
SHORT = "min_super_blocks = 8\nmax_super_blocks = 8"
COUNTED = {"DDPBENCH_COUNTED_EVENT": "task_clock"}


def counted_by(out: Path) -> set[str]:
    launches = json.loads((out / "environment.json").read_text(encoding="utf-8"))["launches"]
    return {facts["instruction_counter"] for facts in launches.values()}


def counts_here(ddpbench: Ddpbench) -> None:
    """A container's rules may forbid even the software's events."""
    out = ddpbench.folder / "probe"
    assert ddpbench.run("run", ddpbench.experiment(protocol=SHORT), "--out", out, **COUNTED).returncode == 0
    if counted_by(out) != {"task_clock"}:
        pytest.skip("; ".join(counted_by(out)))


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory):
    """This build against itself with a step of ten times as many products."""
    ddpbench = Ddpbench(tmp_path_factory.mktemp("instructions"))
    counts_here(ddpbench)
    done = ddpbench.run(
        "compare", "--base", BUILD, "--new", "matmuls=60", ddpbench.experiment(protocol=SHORT), "--out", "out", "--once",
        "--launches", "3", **COUNTED,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return ddpbench, done


def test_every_block_of_every_rank_is_counted(compared):
    ddpbench, _ = compared
    blocks = rows(ddpbench.folder / "out" / "base", "blocks.csv.gz")
    assert {block["rank"] for block in blocks} == {"0", "1"}
    assert all(float(block["instructions"]) > 0 for block in blocks)


def test_arms_are_judged_and_no_table_of_times_has_them(compared):
    ddpbench, _ = compared
    out = ddpbench.folder / "out" / "base"
    assert ddpbench.run("report", out, "--tables-only").returncode == 0
    arms = [row for row in rows(out, "tables/instructions.csv") if row["kind"] == "arm"]
    assert {row["arm"] for row in arms} == {"raw_again", "trainer", "injected"}
    assert all(row["verdict"] in ("EQUAL", "MORE", "FEWER", "OPEN") and row["launches"] == "3" for row in arms)
    for table in ("overhead.csv", "tables/ladder.csv"):
        assert all(row["clock"] != "instructions" for row in rows(out, table))
    assert ddpbench.run("verify", out).returncode == 0


def test_a_comparison_shows_them_beside_time(compared):
    ddpbench, done = compared
    out = ddpbench.folder / "out"
    (step,) = [row for row in rows(out, "comparison_instructions.csv") if row["what"] == "step"]
    assert step["verdict"] == "MORE" and float(step["change_lo"]) > 0
    assert "Counted in instructions, which noise hardly moves, raw's step grew" in done.stdout
    assert "<summary>In instructions</summary>" in (out / "comparison.md").read_text(encoding="utf-8")
    assert all(row["clock"] != "instructions" for row in rows(out, "comparison.csv"))


def test_where_nothing_is_counted_the_page_says_why(ddpbench):
    out = ddpbench.folder / "out"
    experiment = ddpbench.experiment(protocol=SHORT)
    done = ddpbench.run("run", experiment, "--out", out, page=True, DDPBENCH_COUNTED_EVENT="none")
    assert done.returncode == 0, done.stderr
    assert rows(out, "tables/instructions.csv") == []
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "No instructions were counted (none: DDPBENCH_COUNTED_EVENT is none)." in page

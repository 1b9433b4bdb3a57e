"""The run that campaigns disturb: real ranks that train the null model, in three launches of some tenths of a second each.

Two more launches are of one arm alone, for its peak memory."""

from __future__ import annotations

import os
from pathlib import Path

from case import Case

EXPERIMENT = """name = "campaign"
arms = ["raw", "raw_again", "trainer", "injected"]
memory_where = "nodes == 1"
[axes]
workload = ["null"]
ranks_per_node = [2]
batch_size_per_rank = [4]
[protocol]
launches = {launches}
min_super_blocks = {super_blocks}
max_super_blocks = {super_blocks}
hang_timeout_seconds = {hang_timeout_seconds}
"""

# Stands in for the Python that draws where a case is not about the page: drawing takes longer than three launches. The page
# appears whole or not at all, as the real one does.
PAGE_AT_ONCE = """#!/bin/sh
while [ $# -gt 1 ]; do
  if [ "$1" = --out ]; then echo '<html></html>' > "$2/report.html.$$-0.new" && mv "$2/report.html.$$-0.new" "$2/report.html"; fi
  shift
done
"""


def write_experiment(folder: Path, launches: int = 3, super_blocks: int = 6, hang_timeout_seconds: int = 60) -> Path:
    path = folder / "experiment.toml"
    text = EXPERIMENT.format(launches=launches, super_blocks=super_blocks, hang_timeout_seconds=hang_timeout_seconds)
    path.write_text(text, encoding="utf-8")
    return path


def write_page_at_once(folder: Path) -> Path:
    path = folder / "page_at_once"
    path.write_text(PAGE_AT_ONCE, encoding="utf-8")
    os.chmod(path, 0o755)
    return path


def without_page(case: Case) -> dict[str, str]:
    """Variables of a run whose page is not what the case is about."""
    return {"DDPBENCH_PYTHON": str(case.setting.shared / "page_at_once")}


def make_undisturbed(case: Case, *, with_page: bool, **experiment: int) -> Path:
    """A whole run for a campaign's cases to be compared with. One that cannot be made ends the campaign."""
    write_page_at_once(case.setting.shared)
    path = write_experiment(case.setting.shared, **experiment)
    out = case.setting.shared / "undisturbed"
    variables = {} if with_page else without_page(case)
    ended = case.run("run", path, "--out", out, variables=variables)
    if ended.code != 0 or ended.hung:
        raise RuntimeError(f"the undisturbed run failed: {ended.told()}\n{ended.text[-2000:]}")
    (case.setting.shared / "seconds").write_text(str(ended.seconds))
    return out

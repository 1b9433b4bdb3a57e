"""The folder of a comparison, made up."""

from __future__ import annotations

import json
from pathlib import Path

from synthetic_schema import row_of, schema_text, write_table

from reports.html.comparison import COUNTED as COUNTED_FILE
from reports.html.comparison import TABLE
from reports.plots.tables.csv_table import Row

NAN = float("nan")
PASSED = row_of(
    TABLE, cell_id="c1", what="cost", arm="trainer", clock="awaited", base_us=20.1, new_us=20.4, change_us=0.3, change_us_lo=-0.6,
    change_us_hi=1.2, change_percent=0.03, change_percent_lo=-0.06, change_percent_hi=0.12, step_us=1000.0, aa_lo_us=-0.8,
    aa_hi_us=0.9, margin_us=5.0, base_launches=8, new_launches=8, settle_launches=NAN, counts=True, verdict="EQUIVALENT",
    gate="PASS", reason="not slower by more than 0.5 % of the step",
)  # fmt: skip
OPEN = PASSED._replace(
    arm="trainer-loss", change_us=6.0, change_us_lo=-3.0, change_us_hi=15.0, change_percent=0.6, change_percent_lo=-0.3,
    change_percent_hi=1.5, verdict="AMBIGUOUS", gate="OPEN", settle_launches=31.0, reason="neither",
)  # fmt: skip
GREW = PASSED._replace(
    arm="py_lightning", change_us=21.0, change_us_lo=17.0, change_us_hi=25.0, change_percent=2.1, change_percent_lo=1.7,
    change_percent_hi=2.5, verdict="SLOWER", gate="REGRESSION", reason="slower beyond chance",
)  # fmt: skip
TOLD = PASSED._replace(arm="raw", what="step", gate="", verdict="", counts=False, aa_lo_us=NAN, aa_hi_us=NAN, reason="")
ON_WALL = PASSED._replace(clock="wall", gate="", counts=False)
COUNTED = row_of(
    COUNTED_FILE, cell_id="c1", what="step", arm="raw", base=1_234_000, new=1_259_000, change_percent=2.0, change_percent_lo=1.99,
    change_percent_hi=2.02, verdict="MORE",
)  # fmt: skip
TEXT = {
    "base": "../before/build",
    "new": "build",
    "base_again": True,
    "sentences": ["Regression: py_lightning costs more in the new build on null: +21 us."],
    "instructions": ["Counted in instructions, which noise hardly moves, raw's step grew."],
    "how_sure": "8 launches of each, in turn on one machine.",
    "damage": [],
    "differing": ["lightning: 2.5.1 | 2.6.6"],
    "labels": {"c1": "null"},
    "primary_clock": "awaited",
    "confidence_percent": 95,
    "threshold_percent": 0,
    "tables": [table for table in json.loads(schema_text())["tables"] if table["file"] in (TABLE, COUNTED_FILE)],
}


def folder_of(path: Path, rows: list[Row], counted: bool = False, **text: object) -> Path:
    (path / "comparison.json").write_text(json.dumps(TEXT | text), encoding="utf-8")
    write_table(path, TABLE, [row._asdict() for row in rows])
    if counted:
        write_table(path, COUNTED_FILE, [COUNTED._asdict()])
    return path

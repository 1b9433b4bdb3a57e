"""Reads results folders without the program that is under attack, and compares them."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Where a launch's rows end in the sample files: a place and no figure, and another attempt may have moved it.
PLACES = ("steps_bytes", "blocks_bytes")
STEP_KEY = ("launch_id", "super_block", "block", "arm", "step", "rank")
BLOCK_KEY = ("launch_id", "super_block", "block", "arm", "rank")
RUN_KEY = ("launch_id", "arm")
# What the machine decides, and not the plan.
OF_THE_MACHINE = ("command",)

Row = dict[str, str]
Key = tuple[str, ...]


class TornError(Exception):
    """A file that cannot be read to its end."""


def rows_of(path: Path, end: int | None = None) -> list[Row]:
    """Of a table, or of the samples up to byte `end` of their file."""
    data = path.read_bytes()[:end]
    try:
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise TornError(f"{path.name}: {error}") from None
    if not text.endswith("\n"):
        raise TornError(f"{path.name} ends inside a line")
    return list(checked_rows(text, path.name))


def checked_rows(text: str, name: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""))
    columns = next(reader)
    for fields in reader:
        if len(fields) != len(columns):
            raise TornError(f"{name}: a row of {len(fields)} fields where there are {len(columns)} columns")
        yield dict(zip(columns, fields, strict=True))


def key_of(row: Row, columns: tuple[str, ...]) -> Key:
    return tuple(row[column] for column in columns)


def twice(rows: list[Row], columns: tuple[str, ...]) -> list[Key]:
    return [key for key, count in Counter(key_of(row, columns) for row in rows).items() if count > 1]


@dataclass
class Results:
    """What counts in a folder. `whole`: every byte of the samples is read; else what runs.csv says is there."""

    runs: list[Row]
    metrics: list[Row]
    steps: list[Row]
    blocks: list[Row]

    @classmethod
    def read(cls, folder: Path, *, whole: bool) -> Results:
        runs = rows_of(folder / "runs.csv")

        def samples(name: str, column: str) -> list[Row]:
            end = None if whole else max((int(run[column]) for run in runs), default=0)
            return rows_of(folder / name, end) if end is None or end > 0 else []

        metrics = rows_of(folder / "metrics.csv")
        return cls(runs, metrics, samples("steps.csv.gz", "steps_bytes"), samples("blocks.csv.gz", "blocks_bytes"))

    def finished(self) -> list[str]:
        """Launches whose every arm is ok."""
        unwell = {run["launch_id"] for run in self.runs if run["status"] != "ok"}
        return [launch for launch in dict.fromkeys(run["launch_id"] for run in self.runs) if launch not in unwell]

    def doubled(self) -> list[str]:
        checks = (("steps", self.steps, STEP_KEY), ("blocks", self.blocks, BLOCK_KEY), ("runs", self.runs, RUN_KEY))
        return [
            f"{len(found)} keys of {name} stand twice, the first is {' '.join(found[0])}"
            for name, rows, columns in checks
            if (found := twice(rows, columns))
        ]

    def of_launch(self, launch: str) -> dict[str, list[Key]]:
        """All that is kept of one launch, in its order, as it must stay."""
        runs = [{name: value for name, value in run.items() if name not in PLACES} for run in self.runs]
        tables = {"runs": runs, "metrics": self.metrics, "steps": self.steps, "blocks": self.blocks}
        return {name: [tuple(row.values()) for row in rows if row["launch_id"] == launch] for name, rows in tables.items()}

    def order(self) -> Counter[Key]:
        """Who ran when: what a seed decides."""
        return Counter(key_of(row, (*BLOCK_KEY, "position")) for row in self.blocks)

    def work(self) -> Counter[Key]:
        """Which steps there are, and what the model had learnt where that was read."""
        return Counter(key_of(row, (*STEP_KEY, "loss")) for row in self.steps)


def plan_of(folder: Path) -> list[Row]:
    rows = rows_of(folder / "plan.csv")
    return [{name: value for name, value in row.items() if name not in OF_THE_MACHINE} for row in rows]


def lost_of(before: Results, after: Results) -> list[str]:
    """What a finished launch had before and has not, or has otherwise, now."""
    sentences = []
    for launch in before.finished():
        then, now = before.of_launch(launch), after.of_launch(launch)
        changed = [name for name in then if then[name] != now[name]]
        sentences += [f"launch {launch} was finished and its {name} are other ones now" for name in changed]
    return sentences

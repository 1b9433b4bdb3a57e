"""Reads results folders without the program that is under attack, and compares them."""

from __future__ import annotations

import csv
import io
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

# Where a launch's rows stand in the sample files: a place and no figure, and another attempt may have moved it.
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


def rows_of(path: Path) -> list[Row]:
    """Of a table."""
    try:
        return checked_rows(path.read_bytes().decode("utf-8"), path.name)
    except UnicodeDecodeError as error:
        raise TornError(f"{path.name}: {error}") from None


def members_of(path: Path) -> tuple[list[str], bool]:
    """The texts of a sample file's whole gzip members, and whether nothing else comes after them."""
    data, texts = path.read_bytes(), []
    while data:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            text = unpacker.decompress(data)
        except zlib.error:
            return texts, False
        if not unpacker.eof:
            return texts, False
        texts.append(text.decode("utf-8", errors="replace"))
        data = unpacker.unused_data
    return texts, True


def samples_of(path: Path, *, whole: bool) -> list[Row]:
    """Every row; or, of a run that was ended at any moment, of each launch the last member that is whole: another may be on
    its way, or an earlier attempt's about to go."""
    texts, is_all = members_of(path)
    if whole and not is_all:
        raise TornError(f"{path.name}: what comes after {len(texts)} members is none")
    if whole or not texts:
        return checked_rows("".join(texts), path.name)
    last = {text.partition(",")[0]: checked_rows(texts[0] + text, path.name) for text in texts[1:]}
    return [row for rows in last.values() for row in rows]


def checked_rows(text: str, name: str) -> list[Row]:
    """Header first."""
    if not text.endswith("\n"):
        raise TornError(f"{name} ends inside a line")
    columns, *lines = csv.reader(io.StringIO(text, newline=""))
    if short := [fields for fields in lines if len(fields) != len(columns)]:
        raise TornError(f"{name}: a row of {len(short[0])} fields where there are {len(columns)} columns")
    return [dict(zip(columns, fields, strict=True)) for fields in lines]


def key_of(row: Row, columns: tuple[str, ...]) -> Key:
    return tuple(row[column] for column in columns)


def twice(rows: list[Row], columns: tuple[str, ...]) -> list[Key]:
    return [key for key, count in Counter(key_of(row, columns) for row in rows).items() if count > 1]


@dataclass
class Results:
    """What counts in a folder. `whole`: nothing else may stand in it; else it is one that a run was ended in."""

    runs: list[Row]
    metrics: list[Row]
    steps: list[Row]
    blocks: list[Row]

    @classmethod
    def read(cls, folder: Path, *, whole: bool) -> Results:
        samples = [samples_of(folder / name, whole=whole) for name in ("steps.csv.gz", "blocks.csv.gz")]
        return cls(rows_of(folder / "runs.csv"), rows_of(folder / "metrics.csv"), *samples)

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

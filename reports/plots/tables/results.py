"""A results folder as this side sees it: its tables, and the order in which cells and arms are shown."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from reports.plots.tables.arm_facts import ArmFacts, arm_facts
from reports.plots.tables.csv_table import BadTableError, Columns, Row, cells_of, read_table
from reports.plots.tables.schema import SCHEMA, read_schema

# What is read beside the files in tables/.
OTHER_FILES = ("plan.csv", "overhead.csv", "scaling.csv", "collectives.csv")

# Tables of samples: millions of rows in a large sweep, of which no figure shows more cells than these.
LARGE_TABLES = ("distribution", "drift", "loss")
MOST_CELLS_DRAWN = 24
MOST_CELLS_IN_ORDER = 24  # what is left out of more than these are the best, never the last

PRIMARY_CLOCKS = ("device", "awaited", "wall")  # the first that was measured, where summary.json names no `primary_clock`
# What has to be looked at first; "not resolved" comes before "faster" because it hides a cost as easily.
VERDICT_ORDER = ("SLOWER", "UNMEASURABLE", "AMBIGUOUS", "", "FASTER", "EQUIVALENT")
NOT_RESOLVED = ("UNMEASURABLE", "AMBIGUOUS")


@dataclass
class Results:
    """Every table is an attribute by the name of its file: `results.skew` are the rows of tables/skew.csv."""

    path: Path
    tables: dict[str, list[Row]] = field(default_factory=dict)
    summary: dict = field(default_factory=dict)
    environment: dict = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # files that are not there
    program: str = "ddpbench"  # that printed commands name: where the user has it
    cells_in: dict[str, int] = field(default_factory=dict)  # known cells in a large table, of which only the worst were read

    @classmethod
    def read(cls, path: Path) -> Results:
        """Reads what is there. Raises BadTableError where `path` is no results folder or a file in it cannot be understood."""
        if not (path / "plan.csv").is_file():
            raise BadTableError(f"{path}: not a results folder (it has no plan.csv)")
        results = cls(path)
        schema = read_schema(path)
        if not schema:
            results.missing.append(SCHEMA)
        files = {Path(file).stem: file for file in schema or OTHER_FILES if is_read_here(file)}
        for name, file in files.items():
            is_whole = results._has(file) and file in schema and name not in LARGE_TABLES
            results.tables[name] = read_table(path / file, schema[file]) if is_whole else []
        for name, file in (("summary", "tables/summary.json"), ("environment", "environment.json")):
            setattr(results, name, _read_json(path / file) if results._has(file) else {})
        if not results.has_axes_order():
            results.cells.sort(key=lambda cell: results.badness_of(cell.cell_id))
        for name in LARGE_TABLES:
            if name in files and files[name] not in results.missing:
                results.tables[name] = results._worst_cells_of(files[name], schema[files[name]])
        return results

    def _worst_cells_of(self, file: str, columns: Columns) -> list[Row]:
        measured = cells_of(self.path / file)
        self.cells_in[file] = sum(cell.cell_id in measured for cell in self.cells)
        kept = self.worst_of([cell for cell in self.cells if cell.cell_id in measured], MOST_CELLS_DRAWN)
        return read_table(self.path / file, columns, {cell.cell_id for cell in kept})

    def __getattr__(self, table: str) -> list[Row]:
        """Finds a table. Without a schema each is empty."""
        if table.startswith("_") or "tables" not in vars(self):
            raise AttributeError(table)
        if table not in self.tables and SCHEMA not in self.missing:
            raise BadTableError(f"{self.path / SCHEMA}: no table {table}: run `ddpbench report` of this version again")
        return self.tables.get(table, [])

    def _has(self, file: str) -> bool:
        there = (self.path / file).is_file()
        if not there:
            self.missing.append(file)
        return there

    # --- order -----------------------------------------------------------------------------------------------------

    def clocks(self) -> list[str]:
        """Returns the clocks of overhead.csv, the primary one first."""
        return list(self._clocks)

    @cached_property
    def _clocks(self) -> list[str]:
        found = list(dict.fromkeys(row.clock for row in self.overhead))
        wanted = [self.summary.get("primary_clock"), *PRIMARY_CLOCKS]
        primary = next((clock for clock in wanted if clock in found), None)
        return sorted(found, key=lambda clock: clock != primary)

    def has_axes_order(self) -> bool:
        """Says whether cells stand in the order of their axes; of many, what got worse comes first."""
        return len(self.cells) <= MOST_CELLS_IN_ORDER

    def overhead_of(self, cell_id: str, clock: str) -> list[Row]:
        return self._overhead_by_cell_and_clock.get((cell_id, clock), [])

    @cached_property
    def _overhead_by_cell_and_clock(self) -> dict[tuple[str, str], list[Row]]:
        found: dict[tuple[str, str], list[Row]] = {}
        for row in self.overhead:
            found.setdefault((row.cell_id, row.clock), []).append(row)
        return found

    def badness_of(self, cell_id: str) -> tuple:
        """Sorts cells so that what got worse comes first, judged on the primary clock."""
        clock = next(iter(self.clocks()), "")
        rows = [row for row in self.overhead_of(cell_id, clock) if not self.facts_of(row.arm).is_control]
        return min((badness(row) for row in rows), default=(len(VERDICT_ORDER), 0.0))

    def worst_of(self, cells: list[Row], most: int) -> list[Row]:
        """Returns the worst of them, in the order in which they stand."""
        worst = {cell.cell_id for cell in sorted(cells, key=lambda cell: self.badness_of(cell.cell_id))[:most]}
        return [cell for cell in cells if cell.cell_id in worst]

    def in_order(self, rows: Iterable) -> list:
        """Returns rows in the order of the cells; of a cell as they were, of an unknown one at the end."""
        place = {cell.cell_id: number for number, cell in enumerate(self.cells)}
        return sorted(rows, key=lambda row: place.get(row.cell_id, len(place)))

    @cached_property
    def labels(self) -> dict[str, str]:
        """Gives the cells' labels, in the order of the cells."""
        return {cell.cell_id: cell.label for cell in self.cells}

    def label_of(self, cell_id: str) -> str:
        """Returns the cell's label; its id where no cell has it."""
        return self.labels.get(cell_id, cell_id)

    def facts_of(self, arm: str) -> ArmFacts:
        return self._arm_facts.get(arm, ArmFacts())

    @cached_property
    def _arm_facts(self) -> dict[str, ArmFacts]:
        return arm_facts(self.summary)

    def against(self, reference: str) -> str:
        """Says which family of arms a panel or a table is about; empty where the folder has one reference."""
        return f" (against {reference})" if len(self._references) > 1 else ""

    @cached_property
    def _references(self) -> list[str]:
        return list(dict.fromkeys(row.reference for row in self.overhead))

    def arms(self) -> list[str]:
        """Returns every arm of the folder, in the order of the experiment."""
        return list(self._arms)

    @cached_property
    def _arms(self) -> list[str]:
        planned = [arm for row in self.plan for arm in row.arms.split()]
        seen = [row.arm for table in (self.overhead, self.breakdown, self.distribution, self.loss) for row in table]
        return [arm for arm in dict.fromkeys(planned + self._references + seen) if arm]

    def arms_worst_first(self, cell_id: str) -> list[str]:
        """Returns the reference, then the other arms by their verdict and overhead on the primary clock, the controls last."""
        clock = next(iter(self.clocks()), "")
        rows = {row.arm: row for row in self.overhead_of(cell_id, clock)}
        references = {row.reference for row in rows.values()}

        def key(arm: str) -> tuple:
            group = 0 if arm in references else 2 if self.facts_of(arm).is_control else 1
            return (group, *(badness(rows[arm]) if arm in rows else (len(VERDICT_ORDER), 0.0)))

        return sorted(self.arms(), key=key)


def is_read_here(file: str) -> bool:
    """Says whether a file of the schema is a table of the report, or one of OTHER_FILES; the others hold samples."""
    return str(Path(file).parent) == "tables" or file in OTHER_FILES


def badness(row: Row) -> tuple:
    return verdict_badness(row.verdict, row.overhead_percent)


def verdict_badness(verdict: str, percent: float) -> tuple:
    rank = VERDICT_ORDER.index(verdict) if verdict in VERDICT_ORDER else len(VERDICT_ORDER)
    return (rank, math.inf if math.isnan(percent) else -percent)


def _read_json(path: Path) -> dict:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadTableError(f"{path}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise BadTableError(f"{path}: not a JSON object")
    return value

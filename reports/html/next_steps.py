"""What would make the answer surer: a sentence, and the command that does it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reports.html.shell_words import path_word, shell_word
from reports.plots.quantities import number, plural
from reports.plots.tables.csv_table import Row
from reports.plots.tables.results import Results

MAX_NEXT_STEPS = 5
TEXT_AXES = ("workload", "strategy", "backend", "precision")
NUMBER_AXES = ("nodes", "ranks_per_node", "batch_size_per_rank")


@dataclass(frozen=True)
class NextStep:
    sentence: str
    command: str


def next_steps(results: Results) -> list[NextStep]:
    """What a framework's features cost where that was not asked, further launches where there was one, then the open rows,
    the cheapest first."""
    clock = next(iter(results.clocks()), "")
    open_rows = [row for row in results.overhead if row.clock == clock and math.isfinite(row.settle_minutes)]
    subjects = [row for row in open_rows if not results.facts_of(row.arm).is_control]
    cheapest = sorted(subjects, key=lambda row: row.settle_minutes)[:MAX_NEXT_STEPS]
    settling = [settling_step(results, row, place) for place, row in enumerate(cheapest, 1)]
    return features(results) + more_launches(results) + settling


def features(results: Results) -> list[NextStep]:
    """Gives the shipped experiment that leaves out Lightning's features, where the program says that nobody asked."""
    if results.summary.get("asks_features") is not True:
        return []
    command = f"{path_word(results.program)} run claim --out {path_word(f'{results.path.resolve()}-claim')}"
    return [NextStep("Which feature costs how much, and what to switch off? In about 20 minutes, five launches:", command)]


def more_launches(results: Results) -> list[NextStep]:
    """Asks for five launches where each cell has one."""
    if max((row.launches for row in results.overhead), default=0) != 1:
        return []
    return [
        NextStep(
            "Every cell was measured in one launch. Five launches say whether the next one shows the same:",
            run_command(results, ["launches=5"], [], "5"),
        )
    ]


def settling_step(results: Results, row: Row, place: int) -> NextStep:
    """Puts each run into a folder of its own, so that all of them can be pasted."""
    cell = next((cell for cell in results.cells if cell.cell_id == row.cell_id), None)
    launches, pairs = max(round(row.settle_launches), 1), max(round(row.settle_pairs), 1)
    settings = [f"launches={launches}", f"min_super_blocks={pairs}", f"max_super_blocks={pairs}"]
    said = f"about {plural(launches, 'launch', 'es')} of {plural(pairs, 'pair')} ({number(row.settle_minutes)} minutes)"
    alike = ", if launches are alike" if row.launches == 1 else ""
    return NextStep(
        f"{row.arm} on {cell.label if cell else row.cell_id} is open: {said} would settle it{alike}:",
        run_command(results, settings, only(cell, results.cells) if cell else [], f"settled-{place}"),
    )


def run_command(results: Results, settings: list[str], constraints: list[str], ending: str) -> str:
    folder = results.path.resolve()
    words = [path_word(results.program), "run", path_word(f"{folder}/experiment.toml")]
    words += [f"--set {shell_word(setting)}" for setting in settings]
    words += [f"--constraint {shell_word(constraint)}" for constraint in constraints]
    return " ".join([*words, "--out", path_word(f"{folder}-{ending}")])


def only(cell: Row, cells: list[Row]) -> list[str]:
    """Returns constraints that leave this cell of all; where a value cannot be written in one, a few more are left."""
    differing = [axis for axis in TEXT_AXES + NUMBER_AXES if len({getattr(other, axis) for other in cells}) > 1]
    texts = [constraint(axis, str(getattr(cell, axis)), axis in TEXT_AXES) for axis in differing]
    options = dict(option.partition("=")[::2] for option in cell.options.split(";") if option)
    swept = {name: value for name, value in options.items() if f"-{name}={value}" in cell.cell_id}
    return [text for text in texts + [constraint(name, value, is_text(value)) for name, value in swept.items()] if text]


def is_text(value: str) -> bool:
    if value in ("true", "false"):
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def constraint(name: str, value: str, as_text: bool) -> str:
    """Returns the constraint; "" where none can say it: a number's "default", a text that holds its own quotes."""
    if not as_text:
        return f"{name} == {value}"
    return "" if value == "default" or '"' in value or "\\" in value else f'{name} == "{value}"'

#!/usr/bin/env python3
"""Writes the tables of docs/figures.md from docs/figures.csv, and checks both.

usage: figures.py --write | --check [--program build/bin/ddpbench]

A line of the file is a claim; `a; b` in `what` are the names of `1; 2` in `figure`. A line without a command is of the same run
as the line above. The page shows the lines with `yes`, in a table behind <!-- figures: SECTION -->; its prose is written by hand.
Exit codes: 0 done, 1 something is wrong, 2 the caller's mistake.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from named_things import Tree, missing

ROOT = Path(__file__).resolve().parents[2]
FILE, PAGE = "docs/figures.csv", "docs/figures.md"
COLUMNS = ["section", "page", "what", "figure", "date", "conditions", "command"]
TABLE = re.compile(r"(<!-- figures: (\w+) -->\n)(?:\|.*\n)*")
LONGEST_SHOWN = 72  # characters of a command; of a longer one the page has what stands before its options


@dataclass(frozen=True)
class Figure:
    line: int
    section: str
    page: str
    what: str
    figure: str
    date: str
    conditions: str
    command: str
    run: int  # the line where its command stands


def read(lines: Iterable[str]) -> list[Figure]:
    """ValueError where the columns are others."""
    reader = csv.DictReader(lines)
    if reader.fieldnames != COLUMNS:
        raise ValueError(f"{FILE}: the columns are not {','.join(COLUMNS)}")
    figures: list[Figure] = []
    for row in reader:
        if None in row or None in row.values():
            raise ValueError(f"{FILE}:{reader.line_num}: not {len(COLUMNS)} columns")
        above = figures[-1] if figures and figures[-1].section == row["section"] else None
        run = {name: row[name] for name in ("date", "conditions", "command")}
        if above and not any(run.values()):
            run = {name: getattr(above, name) for name in run}
        texts = {name: row[name] for name in ("section", "page", "what", "figure")}
        first = above.run if above and not row["command"] else reader.line_num
        figures.append(Figure(reader.line_num, **texts, **run, run=first))
    return figures


def shown_command(command: str) -> str:
    if len(command) <= LONGEST_SHOWN:
        return f"`{command}`"
    return f"`{command.partition(' --')[0]} …`"


def table(figures: list[Figure]) -> str:
    lines = ["| what | figure | command |", "| --- | --- | --- |"]
    run_above = 0
    for one in figures:
        run = [shown_command(one.command), one.date, one.conditions] if one.run != run_above else []
        run_above = one.run
        lines.append(f"| {one.what} | {one.figure} | {', '.join(filter(None, run))} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def page(text: str, figures: list[Figure]) -> str:
    """The page with the tables of today."""

    def with_table(found: re.Match) -> str:
        return found[1] + table([one for one in figures if one.section == found[2] and one.page == "yes"])

    return TABLE.sub(with_table, text)


def faults(figures: list[Figure], text: str, tree: Tree) -> Iterator[str]:
    sections = [name for _, name in TABLE.findall(text)]
    for name in sections:
        if name not in {one.section for one in figures}:
            yield f"{PAGE}: section {name} has no figures"
    seen = set()
    for one in figures:
        where = f"{FILE}:{one.line}: '{one.what}': "
        yield from (where + told for told in faults_of(one, sections, tree))
        if (named := (one.section, one.what, one.command, one.conditions)) in seen:
            yield where + "is there twice"
        seen.add(named)
    if page(text, figures) != text:
        yield f"{PAGE} is not what {FILE} gives: run tests/docs/figures.py --write"


def faults_of(one: Figure, sections: list[str], tree: Tree) -> Iterator[str]:
    if one.section not in sections:
        yield f"no section {one.section} in {PAGE}"
    if one.page not in ("yes", "no"):
        yield f"page is yes or no, not '{one.page}'"
    if not one.what or not re.search(r"\d", one.figure):
        yield "no figure"
    if one.what.count(";") != one.figure.count(";"):
        yield f"{one.figure.count(';') + 1} figures have {one.what.count(';') + 1} names"
    if one.date and not re.fullmatch(r"20\d\d-\d\d-\d\d", one.date):
        yield f"no date: {one.date}"
    if not one.command:
        yield "no command"
    elif one.run == one.line:
        yield from missing(one.command, tree)


def figures_of(root: Path) -> list[Figure]:
    with open(root / FILE, newline="", encoding="utf-8") as file:
        return read(file)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    does = parser.add_mutually_exclusive_group(required=True)
    does.add_argument("--write", action="store_true")
    does.add_argument("--check", action="store_true")
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bin" / "ddpbench")
    arguments = parser.parse_args(words)
    try:
        figures, text = figures_of(ROOT), (ROOT / PAGE).read_text(encoding="utf-8")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if arguments.write:
        (ROOT / PAGE).write_text(page(text, figures), encoding="utf-8")
        return 0
    if not arguments.program.is_file():
        parser.error(f"no program at {arguments.program}: build it, or give --program")
    found = list(faults(figures, text, Tree.with_program(ROOT, arguments.program.resolve())))
    print("\n".join(found) or f"{len(figures)} figures", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Counts what cases found, and shows it as Markdown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from case import KINDS, Breakage


@dataclass(frozen=True)
class Verdict:
    """What is left of a case when it is over."""

    number: int
    sort: str
    breakages: tuple[Breakage, ...]
    story: tuple[str, ...]
    folder: str

    @property
    def kinds(self) -> set[str]:
        return {breakage.kind for breakage in self.breakages}


@dataclass
class Tally:
    """Of one campaign, or of one sort of its cases. A case that broke in two kinds counts in both, and once as broken."""

    name: str
    tried: int = 0
    broke: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        self.tried += 1
        self.broke += bool(verdict.breakages)
        self.kinds.update(verdict.kinds)

    def cells(self) -> list[str]:
        return [self.name, str(self.tried), str(self.broke), *(str(self.kinds[kind]) for kind in KINDS)]


def by_sort(verdicts: list[Verdict]) -> list[Tally]:
    tallies: dict[str, Tally] = {}
    for verdict in verdicts:
        tallies.setdefault(verdict.sort, Tally(verdict.sort)).add(verdict)
    return sorted(tallies.values(), key=lambda tally: tally.name)


def total(name: str, verdicts: list[Verdict]) -> Tally:
    tally = Tally(name)
    for verdict in verdicts:
        tally.add(verdict)
    return tally


def markdown(first: str, tallies: list[Tally]) -> str:
    head = [first, "tried", "broke", *KINDS]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *(tally.cells() for tally in tallies)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)

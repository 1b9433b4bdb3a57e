"""The page in the order in which a reader asks: what answers each question, and what would where nothing does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from reports.html.plain_table import PlainTable
from reports.plots.draw import DrawnFigure


@dataclass(frozen=True)
class QuestionEntry:
    anchor: str  # figures and tables name it
    title: str
    command: str = ""  # of the program, that would answer it


QUESTIONS = (
    QuestionEntry("cost", "What does it cost?", "run overhead"),
    QuestionEntry("claim", "What does my framework cost me?", "run claim"),
    QuestionEntry("trainings", "What does a whole training cost?", "run training"),
    QuestionEntry(
        "where",
        "Where does the step go?",
        "run overhead --set arms=raw,trainer-fetch-loss,trainer-loss,trainer,raw_again,injected",
    ),
    QuestionEntry("scale", "Does it scale, and how many should I use?", "run overhead --set ranks_per_node=1,2,4"),
    QuestionEntry("collectives", "What can the collectives do?", "collectives"),
    QuestionEntry("trust", "Can I trust this?"),
    QuestionEntry("next", "What next?"),
)

Part = TypeVar("Part", DrawnFigure, PlainTable)


def by_question(parts: list[Part]) -> list[Part]:
    """Returns figures or tables in the order of the questions; those of one question stay as they are."""
    place = {entry.anchor: number for number, entry in enumerate(QUESTIONS)}
    return sorted(parts, key=lambda part: place[part.question])


@dataclass(frozen=True)
class Question:
    anchor: str
    title: str
    figures: list[DrawnFigure] = field(default_factory=list)
    tables: list[PlainTable] = field(default_factory=list)
    lacks: str = ""  # what is not there, and why
    command: str = ""  # only where nothing is there
    sentences: list[str] = field(default_factory=list)


def first_figure(figures: list[DrawnFigure]) -> DrawnFigure | None:
    """Returns the picture beside the verdicts."""
    return next((figure for figure in figures if figure.name == "answer" and not figure.why_not), None)


def questions(
    figures: list[DrawnFigure],
    tables: list[PlainTable],
    first: DrawnFigure | None,
    said: dict[str, list[str]],
    program: str,
) -> list[Question]:
    """Returns the questions and their answers. `said`: sentences that answer, by anchor."""
    return [
        _question(
            entry,
            [figure for figure in figures if figure.question == entry.anchor],
            [table for table in tables if table.question == entry.anchor],
            first,
            said.get(entry.anchor, []),
            program,
        )
        for entry in QUESTIONS
    ]


def _question(
    entry: QuestionEntry,
    figures: list[DrawnFigure],
    tables: list[PlainTable],
    first: DrawnFigure | None,
    sentences: list[str],
    program: str,
) -> Question:
    drawn = [figure for figure in figures if not figure.why_not and figure is not first]
    filled = [table for table in tables if table.rows]
    lacking = [f"{figure.title}: {figure.why_not}" for figure in figures if figure.why_not]
    lacking += [f"{table.title}: {table.note}" for table in tables if not table.rows and table.note]
    lacks = f"Not here: {'; '.join(text.rstrip('.') for text in lacking)}." if lacking else ""
    command = f"{program} {entry.command}" if entry.command else ""
    nothing = not drawn and not filled and first not in figures
    return Question(entry.anchor, entry.title, drawn, filled, lacks, command if nothing else "", sentences)

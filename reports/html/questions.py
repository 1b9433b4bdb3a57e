"""The page in the order in which a reader asks: what answers each question, and what would where nothing does."""

from __future__ import annotations

from dataclasses import dataclass, field

from reports.html.plain_table import PlainTable
from reports.plots.draw import DrawnFigure


@dataclass(frozen=True)
class QuestionEntry:
    anchor: str
    title: str
    figures: tuple[str, ...]
    tables: tuple[str, ...]
    command: str = ""  # of the program, that would answer it


QUESTIONS = (
    QuestionEntry(
        "cost",
        "What does it cost?",
        ("answer", "overhead", "overview", "overhead_other_clocks"),
        (),
        "run overhead",
    ),
    QuestionEntry(
        "claim",
        "What does my framework cost me?",
        (),
        (
            "claim-costs",
            "claim-shares",
            "claim-parts",
            "claim-features",
            "claim-sigterm",
            "claim-modes",
            "claim-training",
            "claim-published",
        ),
        "run claim",
    ),
    QuestionEntry(
        "where",
        "Where does the step go?",
        ("ladder", "step_phases", "efficiency"),
        ("ladder", "instructions", "counts", "efficiency", "metrics"),
        "run overhead --set arms=raw,trainer-fetch-loss,trainer-loss,trainer,raw_again,injected",
    ),
    QuestionEntry(
        "scale",
        "Does it scale, and how many should I use?",
        ("throughput", "scaling", "overhead_by_size", "skew", "step_time_law", "start_up"),
        ("training", "scaling", "held-out", "batch-memory", "step-time-law"),
        "run overhead --set ranks_per_node=1,2,4",
    ),
    QuestionEntry(
        "collectives",
        "What can the collectives do?",
        ("backend_shares", "collectives", "collective_tails"),
        ("collectives-backends", "collectives-steps", "collectives-buckets", "collectives-sizes", "collectives-fits"),
        "collectives",
    ),
    QuestionEntry(
        "trust",
        "Can I trust this?",
        ("drift", "step_distribution", "loss", "links"),
        ("nodes", "carry-over", "audit"),
    ),
    QuestionEntry("next", "What next?", (), ()),
)


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
    by_name = {figure.name: figure for figure in figures}
    by_anchor = {table.anchor: table for table in tables}
    return [
        _question(
            entry,
            [by_name[name] for name in entry.figures if name in by_name],
            [by_anchor[anchor] for anchor in entry.tables if anchor in by_anchor],
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

"""What the templates show, as plain values; the templates only arrange."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from reports.html.designs_table import DESIGNS, designs_table
from reports.html.findings import finding_tables
from reports.html.findings.audit import audit_lines
from reports.html.findings.claim import Claim
from reports.html.next_steps import NextStep, next_steps
from reports.html.overhead_table import SIGNS, ClockTable, overhead_tables
from reports.html.plain_table import PlainTable
from reports.html.questions import Question, by_question, first_figure, questions
from reports.html.settings_table import SettingsTable, settings_table
from reports.html.shell_words import path_word
from reports.html.words import words
from reports.plots.draw import DrawnFigure
from reports.plots.quantities import NOT_MEASURED, number, plural
from reports.plots.tables.csv_table import Row, read_texts
from reports.plots.tables.results import NOT_RESOLVED, Results
from reports.plots.wording import capitalize_first, clock_title, left_out

TEMPLATES = Path(__file__).parent
SCRIPT = (TEMPLATES / "filter.js").read_text(encoding="utf-8")
FIRST_HEADLINES = 10  # more are folded away: they say again what the tables say
MAX_HEADLINES, MAX_INSTRUMENTATION, MAX_FOMS = 40, 5, 500  # more are read in tables/summary.json
MAX_AUDIT, MAX_POINTS, MAX_CELLS, MAX_FACTS = 40, 200, 1000, 500  # more are read in tables/ and environment.json
MAX_NAMES = 20  # hosts, origins of data
# Keys of environment.json that may hold thousands of values (the audit says what matters of them), and the recorded vocabulary.
SHOWN_ELSEWHERE = ("launches", "workloads", "strategies", "backends", "precisions", "arms", "features")


@dataclass(frozen=True)
class Page:
    title: str
    has_training: bool  # false: collectives alone
    sentences: list[str]  # the answer
    where: list[str]  # what a step goes into, and what would help
    banner: list[str]  # what must be known before any figure is read
    how_sure: list[str]
    subjects: str  # what the names of the arms mean
    rows: list[VerdictRow]
    rows_left_out: str
    words: list[tuple[str, str]]
    primary_clock: str
    first: DrawnFigure | None
    questions: list[Question]
    next_steps: list[NextStep]
    why_not: str
    headlines: list[str]
    headlines_left_out: int
    audit: list[str]
    audit_left_out: str
    instrumentation: list[str]
    started: str
    hosts: str
    data_origins: list[str]
    counts: str
    confidence: str
    margin: str
    block_steps: str
    centre_step: str  # what the cost is a difference of
    overhead: list[ClockTable]
    settings: SettingsTable
    figures: list[DrawnFigure]
    findings: list[PlainTable]  # also those that have no row
    designs: PlainTable
    script: str
    script_hash: str  # the page runs this script and no other
    points: list[Row]
    all_points: int
    points_left_out: str
    labels: dict[str, str]  # cell_id -> label
    cells: list[tuple[Row, list[str]]]  # with the options that not all of them have
    order: str  # of cells
    cells_left_out: str
    cell_options: list[str]  # that all cells have
    foms: list[dict]
    foms_left_out: int
    environment: list[tuple[str, str]]
    environment_left_out: str
    reproduce: list[str]


def page_of(results: Results, figures: list[DrawnFigure], why_not: str) -> Page:
    summary = results.summary
    headlines = [str(line) for line in summary.get("headlines") or []]
    common = common_options(results.cells)
    foms = [fom for fom in summary.get("foms") or [] if isinstance(fom, dict)]
    audit = audit_lines(results)
    cells = results.cells[:MAX_CELLS]
    facts = flatten({key: value for key, value in results.environment.items() if key not in SHOWN_ELSEWHERE})
    first = first_figure(figures)
    findings = [] if why_not else by_question(finding_tables(results))
    of_collectives = [str(sentence) for sentence in summary.get("collectives") or []] if results.cells else []
    said = {
        "claim": Claim(results).sentences(),
        "collectives": of_collectives,
        "trainings": [str(sentence) for sentence in summary.get("whole_trainings") or []],
        "scale": [str(sentence) for sentence in summary.get("sizes") or []],
    }
    rows = [verdict_row(row) for row in summary.get("rows") or [] if isinstance(row, dict)]
    return Page(
        title=f"ddpbench: {summary.get('experiment') or shown_name(results.path)}",
        has_training=not is_of_collectives_alone(results),
        sentences=sentences_of(summary),
        where=[str(sentence) for sentence in summary.get("where") or []],
        banner=[str(line) for line in summary.get("banner") or []],
        subjects=str(summary.get("subjects") or ""),
        how_sure=[str(sentences) for sentences in summary.get("how_sure") or []],
        rows=rows,
        rows_left_out=left_out(len(rows), len(rows) + int(summary.get("rows_left_out") or 0), "rows", "overhead.csv"),
        words=words(results),
        primary_clock=clock_title(next(iter(results.clocks()), "")),
        first=first,
        questions=questions_of(results, figures, findings, said),
        next_steps=next_steps(results),
        why_not=why_not,
        headlines=headlines[:MAX_HEADLINES],
        headlines_left_out=max(0, len(headlines) - MAX_HEADLINES),
        audit=audit[:MAX_AUDIT],
        audit_left_out=left_out(MAX_AUDIT, len(audit), "lines", "tables/audit.csv"),
        instrumentation=[str(line) for line in summary.get("instrumentation") or []][:MAX_INSTRUMENTATION],
        started=str(summary.get("started_utc") or "not recorded"),
        hosts=first_of([str(host) for host in summary.get("hosts") or []], MAX_NAMES) or "not recorded",
        data_origins=[str(origin) for origin in summary.get("data_origins") or []][:MAX_NAMES],
        counts=launch_counts(summary.get("counts") or {}),
        confidence=f"{float(summary.get('confidence_percent') or 95):g} %",
        margin=margin_text(summary),
        block_steps=str(summary.get("block_steps") or "k"),
        centre_step="each block's fastest step" if summary.get("fastest_step") is True else "the median step",
        overhead=[] if why_not else overhead_tables(results),
        settings=settings_table(results),
        figures=by_question(figures),
        findings=findings,
        designs=designs_table(read_texts(DESIGNS)),
        script=SCRIPT,
        script_hash=base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode(),
        points=results.points[:MAX_POINTS],
        all_points=len(results.points),
        points_left_out=left_out(MAX_POINTS, len(results.points), "points", "tables/points.csv", "in the order of the plan"),
        labels=results.labels,
        cells=[(cell, [option for option in options_of(cell) if option not in common]) for cell in cells],
        order="in the order of their axes" if results.has_axes_order() else "worst first",
        cells_left_out=left_out(len(cells), len(results.cells), "cells", "tables/cells.csv"),
        cell_options=common,
        foms=foms[:MAX_FOMS],
        foms_left_out=max(0, len(foms) - MAX_FOMS),
        environment=facts[:MAX_FACTS],
        environment_left_out=left_out(MAX_FACTS, len(facts), "facts", "environment.json", "as they stand there"),
        reproduce=reproduce(results),
    )


@dataclass(frozen=True)
class VerdictRow:
    """Holds a subject of a cell on the primary clock, in the words of the terminal."""

    cell: str
    arm: str
    step: str
    cost: str
    share: str
    verdict: str
    resolves: str
    key: str
    reason: str
    sign: str
    resolved: bool


def verdict_row(row: dict) -> VerdictRow:
    texts = {
        name: str(row.get(name) or NOT_MEASURED)
        for name in ("cell", "arm", "step", "cost", "share", "verdict", "resolves", "key", "reason")
    }
    return VerdictRow(**texts, sign=SIGNS.get(texts["key"], "–"), resolved=texts["key"] not in NOT_RESOLVED)


def sentences_of(summary: dict) -> list[str]:
    said = [str(sentence) for sentence in summary.get("sentences") or [] if sentence]
    return said or [str(summary.get("answer") or "No answer: nothing could be estimated.")]


def launch_counts(counts: dict) -> str:
    return ", ".join(f"{count} {status}" for status, count in counts.items()) or "not recorded"


def margin_text(summary: dict) -> str:
    percent, us = summary.get("margin_percent"), summary.get("margin_us")
    return "not recorded" if percent is None or us is None else f"{percent:g} % of the step, but never less than {us:g} µs"


def options_of(cell: Row) -> list[str]:
    return [option for option in cell.options.split(";") if option]


def common_options(cells: list[Row]) -> list[str]:
    """Returns the options that all cells have: said once, since two dozen per cell would fill a screen."""
    return [option for option in options_of(cells[0]) if all(option in options_of(cell) for cell in cells)] if cells else []


def flatten(value: object, path: str = "") -> list[tuple[str, str]]:
    """Turns {"git": {"commit": "0123"}} into [("git.commit", "0123")]; plain lists on one line."""
    if isinstance(value, dict):
        return [pair for key, inner in value.items() for pair in flatten(inner, f"{path}.{key}" if path else str(key))]
    if isinstance(value, list) and any(isinstance(inner, (dict, list)) for inner in value):
        return [pair for place, inner in enumerate(value) for pair in flatten(inner, f"{path}[{place}]")]
    if isinstance(value, list):
        return [(path, ", ".join(map(_plain, value)) or "none")]
    return [(path, _plain(value))]


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def is_of_collectives_alone(results: Results) -> bool:
    return not results.cells and bool(results.collectives)


def questions_of(
    results: Results, figures: list[DrawnFigure], findings: list[PlainTable], said: dict[str, list[str]]
) -> list[Question]:
    every = questions(figures, findings, first_figure(figures), said, path_word(results.program))
    if not is_of_collectives_alone(results):
        return every
    left = [question for question in every if question.anchor in ("collectives", "trust", "next")]
    return [replace(question, lacks="", command="") if question.anchor != "collectives" else question for question in left]


def reproduce(results: Results) -> list[str]:
    folder, program = results.path.resolve(), path_word(results.program)
    report = f"{program} report {path_word(str(folder))}"
    if is_of_collectives_alone(results):
        return [str(results.environment.get("command_line") or f"{program} collectives"), report]
    again, experiment = path_word(f"{folder}-again"), path_word(f"{folder}/experiment.toml")
    return [f"{program} run {experiment} --out {again}", report]


def shown_name(path: Path) -> str:
    """Returns the folder's name, with a sign for each byte that is no UTF-8."""
    return os.fsencode(path.resolve().name).decode("utf-8", "replace")


def first_of(words: list[str], most: int) -> str:
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


# --- rendering ----------------------------------------------------------------------------------------------------


def render(template: str, page: object) -> str:
    """Fills a template: jinja2 escapes HTML, the template's `cell` escapes Markdown."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=template.endswith(".html.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "number": number,
        "data_uri": data_uri,
        "cell": markdown_cell,
        "capitalize_first": capitalize_first,
        "unbroken": unbroken,
    }
    environment.globals |= {"plural": plural, "FIRST_HEADLINES": FIRST_HEADLINES}
    return environment.get_template(template).render(page=page)


def data_uri(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def unbroken(text: str) -> str:
    """Keeps a number and its unit on one line; where room is short, an interval goes to the next."""
    return text if text == NOT_MEASURED else text.replace(" ", "\u00a0").replace("\u00a0[", " [")


def markdown_cell(text: object) -> str:
    """Writes any text as Markdown that shows it and nothing more: no markup, no HTML, no table border."""
    return re.sub(r"([\\`*<>|]|(?<=\])\()", r"\\\1", " ".join(str(text).split()))

"""Draws every figure of the table into a folder."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from reports.plots.drawing import FigureEntry, NothingToDrawError
from reports.plots.figures import FIGURES
from reports.plots.style import PNG_DOTS_PER_INCH, report_style
from reports.plots.tables.results import Results
from reports.plots.whole_file import write_whole


@dataclass(frozen=True)
class DrawnFigure:
    name: str
    title: str
    png: bytes = b""
    caption: str = ""
    alt: str = ""
    why_not: str = ""  # not empty: not drawn
    question: str = ""


def draw_all(results: Results, out: Path, progress: Callable[[str], None] = lambda _: None) -> list[DrawnFigure]:
    """Writes NAME.png and NAME.svg for each figure that the tables allow."""
    drawn = []
    for entry in FIGURES:
        drawn.append(_draw(entry, results, out))
        if not drawn[-1].why_not:
            progress(f"drew {entry.name}")
    return drawn


def _draw(entry: FigureEntry, results: Results, out: Path) -> DrawnFigure:
    try:
        with report_style():
            drawing = entry.draw(results)
            png, svg = encode(drawing.figure, "png"), encode(drawing.figure, "svg")
    except NothingToDrawError as reason:
        _remove_older(entry, out)
        return DrawnFigure(entry.name, entry.title, why_not=str(reason), question=entry.question)
    write_whole(out / f"{entry.name}.png", png)
    write_whole(out / f"{entry.name}.svg", svg)
    return DrawnFigure(entry.name, entry.title, png, drawing.caption, drawing.alt, question=entry.question)


def encode(figure: Figure, kind: str) -> bytes:
    """Writes a figure without a date, so that the same tables give the same file."""
    buffer = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    figure.savefig(buffer, format=kind, dpi=PNG_DOTS_PER_INCH, metadata=metadata)
    return buffer.getvalue()


def _remove_older(entry: FigureEntry, out: Path) -> None:
    """A figure of an earlier report would pass for one of this."""
    for ending in ("png", "svg"):
        (out / f"{entry.name}.{ending}").unlink(missing_ok=True)

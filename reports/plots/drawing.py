"""What a figure's module says of itself, and what it hands over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.figure import Figure

from reports.plots.tables.results import Results


@dataclass(frozen=True)
class Drawing:
    figure: Figure
    caption: str  # names units, interval kind, n, and what was left out
    alt: str  # what a reader who cannot see the figure needs


@dataclass(frozen=True)
class FigureEntry:
    name: str  # file name without ending
    title: str
    question: str  # its anchor in html/questions.py
    place: int  # among the figures of the question; a new one takes a number between two others
    draw: Callable[[Results], Drawing]  # raises NothingToDrawError


class NothingToDrawError(Exception):
    """The tables hold nothing for this figure; the message says what is missing and stands in the report instead."""

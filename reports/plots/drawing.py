"""What a figure's module hands over."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawing:
    figure: Figure
    caption: str  # names units, interval kind, n, and what was left out
    alt: str  # what a reader who cannot see the figure needs


class NothingToDrawError(Exception):
    """The tables hold nothing for this figure; the message says what is missing and stands in the report instead."""

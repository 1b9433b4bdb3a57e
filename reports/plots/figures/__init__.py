"""The figures: every file beside this one that says so by a `FIGURE`; the others help to draw."""

from __future__ import annotations

from reports.plots.drawing import FigureEntry
from reports.plots.folder_modules import modules_in


def _figures() -> list[FigureEntry]:
    found = [module.FIGURE for module in modules_in(__name__, __path__) if hasattr(module, "FIGURE")]
    return sorted(found, key=lambda entry: (entry.question, entry.place, entry.name))


FIGURES = tuple(_figures())

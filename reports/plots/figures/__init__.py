"""The table of figures: one entry is one file beside this one and one line here.

Its order is the order of the report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reports.plots.drawing import Drawing
from reports.plots.figures import (
    answer,
    backend_shares,
    collective_tails,
    collectives,
    drift,
    efficiency,
    ladder,
    links,
    loss,
    other_clocks,
    overhead,
    overhead_by_size,
    overview,
    scaling,
    skew,
    start_up,
    step_distribution,
    step_phases,
    step_time_law,
    throughput,
)
from reports.plots.tables.results import Results


@dataclass(frozen=True)
class FigureEntry:
    name: str  # file name without ending
    title: str
    draw: Callable[[Results], Drawing]  # raises NothingToDrawError


FIGURES = (
    FigureEntry("answer", "The cost at a glance", answer.draw),
    FigureEntry("overhead", "Overhead of the arms", overhead.draw),
    FigureEntry("overview", "All cells at once", overview.draw),
    FigureEntry("overhead_other_clocks", "The same overhead on the other clocks", other_clocks.draw),
    FigureEntry("step_time_law", "The overhead against the step time", step_time_law.draw),
    FigureEntry("ladder", "What the overhead is made of", ladder.draw),
    FigureEntry("efficiency", "Where the efficiency goes", efficiency.draw),
    FigureEntry("throughput", "Throughput over ranks", throughput.draw),
    FigureEntry("scaling", "Scaling efficiency over ranks", scaling.draw),
    FigureEntry("overhead_by_size", "What the arms cost at each number of ranks", overhead_by_size.draw),
    FigureEntry("skew", "Which rank lets the others wait", skew.draw),
    FigureEntry("links", "What two nodes take to exchange a message", links.draw),
    FigureEntry("start_up", "Time to the first step over ranks", start_up.draw),
    FigureEntry("collectives", "What the collectives take", collectives.draw),
    FigureEntry("collective_tails", "How long the longest collectives take", collective_tails.draw),
    FigureEntry("backend_shares", "What a step pays for its backend", backend_shares.draw),
    FigureEntry("step_phases", "Where the step goes", step_phases.draw),
    FigureEntry("step_distribution", "Distribution of the step time", step_distribution.draw),
    FigureEntry("drift", "Drift of the step time over a launch", drift.draw),
    FigureEntry("loss", "Loss of the arms", loss.draw),
)

"""One axis on which the launches of a cell lie end to end, and the series drawn on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from matplotlib.axes import Axes

from reports.plots.style import ArmStyle

MANY_POINTS = 60  # on one axis; more of them are drawn as points, for lines between them would hide each other
RASTERIZED_POINTS = 1500  # of one series: as single marks they would make an SVG slow to open


@dataclass(frozen=True)
class LaunchAxis:
    """Says where each launch begins, and where the last one ends."""

    starts: dict[str, float]
    end: float

    @classmethod
    def of(cls, rows: list, position: str) -> LaunchAxis:
        """Makes it from rows with launch_id and a position column (`super_block` or `index`)."""
        lengths: dict[str, float] = {}
        for row in rows:
            lengths[row.launch_id] = max(lengths.get(row.launch_id, 0.0), getattr(row, position))
        begins = numpy.concatenate([[0.0], numpy.cumsum(list(lengths.values()))])
        return cls(dict(zip(lengths, map(float, begins), strict=False)), float(begins[-1]))

    def part_launches(self, axes: Axes) -> None:
        for start in list(self.starts.values())[1:]:
            axes.axvline(start, color="#666666", linewidth=0.8, linestyle=(0, (2, 3)))
        room = max(0.012 * self.end, 0.3)
        axes.set_xlim(1 - room, self.end + room)


def draw_series(axes: Axes, points: list[tuple[float, float]], style: ArmStyle, many: bool) -> None:
    points = sorted(points)
    x, y = [point[0] for point in points], [point[1] for point in points]
    if many:
        axes.plot(
            x,
            y,
            color=style.color,
            linestyle="",
            marker=style.marker,
            markersize=2.4,
            markeredgewidth=0,
            alpha=0.6,
            rasterized=len(points) > RASTERIZED_POINTS,
        )
    else:
        axes.plot(
            x, y, color=style.color, linestyle=style.line, linewidth=1.0, marker=style.marker, markersize=4.5, alpha=0.9
        )


def draw_launches(axes: Axes, rows: list, position: str, value: str, arms: dict[str, ArmStyle]) -> LaunchAxis:
    """Draws a series per arm and launch."""
    layout = LaunchAxis.of(rows, position)
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows:
        place = layout.starts[row.launch_id] + getattr(row, position)
        points.setdefault((row.launch_id, row.arm), []).append((place, getattr(row, value)))
    for arm, style in arms.items():
        for launch_id in layout.starts:
            draw_series(axes, points.get((launch_id, arm), []), style, layout.end > MANY_POINTS)
    layout.part_launches(axes)
    return layout

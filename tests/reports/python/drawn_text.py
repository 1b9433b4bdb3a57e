"""What text a figure really draws, and where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from unittest.mock import patch

from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

SLACK_PIXELS = 2  # side bearings of glyphs


@dataclass(frozen=True)
class DrawnText:
    text: str
    box: Bbox

    def inside(self, frame: Bbox) -> bool:
        within_x = frame.x0 - SLACK_PIXELS <= self.box.x0 and self.box.x1 <= frame.x1 + SLACK_PIXELS
        return within_x and frame.y0 - SLACK_PIXELS <= self.box.y0 and self.box.y1 <= frame.y1 + SLACK_PIXELS


def drawn_texts(figure: Figure) -> tuple[list[DrawnText], Bbox]:
    """The texts as the Agg renderer is asked to draw them: tick labels outside of a view are not among them."""
    texts: list[DrawnText] = []
    draw_text = RendererAgg.draw_text

    def record(renderer: RendererAgg, graphics: GraphicsContextBase, *where: object, **more: object) -> None:
        if graphics.get_alpha() != 0:
            texts.append(DrawnText(str(where[2]), _box(renderer, *where[:5])))
        draw_text(renderer, graphics, *where, **more)

    canvas = FigureCanvasAgg(figure)
    with patch.object(RendererAgg, "draw_text", record):
        canvas.draw()
    return texts, figure.bbox


def _box(renderer: RendererAgg, *where: object) -> Bbox:
    """`where`: x, y of the baseline's start from the top, text, font, angle (0, or 90: upwards)."""
    x, y, text, font, angle = where
    width, height, descent = renderer.get_text_width_height_descent(text, font, ismath=False)
    if angle == 90:
        return Bbox.from_bounds(x - (height - descent), renderer.height - y, height, width)
    return Bbox.from_bounds(x, renderer.height - y - descent, width, height)


def overlaps(texts: list[DrawnText]) -> list[tuple[str, str]]:
    boxes = [(text.text, *text.box.extents) for text in texts]  # plain numbers: there are many pairs
    return [(one[0], other[0]) for one, other in combinations(boxes, 2) if _overlap(one, other)]


def _overlap(one: tuple, other: tuple) -> bool:
    """Of text, x0, y0, x1, y1."""
    width = min(one[3], other[3]) - max(one[1], other[1])
    height = min(one[4], other[4]) - max(one[2], other[2])
    return width > SLACK_PIXELS and height > SLACK_PIXELS

"""The links of nodes as a picture."""

from __future__ import annotations

import numpy as np
import pytest

from reports.plots.drawing import NothingToDrawError
from reports.plots.figures import links
from reports.plots.tables.results import Results


def test_every_two_nodes_have_a_square_and_the_slow_link_is_named(own_results: Results) -> None:
    drawing = links.draw(own_results)
    latency, transfer = drawing.figure.axes
    squares = np.ma.filled(transfer.images[0].get_array(), np.nan)
    assert squares.shape == (3, 3) and np.isnan(np.diag(squares)).all()
    assert squares[1, 2] == squares[2, 1] == pytest.approx(3.2) and squares[0, 1] == pytest.approx(0.8)
    assert [text.get_text() for text in latency.get_yticklabels()] == ["jza1", "jza2", "jza3"]
    assert "4 MiB between jza2 and jza3 take 3.20 ms" in drawing.alt


def test_of_several_checks_the_last_one_is_shown(own_results: Results) -> None:
    later = [row._replace(started_utc="2026-01-02T00:00:00Z", transfer_us=8000) for row in own_results.links]
    own_results.links = [*own_results.links, *later]
    assert "take 8.00 ms" in links.draw(own_results).alt


def test_without_a_check_the_figure_says_so(own_results: Results) -> None:
    own_results.links = []
    with pytest.raises(NothingToDrawError, match="no two nodes were checked"):
        links.draw(own_results)

"""Names that want to run, to steer, to be set as a formula, or to fill the page."""

from __future__ import annotations

from synthetic_results import HOSTILE, HOSTILE_ATTRIBUTE, Cell

LABELS = (
    HOSTILE,
    HOSTILE_ATTRIBUTE,
    r"null $\frac{1}{$ $\undefined$ \input{/etc/passwd}",
    "null \x1b[31m\x07 bell",
    "null, weights=" + "x" * 5000,
    "null \u202egnp.exe",
    "=HYPERLINK(0)",
)
ARMS = ("raw", "raw_again", "trainer$x_1^2$", f"trainer+{HOSTILE}", "trainer\x1b[2J", "trainer" + "-feature" * 100, "injected")


def hostile_cells() -> tuple[Cell, ...]:
    return tuple(
        Cell(f"c{place}{'-x' * 200 * (place == 4)}", "null", 1.0 + place, label=label, arms=ARMS, launches=2, super_blocks=30)
        for place, label in enumerate(LABELS)
    )

"""What summary.json says of the synthetic cells in words."""

from __future__ import annotations

SENTENCES = [
    "trainer costs 3.1 µs per step over raw DDP, between 3.0 and 3.2 µs.",
    "Of your step of 1,312 ms (resnet50) that is less than 0.001 %, if it does not grow with the step.",
    "This was seen over 5 launches; a cost of 0.4 µs would nearly always be seen, one of 0.2 µs mostly.",
]


MOST_ROWS = 40


def answer_in_words(cells: list[str], also_in_a_reason: str) -> dict:
    return {
        "answer": " ".join(SENTENCES),
        "sentences": SENTENCES,
        "banner": ["This machine was busy: other programs ran on its cores in 50 % of the measurement."],
        "how_sure": ["5 launches, 2000 pairs. Resolves 0.2 us.", "Data: generated."],
        "rows": [_row(cell, also_in_a_reason) for cell in cells[:MOST_ROWS]],
        "rows_left_out": max(0, len(cells) - MOST_ROWS),
    }


def _row(cell: str, also_in_the_reason: str) -> dict:
    """A subject of a cell as the analysis words it."""
    verdict = {"key": "SLOWER", "verdict": "slower", "reason": f"beyond ±2 µs, {also_in_the_reason}"}
    figures = {"step": "0.170 ms", "cost": "+3.1 us [+3.0, +3.2]", "share": "+1.8 % [+1.8, +1.9]", "resolves": "0.2 us"}
    return {"cell": cell, "arm": "trainer", **figures, **verdict}

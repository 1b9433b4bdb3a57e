"""The words that the first screen cannot do without, and what they mean in this report."""

from __future__ import annotations

from reports.plots.results import Results

NULL_WORKLOAD = "null"


def words(results: Results) -> list[tuple[str, str]]:
    """(word, meaning); of arms and workloads only those that this report has."""
    return [
        ("cell", "one setting that was measured: model, backend, number of ranks, precision, batch size"),
        ("arm", "one way to run the same training step, in the same processes on the same model and batches"),
        *_arms(results),
        ("pair", "a few steps of an arm and, within the same seconds, a few of its reference"),
        ("resolves", "the smallest difference that could have been told from none"),
        ("open", "not decided by these data; the bound beside it holds all the same"),
        *_workloads(results),
    ]


def _arms(results: Results) -> list[tuple[str, str]]:
    by_role: dict[str, list[str]] = {}
    for arm in results.arms():
        by_role.setdefault(results.facts_of(arm).role, []).append(arm)
    meanings = {
        "reference": "the plain loop that the others are compared with",
        "aa_control": "the reference's own code once more; what it seems to cost is the error of the measurement",
        "positive_control": "the reference with a known delay, which has to be found",
    }
    return [(", ".join(by_role[role]), meaning) for role, meaning in meanings.items() if role in by_role]


def _workloads(results: Results) -> list[tuple[str, str]]:
    if all(cell.workload != NULL_WORKLOAD for cell in results.cells):
        return []
    return [(NULL_WORKLOAD, "a model of one linear layer: its step is so short that a wrapper's microseconds show")]

"""The words of the page that are not everybody's, and what they mean in this report."""

from __future__ import annotations

from reports.plots.tables.results import Results

# As docs/glossary.md has them.
GENERAL = [
    ("cell", "one setting that was measured, a value for each axis: workload, backend, number of ranks, precision, batch size"),
    ("arm", "one way to run the same training step, in the same processes, on the same model and batches"),
    ("reference", "the arm that others are compared with, a plain training loop"),
    ("step", "one optimizer step of all ranks; its length is the reference's, unless it says otherwise"),
    ("rank", "one process of the training"),
    ("launch", "one start of all ranks; each launch runs every arm of its cell"),
    ("block", "some steps of one arm, one after the other"),
    (
        "super-block",
        "the smallest group of consecutive blocks that holds every arm, in drawn order; a reference stands once "
        "among every four of its arms",
    ),
    ("pair", "a block of an arm and one of its reference in the same super-block: a few steps each, within seconds"),
    ("awaited time", "what all ranks together wait for in a step, less the time when a rank could run and had no core"),
    ("wall clock", "real time; it includes the time when threads waited for a core"),
    ("host CPU", "what a rank's main thread computed; it cannot see waiting"),
    ("exposed communication", "the time of a step in which a rank waits for a collective and computes nothing"),
    ("bottleneck", "the largest part of a step beside computing, or computing where that is more than 80 % of the step"),
    ("trace", "what a profiler recorded of one process, as intervals with names"),
    ("A/A", "the reference against its own code; what it seems to cost is the error of the measurement"),
    ("positive control", "the reference with a known delay, which has to be found"),
    ("control", "an arm that checks the measurement; it is the reference's own code again (A/A) or a known delay"),
    ("probe arm", "the reference with less measuring, or on a made-up network without delay"),
    ("margin", "a difference this small counts as none"),
    ("resolves, resolution", "the smallest difference that could have been told from none"),
    ("open", "not decided by these data; the bound beside it holds all the same"),
    ("every n-th", "work behind every n-th step only, such as logging; its cost is averaged over all steps"),
    (
        "disturbed",
        "throttling, the hypervisor or other programs took cores in the half second up to a block's end; the "
        "block counts, and its super-block is repeated",
    ),
    ("budget", "the overhead that `--budget` accepts, as a share of the step"),
    ("carry-over", "how far an arm's figures depend on the arm that ran before it"),
]


def words(results: Results) -> list[tuple[str, str]]:
    """Returns (word, meaning): the general ones, and the names in this report as its folder recorded them."""
    return [*GENERAL, *((str(word), str(meaning)) for word, meaning in results.summary.get("words") or [])]

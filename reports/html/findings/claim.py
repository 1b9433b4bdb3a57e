"""What a framework costs, and what to do about it: sentences and tables, all from the tables of the folder."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from reports.html.findings.metrics import readable
from reports.html.findings.step_time_law import at_share
from reports.html.plain_table import Column, Head, PlainTable, plain_table
from reports.plots.quantities import NOT_MEASURED, estimate, number
from reports.plots.tables.csv_table import Row, read_texts
from reports.plots.tables.results import Results
from reports.plots.wording import capitalize_first, short_clock, short_groups, verdict_word

QUESTION = "claim"
CLAIMS = Path(__file__).parent / "claims.csv"
EPOCHS = 90  # of the usual recipe for a ResNet
TRAINING_SAMPLES = 50_000  # of CIFAR-10 and CIFAR-100
GLOBAL_BATCH = 256
WALL = "wall"
OF_ALL = ("torch", "python")  # versions that every arm has; the environment says them
DDP_MODES = ("find_unused_parameters", "static_graph", "gradient_as_bucket_view")
# What a fit has once, and once an epoch, that a loop by hand has not. Validation, and a checkpoint's bytes, are the user's own.
ONCE = ("import", "setup", "head", "tail")
ONCE_AN_EPOCH = ("epoch_boundary",)
US_PER_S = 1e6


@dataclass(frozen=True)
class Once:
    arm: str
    steps_us: float
    steps_us_lo: float
    steps_us_hi: float
    epoch_s: float
    once_s: float


def tables(results: Results) -> list[PlainTable]:
    return Claim(results).tables()


class Claim:
    """Tells what the frameworks' arms (`is_wrapper`) cost on the primary clock, with the wall clock beside it."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.clock = next(iter(results.clocks()), "")
        self.clock_words = short_clock(self.clock) if self.clock else ""

    @cached_property
    def laws(self) -> list[Row]:
        """Returns one line per framework: subjects with a line, in the order of the experiment."""
        place = {arm: number_ for number_, arm in enumerate(self.results.arms())}
        found = [law for law in self.results.step_time_law if law.clock == self.clock and not law.reason]
        found = [law for law in found if self._is_framework(law.arm)]
        return sorted(found, key=lambda law: place.get(law.arm, len(place)))

    def _is_framework(self, arm: str) -> bool:
        facts = self.results.facts_of(arm)
        return facts.is_wrapper and facts.is_subject

    def name(self, law: Row) -> str:
        """Names the arm; with its cells where there are several such lines."""
        groups = short_groups(law.group for law in self.laws)
        return law.arm if len(groups) < 2 else f"{law.arm} ({groups[law.group]})"

    def wall_law(self, law: Row) -> Row | None:
        wanted = (law.group, law.arm, WALL)
        same = (other for other in self.results.step_time_law if (other.group, other.arm, other.clock) == wanted)
        return next((other for other in same if not other.reason), None)

    @cached_property
    def main_cell(self) -> str:
        """The cell with the longest ladder; of several, and without any, where the step is shortest: there costs of some µs are
        seen best. "" where nothing was measured."""
        measured = [cell for cell in self.results.cells if math.isfinite(cell.reference_step_ms)]
        rungs = Counter(row.cell_id for row in self.results.ladder if row.kind != "language")
        return min(measured, key=lambda cell: (-rungs[cell.cell_id], cell.reference_step_ms)).cell_id if measured else ""

    def row(self, arm: str, clock: str) -> Row | None:
        return next((row for row in self.results.overhead_of(self.main_cell, clock) if row.arm == arm), None)

    def ladder(self, kind: str, clock: str) -> list[Row]:
        rows = [row for row in self.results.ladder if (row.cell_id, row.kind, row.clock) == (self.main_cell, kind, clock)]
        return [row for row in rows if math.isfinite(row.cost_us)]

    # --- sentences -------------------------------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        said = [sentence for sentence in map(self._at_which_step, self.laws) if sentence]
        return [*said, *self._python(), *self._switch_off()] if self.laws else []

    def _at_which_step(self, law: Row) -> str:
        """As the terminal says it."""
        said = {(found["group"], found["arm"]): str(found["sentence"]) for found in self.results.summary.get("laws") or []}
        sentence = said.get((law.group, law.arm), "")
        return f"{sentence.replace(law.arm, self.name(law), 1)}{self._waiting(law.arm)}" if sentence else ""

    def _waiting(self, arm: str) -> str:
        row = self.row(arm, self.clock)
        if row is None or not row.waiting_us_lo > 0:
            return ""
        waiting = us_words(row.waiting_us, row.waiting_us_lo, row.waiting_us_hi)
        return f" Where the step is shortest, {waiting} of its cost is waiting."

    def _python(self) -> Iterator[str]:
        for row in self.ladder("language", self.clock):
            cost = us_words(row.cost_us, row.cost_us_lo, row.cost_us_hi)
            yield f"The same loop by hand takes {cost} more in Python ({row.arm}) than in C++ ({row.reference})."

    def _switch_off(self) -> Iterator[str]:
        resolved = [row for row in self.by_cost() if row.cost_us_lo > 0]
        if resolved:
            first = resolved[0]
            saved = us_words(first.cost_us, first.cost_us_lo, first.cost_us_hi)
            yield f"What to switch off first: {first.feature}. Without it {first.arm} takes {saved} less."

    def by_cost(self) -> list[Row]:
        """Returns what features of the frameworks save, most first. Leaves out the C++ trainer's, which nobody switches off."""
        frameworks = {law.arm for law in self.laws}
        found = [row for row in self.ladder("leave_one_out", self.clock) if row.base in frameworks]
        return sorted(found, key=lambda row: -row.cost_us)

    # --- tables ----------------------------------------------------------------------------------------------------

    def tables(self) -> list[PlainTable]:
        if not self.laws:
            return [self._costs()]  # it says why there is none
        what_to_do = [self._made_of(), self._features(), self._sigterm(), self._modes()]
        return [self._costs(), self._shares(), *what_to_do, self._training(), published()]

    def _costs(self) -> PlainTable:
        columns = [
            Column("Arm", self.name),
            Column(f"{capitalize_first(self.clock_words)} (µs)", lambda law: c_of(law), True),
            Column(f"Grows by (µs per ms of {self.clock_words})", growth, True),
            Column("On the wall clock (µs)", lambda law: c_of(self.wall_law(law)), True),
            Column("Of it waiting (µs)", lambda law: self._wait(law.arm), True),
            Column("5 % of a step of (ms)", lambda law: at_share(law, "5"), True),
            Column("1 % of a step of (ms)", lambda law: at_share(law, "1"), True),
            Column("Takes more memory (MiB)", lambda law: self._memory(law.arm), True),
            Column("Runs on", lambda law: self._versions(law.arm), long=True),
        ]
        caption = (
            "Per step, over the loop by hand; in brackets 95 % intervals. The first figure is what does not depend on the step's"
            " length (c of tables/step_time_law.csv). 5 % and 1 %: by the line through its costs."
            " Waiting: what is no CPU time of the ranks, where the step is shortest (overhead.csv). Memory: how much larger"
            " the largest resident set of a rank is, which trains the arm alone, than with the loop by hand (counts.csv)."
        )
        head = Head("claim-costs", "What each framework costs", caption, QUESTION)
        why = "no framework was measured on five lengths of the step"
        return plain_table(head, columns, self.laws, "tables/step_time_law.csv", why)

    def _wait(self, arm: str) -> str:
        row = self.row(arm, self.clock)
        return NOT_MEASURED if row is None else estimate(row.waiting_us, row.waiting_us_lo, row.waiting_us_hi)

    def _memory(self, arm: str) -> str:
        rows = (row for row in self.results.counts if (row.cell_id, row.arm) == (self.main_cell, arm))
        more = next((row.extra_resident_mib for row in rows), math.nan)
        return number(more) if math.isfinite(more) else NOT_MEASURED

    def _versions(self, arm: str) -> str:
        row = self.row(arm, self.clock)
        versions = [] if row is None else [version.partition("=") for version in row.versions.split(";")]
        return ", ".join(f"{name} {release}" for name, _, release in versions if name not in OF_ALL)

    def _shares(self) -> PlainTable:
        found = {(row.group, row.arm, row.step_ms): row for row in self.results.cost_at_step if row.clock == self.clock}
        columns = [Column("Step (ms)", lambda step: f"{step:g}", True)]
        columns += [
            Column(self.name(law), lambda step, law=law: share(found.get((law.group, law.arm, step))), True) for law in self.laws
        ]
        caption = (
            "Yes: the cost is at most 5 % of such a step; no: it is more; open: its interval holds 5 %, or the wall clock says"
            " no. The share is the line's. A star marks a step beyond those that were measured."
        )
        head = Head("claim-shares", "Is it at most 5 % at my step?", caption, QUESTION)
        steps = sorted({row.step_ms for row in found.values()})
        return plain_table(head, columns, steps, "tables/cost_at_step.csv")

    def _made_of(self) -> PlainTable:
        """The rungs of every ladder, each with what it adds to the counts of a step."""
        on_wall = {(row.arm, row.reference): row for row in self.ladder("cumulative", WALL)}
        columns = [
            Column("Loop", lambda row: row.base),
            Column("Part", lambda row: part_of(row)),
            Column(f"{capitalize_first(self.clock_words)} (µs)", lambda row: cost_of(row), True),
            Column("On the wall clock (µs)", lambda row: cost_of(on_wall.get((row.arm, row.reference))), True),
            Column("Tensor operations", lambda row: self._more(row, "tensor_ops"), True),
            Column("Reads on the host", lambda row: self._more(row, "host_reads"), True),
            Column("Calls in Python", lambda row: self._more(row, "python_calls"), True),
        ]
        caption = (
            "Part by part, each over the one before it. The arm trainer has Lightning's loops, fetch and loss written in C++:"
            " beside Lightning's own it shows what is Python's. Counts are of one step: how many more."
        )
        head = Head("claim-parts", "Of what it is made", caption, QUESTION)
        return plain_table(head, columns, self.ladder("cumulative", self.clock), "tables/ladder.csv", "No ladder was measured.")

    def _more(self, row: Row, count: str) -> str:
        counts = {found.arm: getattr(found, count) for found in self.results.counts if found.cell_id == self.main_cell}
        more = counts.get(row.arm, math.nan) - counts.get(row.reference, math.nan)
        return f"{more:+,.4g}" if math.isfinite(more) else NOT_MEASURED

    def _features(self) -> PlainTable:
        on_wall = {row.feature: row for row in self.ladder("leave_one_out", WALL)}
        columns = [
            Column("Feature", lambda row: row.feature),
            Column("Switched off it saves (µs)", lambda row: cost_of(row), True),
            Column("On the wall clock (µs)", lambda row: cost_of(on_wall.get(row.feature)), True),
            Column("Resolved", lambda row: "yes" if row.cost_us_lo > 0 or row.cost_us_hi < 0 else "no"),
            Column("n: pairs / launches", lambda row: f"{row.pairs:,} / {row.launches}", True),
        ]
        whole = next((row.arm for row in self.by_cost()), "")
        caption = f"{whole} less the same without that feature; {self.clock_words}. Worst first; intervals hold together."
        head = Head("claim-features", "What to switch off", caption, QUESTION)
        why = "No arm is the whole of its features less one."
        return plain_table(head, columns, self.by_cost(), "tables/ladder.csv", why)

    def _sigterm(self) -> PlainTable:
        rungs = [row for clock in (self.clock, WALL) for row in self.ladder("cumulative", clock) if row.feature == "sigterm=1"]
        rows = [("at every batch", short_clock(row.clock), cost_of(row)) for row in rungs]
        for clock in (self.clock, WALL):
            for row in self.results.overhead_of(self.main_cell, clock):
                batches = self.results.facts_of(row.arm).value_of("sigterm")
                if batches not in ("", "1") and math.isfinite(row.periodic_us):
                    every = f"at every {batches}-th batch, per step"
                    rows.append((every, short_clock(clock), estimate(row.periodic_us, row.periodic_us_lo, row.periodic_us_hi)))
        columns = [
            Column("Lightning's broadcast for SIGTERM", lambda row: row[0]),
            Column("Clock", lambda row: row[1]),
            Column("Cost (µs per step)", lambda row: row[2], True),
        ]
        caption = (
            "With several ranks Lightning broadcasts one number at every batch, and reads it on the host, so that all ranks stop"
            " together at a SIGTERM (its issue 21487). Without it: py_lightning-sigterm."
        )
        head = Head("claim-sigterm", "What the SIGTERM broadcast costs", caption, QUESTION)
        return plain_table(head, columns, rows, "tables/ladder.csv", "No arm without the broadcast was measured.")

    def _modes(self) -> PlainTable:
        compared = [row for row in self.results.settings if row.setting.partition(" ")[0] in DDP_MODES]
        rows = [row for row in compared if row.clock in (WALL, self.clock)]
        columns = [
            Column("Mode", _mode),
            Column("Clock", lambda row: short_clock(row.clock)),
            Column("Against the plain one (µs)", _difference, True),
            Column("Share of the step (%)", _difference_percent, True),
            Column("Verdict", verdict_word),
        ]
        caption = (
            "The step of the loop by hand in one mode of DistributedDataParallel, less the same in the plain mode. Launches of"
            " their own, paired by repetition."
        )
        head = Head("claim-modes", "Which mode of DDP is fastest", caption, QUESTION)
        return plain_table(head, columns, rows, "tables/settings.csv", "One mode was measured.")

    def _training(self) -> PlainTable:
        steps = TRAINING_SAMPLES // GLOBAL_BATCH
        columns = [
            Column("Arm", lambda once: once.arm),
            Column(f"{EPOCHS} × {steps} steps (s)", lambda once: seconds_of_steps(once, steps), True),
            Column(f"{EPOCHS} epoch boundaries", lambda once: readable(EPOCHS * once.epoch_s, "s"), True),
            Column("Import, set-up, head, tail", lambda once: readable(once.once_s, "s"), True),
        ]
        caption = (
            f"{EPOCHS} epochs of {TRAINING_SAMPLES:,} samples in global batches of {GLOBAL_BATCH}: the wall clock's cost per step"
            " where the step is shortest, and what happens once or once an epoch, measured in short whole fits (medians)."
            " Validation and checkpoints are not in it: a loop by hand has them too. What several arms import stands with the"
            " first."
        )
        head = Head("claim-training", "What a whole training pays", caption, QUESTION)
        return plain_table(head, columns, self._trainings(), "tables/metrics.csv")

    def _trainings(self) -> Iterator[Once]:
        for law in self.laws:
            row = self.row(law.arm, WALL)
            if row is not None:
                bounds = (row.overhead_us, row.overhead_us_lo, row.overhead_us_hi)
                yield Once(law.arm, *bounds, self._sum_of(law.arm, ONCE_AN_EPOCH), self._sum_of(law.arm, ONCE))

    def _sum_of(self, arm: str, names: tuple[str, ...]) -> float:
        """Medians of `once_s.NAME`; what an arm does not have is nothing."""
        wanted = {f"once_s.{name}" for name in names}
        of_arm = (row for row in self.results.metrics if (row.cell_id, row.arm) == (self.main_cell, arm))
        found = [row.median for row in of_arm if row.metric in wanted]
        return sum(found) if found else math.nan


def part_of(row: Row) -> str:
    """Says what a rung adds: the first one is the framework's loop, with what it cannot be measured without."""
    base, _, features = row.feature.partition("+")
    if base != row.base:
        return row.feature
    return f"its loop, with {features.replace('+', ', ')}" if features else "its loop, all off"


def _mode(row: Row) -> str:
    """Where several loops were measured, `setting` says whose: "static_graph (py_raw)"."""
    setting, _, loop = row.setting.partition(" ")
    return f"{setting} = {row.value} {loop}".rstrip()


def _difference(row: Row) -> str:
    return estimate(row.difference_us, row.difference_us_lo, row.difference_us_hi)


def _difference_percent(row: Row) -> str:
    return estimate(row.difference_percent, row.difference_percent_lo, row.difference_percent_hi)


def us_words(value: float, low: float, high: float) -> str:
    words = estimate(value, low, high)
    return f"{words.replace('+', '') if low > 0 else words} µs"


def c_of(law: Row | None) -> str:
    return NOT_MEASURED if law is None else estimate(law.c_us, law.c_us_lo, law.c_us_hi)


def cost_of(row: Row | None) -> str:
    return NOT_MEASURED if row is None else estimate(row.cost_us, row.cost_us_lo, row.cost_us_hi)


def growth(law: Row) -> str:
    return estimate(1000 * law.s, 1000 * law.s_lo, 1000 * law.s_hi)


def share(row: Row | None) -> str:
    if row is None:
        return NOT_MEASURED
    beyond = "*" if row.is_extrapolated else ""
    return f"{row.at_most_5_percent}{beyond}: {estimate(row.percent, row.percent_lo, row.percent_hi)} %".replace("+", "")


def seconds_of_steps(once: Once, steps: int) -> str:
    scale = EPOCHS * steps / US_PER_S
    return estimate(scale * once.steps_us, scale * once.steps_us_lo, scale * once.steps_us_hi)


def published() -> PlainTable:
    columns = [
        Column("Who", lambda row: row["source"], long=True),
        Column("Says", lambda row: row["says"], long=True),
        Column("Measured how", lambda row: row["design"], long=True),
        Column("Here", lambda row: row["here"], long=True),
    ]
    caption = (
        "What was published about Lightning's cost, with its design. A share without the length of its step says nothing about"
        " yours."
    )
    return plain_table(Head("claim-published", "What others say", caption, QUESTION), columns, read_texts(CLAIMS), CLAIMS.name)

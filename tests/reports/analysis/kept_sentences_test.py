"""Every figure that the answer tells of a results folder under tests/data/kept is that of a row of its overhead.csv.

$DDPBENCH_PROGRAM is the program under test. By hand, also over other folders:

    kept_sentences_test.py PROGRAM FOLDER…    prints what no row bears; exit code 1 where there is something
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

KEPT = Path(__file__).resolve().parents[2] / "data" / "kept"
US = {"us": 1.0, "ms": 1e3, "s": 1e6}
TWO_DIGITS = 0.051  # what rounding to two digits may take away
RESOLVED = ("SLOWER", "FASTER", "EQUIVALENT")

FIGURE = r"(-?[\d.]+)"
UNIT = r"(us|ms|s)"
OF_CLOCK = r"(?: of [\w ]+)? per step over"
# What a sentence says of an arm -> the columns whose values it tells, in us, and whether their row has a verdict.
SENTENCES = [
    (rf"(\S+) costs at most {FIGURE} {UNIT}{OF_CLOCK}", ("at_most_us",), False),
    (rf"(\S+) saves at most {FIGURE} {UNIT}{OF_CLOCK}", ("at_least_us",), False),
    (rf"(\S+) probably costs something, between {FIGURE} and {FIGURE} {UNIT}{OF_CLOCK}", ("at_least_us", "at_most_us"), False),
    (rf"(\S+) costs nothing that matters: between {FIGURE} and {FIGURE} {UNIT}", ("overhead_us_lo", "overhead_us_hi"), True),
    (
        rf"(\S+) (?:costs|saves) {FIGURE} {UNIT}{OF_CLOCK}.*?, between {FIGURE} and {FIGURE} \3",
        ("overhead_us", None, "overhead_us_lo", "overhead_us_hi"),
        True,
    ),
]


def is_near(told, value):
    return abs(abs(told) - abs(value)) <= TWO_DIGITS * abs(value)


def numbers_of(match, columns):
    """{column: us}, of the groups behind the arm's name; the unit stands among them."""
    groups = match.groups()[1:]
    unit = next(US[text] for text in groups if text in US)
    values = [None if text in US else unit * float(text) for text in groups]
    return {column: value for column, value in zip(columns, values, strict=False) if column is not None}


def bears(row, told):
    """Of what is saved the figures are told without their sign, the bound nearer to 0 first."""
    if float(row["overhead_us_hi"]) < 0:
        row = {**row, "overhead_us_lo": row["overhead_us_hi"], "overhead_us_hi": row["overhead_us_lo"]}
    return all(is_near(value, float(row[column])) for column, value in told.items())


def what_no_row_bears(sentences, rows):
    """The sentences about costs that tell another figure than every row of their arm, or are of no known form."""
    left = []
    for sentence in sentences:
        if " per step over" not in sentence:
            continue
        matches = [(re.search(form, sentence), columns, has_verdict) for form, columns, has_verdict in SENTENCES]
        told = [
            row
            for match, columns, has_verdict in matches
            for row in rows
            if match
            and row["arm"] == match[1]
            and (row["verdict"] in RESOLVED) == has_verdict
            and bears(row, numbers_of(match, columns))
        ]
        if not told:
            left.append(sentence)
    return left


def estimates_in_spite_of_a_verdict(shares, rows):
    """Shares that were estimated though a row of the same cell and arm has a verdict."""
    judged = {(row["cell_id"], row["arm"]) for row in rows if row["verdict"] in RESOLVED}
    return [share for share in shares if share["source"] != "measured" and (share["cell_id"], share["arm"]) in judged]


def faults_of(program, folder):
    with tempfile.TemporaryDirectory() as out:
        command = [program, "report", str(folder), "--out", out, "--tables-only"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):  # 1: an arm is over the budget
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
        summary = json.loads((Path(out) / "tables/summary.json").read_text(encoding="utf-8"))
        with open(Path(out) / "overhead.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["clock"] == summary["primary_clock"]]
        assert summary["sentences"] and rows, "there is something to check"
        return what_no_row_bears(summary["sentences"], rows) + estimates_in_spite_of_a_verdict(summary["shares"], rows)


class KeptFolders(unittest.TestCase):
    def test_every_figure_is_a_rows(self):
        for folder in sorted(path for path in KEPT.iterdir() if path.is_dir()):
            with self.subTest(folder=folder.name):
                self.assertEqual(faults_of(os.environ["DDPBENCH_PROGRAM"], folder), [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    ROW = {
        "cell_id": "c", "arm": "trainer", "verdict": "SLOWER", "overhead_us": "1059", "overhead_us_lo": "986",
        "overhead_us_hi": "1135", "at_least_us": "900", "at_most_us": "1200",
    }  # fmt: skip
    TOLD = "trainer costs 1.06 ms per step over raw DDP, between 0.986 and 1.14 ms."

    def test_a_sentence_with_its_rows_figures_is_borne(self):
        self.assertEqual(what_no_row_bears([self.TOLD], [self.ROW]), [])
        saved = {**self.ROW, "verdict": "FASTER", "overhead_us": "-1059", "overhead_us_lo": "-1135", "overhead_us_hi": "-986"}
        self.assertEqual(what_no_row_bears([self.TOLD.replace("costs", "saves")], [saved]), [])

    def test_another_figure_another_arm_and_another_verdict_are_found(self):
        for row in ({"overhead_us": "1300"}, {"overhead_us_hi": "1300"}, {"arm": "other"}, {"verdict": "AMBIGUOUS"}):
            self.assertEqual(what_no_row_bears([self.TOLD], [{**self.ROW, **row}]), [self.TOLD])
        unknown = "trainer costs about nothing per step over raw DDP."
        self.assertEqual(what_no_row_bears([unknown], [self.ROW]), [unknown])

    def test_an_estimate_beside_a_verdict_is_found(self):
        share = {"cell_id": "c", "arm": "trainer", "source": "constant"}
        self.assertEqual(estimates_in_spite_of_a_verdict([share], [self.ROW]), [share])
        self.assertEqual(estimates_in_spite_of_a_verdict([{**share, "source": "measured"}], [self.ROW]), [])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        found = {folder: faults_of(sys.argv[1], folder) for folder in sys.argv[2:]}
        print(*(f"{folder}: {fault}" for folder, faults in found.items() for fault in faults), sep="\n")
        sys.exit(1 if any(found.values()) else 0)
    unittest.main()

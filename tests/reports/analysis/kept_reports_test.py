"""The tables of the results folders under tests/data/kept stay what they are: those under tests/data/expected.

$DDPBENCH_PROGRAM is the program under test. Numbers may differ in their last digits
(another libm); all other text may not. By hand:

    kept_reports_test.py --update PROGRAM            writes the expected tables anew, after a change that is meant
    kept_reports_test.py --against BEFORE PROGRAM    a change of structure: every file of whole reports, byte for byte
"""

import contextlib
import csv
import filecmp
import io
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

KEPT = Path(__file__).resolve().parents[2] / "data" / "kept"
EXPECTED = KEPT.parent / "expected"
NAMES = sorted(folder.name for folder in KEPT.iterdir() if folder.is_dir())
RELATIVE_TOLERANCE = 1e-9
SUMS_OF_THE_OTHERS = "report_manifest.csv"


def report(program, name, out, *options):
    command = [program, "report", str(KEPT / name), "--out", str(out), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: an arm is over the budget
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")


def tables_of(program, name):
    """{path below the report: text} of every CSV table that the report made: not of those that the run wrote."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        report(program, name, out, "--tables-only")
        paths = [path.relative_to(out) for path in sorted(Path(out).rglob("*.csv")) if path.name != SUMS_OF_THE_OTHERS]
        return {str(path): (out / path).read_text(encoding="utf-8") for path in paths if not (KEPT / name / path).exists()}


def expected_tables(name):
    folder = EXPECTED / name
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.csv"))}


def update(program):
    for name in NAMES:
        shutil.rmtree(EXPECTED / name, ignore_errors=True)
        for path, text in tables_of(program, name).items():
            (EXPECTED / name / path).parent.mkdir(parents=True, exist_ok=True)
            (EXPECTED / name / path).write_text(text, encoding="utf-8")


def same_cell(one, other):
    if one == other:
        return True
    with contextlib.suppress(ValueError):
        return math.isclose(float(one), float(other), rel_tol=RELATIVE_TOLERANCE)
    return False


def differences(expected, actual):
    """A sentence per table, or the first cell of it, that is not as expected; both {path: CSV text}."""
    found = [f"{path}: is {'missing' if path in expected else 'new'}" for path in sorted(set(expected) ^ set(actual))]
    for path in sorted(set(expected) & set(actual)):
        rows = [list(csv.reader(io.StringIO(tables[path]))) for tables in (expected, actual)]
        if len(rows[0]) != len(rows[1]):
            found.append(f"{path}: {len(rows[1])} lines, expected {len(rows[0])}")
            continue
        for number, (want, have) in enumerate(zip(*rows, strict=True), 1):
            if len(want) != len(have) or not all(map(same_cell, want, have)):
                found.append(f"{path}:{number}: {have}, expected {want}")
                break
    return found


def files_below(folder):
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


def same_file(one, other):
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def compare(before, program):
    """Whole reports by two programs; returns how many files differ."""
    differing = 0
    for name in NAMES:
        with tempfile.TemporaryDirectory() as parent:
            folders = [Path(parent) / side / name for side in ("before", "after")]
            for one, folder in zip((before, program), folders, strict=True):
                report(one, name, folder)
            paths = sorted(set.union(*map(files_below, folders)))
            unlike = [path for path in paths if not same_file(*(folder / path for folder in folders))]
            print(f"{name}: {len(paths)} files, {len(unlike)} differ {' '.join(unlike)}".rstrip())
            differing += len(unlike)
    return differing


class KeptFolders(unittest.TestCase):
    def test_tables_are_as_expected(self):
        for name in NAMES:
            with self.subTest(folder=name):
                self.assertEqual(differences(expected_tables(name), tables_of(os.environ["DDPBENCH_PROGRAM"], name)), [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    def test_finds_what_differs(self):
        table = {"a.csv": "x,y\n1,two\n"}
        self.assertEqual(differences(table, {"a.csv": "x,y\n1.0000000000001,two\n"}), [])
        self.assertEqual(len(differences(table, {"a.csv": "x,y\n1.001,two\n"})), 1)
        self.assertEqual(len(differences(table, {"a.csv": "x,y\n1,three\n"})), 1)
        self.assertEqual(len(differences(table, {"a.csv": "x,y\n1,two\n2,two\n"})), 1)
        self.assertEqual(len(differences(table, {"b.csv": ""})), 2)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--update"]:
        update(sys.argv[2])
    elif sys.argv[1:2] == ["--against"]:
        sys.exit(1 if compare(sys.argv[2], sys.argv[3]) else 0)
    else:
        unittest.main()

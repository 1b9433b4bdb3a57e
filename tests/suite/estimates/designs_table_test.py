"""The table of designs that the report's method page shows is what the simulation says today.

$DDPBENCH_PRINT_DESIGNS is the program that simulates. Numbers may differ in their last digits (another libm). By hand:

    designs_table_test.py --update PROGRAM    writes the kept table anew, after a change that is meant
"""

import csv
import io
import math
import os
import subprocess
import sys
import unittest
from pathlib import Path

KEPT = Path(__file__).resolve().parents[3] / "reports" / "html" / "designs.csv"
RELATIVE_TOLERANCE = 1e-9


def simulated(program):
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Designs(unittest.TestCase):
    def test_the_kept_table_is_what_the_simulation_says(self):
        rows = rows_of(KEPT.read_text(encoding="utf-8"))
        anew = rows_of(simulated(os.environ["DDPBENCH_PRINT_DESIGNS"]))
        self.assertEqual([list(row) for row in rows], [list(row) for row in anew])
        for kept, made in zip(rows, anew, strict=True):
            for name, text in kept.items():
                if name in ("design", "words"):
                    self.assertEqual(text, made[name])
                else:
                    same = math.isclose(float(text), float(made[name]), rel_tol=RELATIVE_TOLERANCE)
                    self.assertTrue(same, f"{kept['design']}, {name}: {text} is kept, {made[name]} is simulated")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--update"]:
        KEPT.write_text(simulated(sys.argv[2]), encoding="utf-8")
    else:
        unittest.main()

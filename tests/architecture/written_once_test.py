"""What a table says once stands nowhere else: the name of a metric is a literal in its line only; code uses the handle."""

import re
import unittest

import source_tree

TABLES = ("suite/contract/tables/metrics.hpp", "harness/measure/collector_table.cpp")
# Readers and writers of metrics.csv. (Names of columns and of protocol keys are other tables'.)
ROOMS = ("harness/", "reports/analysis/", "suite/store/", "suite/contract/tables/named_metric.hpp")

# Metric warmup{"warmup_s", …   {"device_data_s", …   CollectedMetric{{"page_faults_per_step", …
LINE = re.compile(r'(?:Metric \w+|CollectedMetric\{|^ {6})\{"([a-z0-9_]+)(?:\.NAME)?",', re.MULTILINE)


def metric_names(files):
    return {name for path in TABLES for name in LINE.findall(files[path])}


def literals(files, names):
    """files: {path: text} of C++ files; a sentence per literal that is the name of a metric, or begins as one of a work does."""
    return [
        f'{path}: writes "{found}"; use the handle in {TABLES[0]}'
        for path, text in files.items()
        if path.startswith(ROOMS) and path not in TABLES
        for found in re.findall(r'"([a-z0-9_]+)[."]', re.sub(r"//[^\n]*", "", text))
        if found in names
    ]


class TheProject(unittest.TestCase):
    def test_no_metric_is_named_outside_its_table(self):
        files = source_tree.read_all((".cpp", ".hpp"))
        names = metric_names(files)
        for expected in ("warmup_s", "device_data_s", "periodic_wall_s", "page_faults_per_step"):
            self.assertIn(expected, names)
        self.assertEqual(literals(files, names), [])


class TheCheck(unittest.TestCase):
    def test_finds_a_name_that_is_written_again(self):
        files = {"harness/a.cpp": 'add_metric("warmup_s", 1);', "suite/plan/b.cpp": '"warmup_s"'}
        self.assertEqual(literals(files, {"warmup_s"}), [f'harness/a.cpp: writes "warmup_s"; use the handle in {TABLES[0]}'])


if __name__ == "__main__":
    unittest.main()

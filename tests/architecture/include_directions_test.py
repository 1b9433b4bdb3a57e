"""Who may include whom: every #include "…" of the project runs along an edge of the table below."""

import ast
import posixpath
import unittest

import source_tree

SHARED = ["suite/base", "suite/contract"]
SAMPLES = [*SHARED, "suite/store", "reports/estimates", "reports/analysis/words"]
COMPARISONS = [*SAMPLES, "reports/analysis/samples"]
VERDICTS = [*COMPARISONS, "reports/analysis/comparisons"]
FINDINGS = [*VERDICTS, "reports/analysis/verdicts"]
TABLES = [*FINDINGS, "reports/analysis/findings"]
RUNS = [*SHARED, "suite/store", "suite/plan", "suite/launch", "suite/sites", "workloads/formats"]

# room -> the rooms that it may include beside itself. A file belongs to the room with the longest prefix; the rooms `suite`,
# `harness`, `workloads` and `reports/analysis` are thus the files directly in them: where the products are put together.
MAY_INCLUDE = {
    "suite/base": [],
    "suite/contract": ["suite/base"],
    "suite/store": SHARED,
    "suite/plan": SHARED,
    "suite/launch": [*SHARED, "suite/plan"],
    "suite/sites": [*SHARED, "suite/plan"],
    "suite/runs": RUNS,
    "suite/commands": [*RUNS, "suite/runs", "reports/analysis", "reports/analysis/answer", "reports/analysis/regression"],
    "suite": ["suite/commands"],
    "reports/estimates": ["suite/base"],
    "reports/analysis/words": SHARED,
    "reports/analysis/samples": SAMPLES,
    "reports/analysis/comparisons": COMPARISONS,
    "reports/analysis/verdicts": VERDICTS,
    "reports/analysis/findings": FINDINGS,
    "reports/analysis/tables": TABLES,
    "reports/analysis/answer": TABLES,
    "reports/analysis/regression": [*TABLES, "reports/analysis/answer"],
    "reports/analysis": [*TABLES, "reports/analysis/tables", "reports/analysis/answer"],
    "workloads/formats": SHARED,
    "harness/probe": SHARED,
    "harness/api": [*SHARED, "harness/probe"],
    "harness/ranks": [*SHARED, "harness/api", "harness/probe"],
    "harness/strategies": [*SHARED, "harness/api", "harness/probe"],
    "harness/precision": [*SHARED, "harness/api", "harness/probe"],
    "harness/measure": [*SHARED, "reports/estimates", "harness/api", "harness/probe"],
    "harness/trainer": [*SHARED, "harness/api", "harness/probe"],
    "harness/arms": [*SHARED, "harness/api", "harness/probe", "harness/trainer"],
    "harness/python": [*SHARED, "harness", "harness/api", "harness/probe", "harness/ranks", "harness/measure", "harness/arms"],
    "workloads/data": [*SHARED, "harness/api", "workloads/formats"],
    "workloads/models": [*SHARED, "harness/api", "workloads/formats"],
    "workloads/optimizers": [*SHARED, "harness/api"],
    "workloads/micro": [
        *SHARED,
        "harness/api",
        "harness/probe",
        "harness/ranks",
        "harness/strategies",
        "harness/trainer",
        "harness/arms",
        "workloads/models",
        "workloads/data",
        "workloads/formats",
    ],
    "workloads": [
        *SHARED,
        "harness/api",
        "workloads/data",
        "workloads/formats",
        "workloads/models",
        "workloads/optimizers",
    ],
    "harness": [
        *SHARED,
        "reports/estimates",
        "harness/api",
        "harness/probe",
        "harness/ranks",
        "harness/strategies",
        "harness/precision",
        "harness/measure",
        "harness/trainer",
        "harness/arms",
        "workloads",
    ],
}

# Built without Torch: their tests see none of the rooms that need it. Other tests may include anything.
TORCH_FREE_TESTS = ("tests/suite/", "tests/reports/", "tests/workloads/formats/")
TORCH_FREE_FOR_TESTS = ("suite/", "reports/", "workloads/formats/", "tests/")

TORCH_HEADERS = ("torch/", "c10/", "ATen/", "caffe2/")
MAY_INCLUDE_TORCH = ("harness/", "workloads/", "tests/")
# What changes from one release of LibTorch to the next.
C10D_INTERNALS = "torch/csrc/distributed/c10d/"
MAY_INCLUDE_C10D = ("harness/ranks/", "harness/strategies/", "workloads/micro/", "tests/")

# Copies of another project's declarations: they include as that project does.
FOREIGN = "harness/ranks/gloo_declarations/"
FOREIGN_HEADERS = {"csv.h"}

NOT_FOR_REPORTS = {"torch", "lightning", "ddpbench_arms"}


def room_of(path):
    folder = posixpath.dirname(path)
    while folder and folder not in MAY_INCLUDE:
        folder = posixpath.dirname(folder)
    return folder


def edge_mistake(path, included):
    if path.startswith("tests/"):
        if path.startswith(TORCH_FREE_TESTS) and not included.startswith(TORCH_FREE_FOR_TESTS):
            return f'{path}: a test that builds without Torch includes "{included}"'
        return None
    source, target = room_of(path), room_of(included)
    if not source:
        return f"{path}: lies in no room of the table"
    if target != source and target not in MAY_INCLUDE[source]:
        return f'{path}: {source} may not include "{included}" (may: {", ".join(MAY_INCLUDE[source]) or "nothing"})'
    return None


def torch_mistake(path, included):
    if not included.startswith(TORCH_HEADERS):
        return None
    torch_free = path.startswith(("workloads/formats/", *TORCH_FREE_TESTS))
    if torch_free or not path.startswith(MAY_INCLUDE_TORCH):
        return f"{path}: includes <{included}>, but must build without Torch"
    if included.startswith(C10D_INTERNALS) and not path.startswith(MAY_INCLUDE_C10D):
        return f"{path}: includes <{included}>; c10d's internals stay behind {' and '.join(MAY_INCLUDE_C10D[:2])}"
    return None


def include_mistakes(files):
    """files: {path: text} of C++ files; a sentence per include that runs against the table."""
    mistakes = []
    for path, text in files.items():
        if path.startswith(FOREIGN):
            continue
        quoted = [name for name in source_tree.quoted_includes(text) if name not in FOREIGN_HEADERS]
        mistakes += [edge_mistake(path, name) for name in quoted]
        mistakes += [torch_mistake(path, name) for name in source_tree.angled_includes(text) + quoted]
    return [mistake for mistake in mistakes if mistake]


def own_header_mistakes(files):
    """A source includes its own header before all else: so the header is compiled alone, in every build."""
    mistakes = []
    for path, text in files.items():
        header = path.removesuffix(".cpp") + ".hpp"
        if not path.endswith(".cpp") or header not in files:
            continue
        first = source_tree.INCLUDE.search(text)
        if first is None or first.group(1) != header:
            mistakes.append(f'{path}: does not include "{header}" first')
    return mistakes


def imported_modules(text):
    modules = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            modules.add(node.module.split(".")[0])
    return modules


def report_import_mistakes(files):
    """reports draws from files: its Python must run where no framework is installed."""
    return [
        f"{path}: imports {module}"
        for path, text in files.items()
        if path.startswith(("reports/", "tests/reports/"))
        for module in sorted(imported_modules(text) & NOT_FOR_REPORTS)
    ]


class TheProject(unittest.TestCase):
    def test_every_include_runs_along_an_edge(self):
        self.assertEqual(include_mistakes(source_tree.read_all((".cpp", ".hpp", ".h"))), [])

    def test_every_source_includes_its_own_header_first(self):
        self.assertEqual(own_header_mistakes(source_tree.read_all((".cpp", ".hpp"))), [])

    def test_reports_import_no_framework(self):
        self.assertEqual(report_import_mistakes(source_tree.read_all(".py")), [])

    def test_the_table_names_rooms_only(self):
        self.assertEqual({room for rooms in MAY_INCLUDE.values() for room in rooms} - set(MAY_INCLUDE), set())


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    def found(self, path, line):
        return bool(include_mistakes({path: line + "\n"}))

    def test_finds_edges_that_are_not_in_the_table(self):
        self.assertTrue(self.found("suite/contract/a.hpp", '#include "suite/store/results_folder.hpp"'))
        self.assertTrue(self.found("harness/strategies/a.cpp", '#include "harness/arms/arms.hpp"'))
        self.assertTrue(self.found("harness/api/arm.hpp", '#include "harness/worker.hpp"'))
        self.assertTrue(self.found("suite/plan/a.cpp", '  #  include "harness/api/arm.hpp"'))
        self.assertTrue(self.found("new_room/a.cpp", '#include "suite/contract/phase.hpp"'))
        self.assertTrue(self.found("tests/suite/plan/a_test.cpp", '#include "harness/api/arm.hpp"'))

    def test_lets_those_of_the_table_pass(self):
        self.assertFalse(self.found("suite/runs/a.cpp", '#include "suite/plan/plan.hpp"'))
        self.assertFalse(self.found("harness/worker_main.cpp", '#include "harness/arms/arms.hpp"'))
        self.assertFalse(self.found("tests/conformance/a_test.cpp", '#include "harness/arms/arms.hpp"'))

    def test_finds_torch_where_it_must_not_be(self):
        self.assertTrue(self.found("suite/plan/a.cpp", "#include <torch/torch.h>"))
        self.assertTrue(self.found("workloads/formats/a.cpp", "#include <ATen/ATen.h>"))
        self.assertTrue(self.found("harness/arms/a.cpp", "#include <torch/csrc/distributed/c10d/Store.hpp>"))
        self.assertFalse(self.found("harness/ranks/a.cpp", "#include <torch/csrc/distributed/c10d/Store.hpp>"))

    def test_finds_a_header_that_is_not_first(self):
        files = {"suite/plan/a.hpp": "", "suite/plan/a.cpp": '#include <string>\n#include "suite/plan/a.hpp"\n'}
        self.assertEqual(len(own_header_mistakes(files)), 1)

    def test_finds_frameworks_in_reports(self):
        self.assertTrue(report_import_mistakes({"reports/plots/a.py": "from torch.nn import Linear\n"}))
        self.assertFalse(report_import_mistakes({"reports/plots/a.py": "from . import torch\nimport csv\n"}))


if __name__ == "__main__":
    unittest.main()

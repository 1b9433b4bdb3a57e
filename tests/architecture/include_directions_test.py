"""Who may include whom: every #include "…" of the project runs along an edge of the table below."""

import ast
import posixpath
import unittest

import source_tree

OF_CONTRACT = [
    "suite/contract",
    "suite/contract/vocabulary",
    "suite/contract/launch",
    "suite/contract/tables",
    "suite/contract/processes",
]
SHARED = ["suite/base", *OF_CONTRACT]
# Each may include those before it.
LAUNCH = [
    "suite/launch/processes",
    "suite/launch/machines",
    "suite/launch",
    "suite/launch/supervision",
    "suite/launch/local",
    "suite/launch/agents",
    "suite/launch/launchers",
    "suite/launch/probe",
]
FOR_LAUNCH = [*SHARED, "suite/plan"]
SAMPLES = [*SHARED, "suite/store", "suite/estimates", "reports/analysis/phrases"]
COMPARISONS = [*SAMPLES, "reports/analysis/samples"]
VERDICTS = [*COMPARISONS, "reports/analysis/comparisons"]
TABLES = [*VERDICTS, "reports/analysis/verdicts"]
FINDINGS = [*TABLES, "reports/analysis/tables"]
ANSWERS = [
    *FINDINGS,
    "reports/analysis/findings/sizes",
    "reports/analysis/findings/settings",
    "reports/analysis/findings/network",
    "reports/analysis/findings",
]
MEASURE = [*SHARED, "suite/estimates", "harness/api", "harness/probe"]
ALL_OF_MEASURE = [
    "harness/measure",
    "harness/measure/process",
    "harness/measure/checks",
    "harness/measure/blocks",
]
ALL_BUT_PURPOSES = [
    *SHARED,
    "suite/estimates",
    "harness/api",
    "harness/probe",
    "harness/ranks",
    "harness/strategies",
    "harness/precision",
    *ALL_OF_MEASURE,
    "harness/trainer",
    "harness/arms",
    "workloads",
]
RUNS = [*SHARED, "suite/store", "suite/plan", *LAUNCH, "suite/sites", "suite/formats"]
COMMANDS = [
    *RUNS,
    "suite/runs",
    "suite/traces",
    "suite/purposes/collectives",
    "suite/purposes/nodes",
    "suite/purposes/profile",
    "reports/analysis",
    "reports/analysis/answer",
    "reports/analysis/regression",
]

# room -> the rooms that it may include beside itself. A file belongs to the room with the longest prefix; the rooms `suite`,
# `harness`, `workloads` and `reports/analysis` are thus the files directly in them: where the products are put together.
MAY_INCLUDE = {
    "suite/base": [],
    "suite/contract": ["suite/base"],
    "suite/contract/vocabulary": ["suite/base", *OF_CONTRACT[:1]],
    "suite/contract/launch": ["suite/base", *OF_CONTRACT[:2]],
    "suite/contract/tables": ["suite/base", *OF_CONTRACT[:3]],
    "suite/contract/processes": ["suite/base", *OF_CONTRACT[:4]],
    "suite/estimates": ["suite/base"],
    "suite/formats": SHARED,
    "suite/store": SHARED,
    "suite/traces": SHARED,
    "suite/plan": SHARED,
    **{room: [*FOR_LAUNCH, *LAUNCH[:place]] for place, room in enumerate(LAUNCH)},
    "suite/sites": [*SHARED, "suite/plan"],
    "suite/runs": RUNS,
    "suite/purposes/collectives": [*RUNS, "suite/runs"],
    "suite/purposes/nodes": [*RUNS, "suite/runs"],
    "suite/purposes/profile": [*RUNS, "suite/runs", "suite/traces"],
    "suite/commands": COMMANDS,
    "suite/commands/report": [*COMMANDS, "suite/commands"],
    "suite/commands/run": [*COMMANDS, "suite/commands", "suite/commands/report"],
    "suite/commands/compare": [*COMMANDS, "suite/commands", "suite/commands/report", "suite/commands/run"],
    "suite/commands/submit": [*COMMANDS, "suite/commands", "suite/commands/compare", "suite/commands/run"],
    "suite": ["suite/commands"],
    "reports/analysis/phrases": SHARED,
    "reports/analysis/samples": SAMPLES,
    "reports/analysis/comparisons": COMPARISONS,
    "reports/analysis/verdicts": VERDICTS,
    "reports/analysis/findings/sizes": FINDINGS,
    "reports/analysis/findings/settings": [*FINDINGS, "reports/analysis/findings/sizes"],
    "reports/analysis/findings/network": FINDINGS,
    "reports/analysis/findings": ANSWERS[:-1],
    "reports/analysis/tables": TABLES,
    "reports/analysis/answer": ANSWERS,
    "reports/analysis/regression": [*ANSWERS, "reports/analysis/answer"],
    "reports/analysis": [*ANSWERS, "reports/analysis/answer"],
    "harness/probe": SHARED,
    "harness/api": [*SHARED, "harness/probe"],
    "harness/ranks": [*SHARED, "harness/api", "harness/probe"],
    "harness/strategies": [*SHARED, "harness/api", "harness/probe"],
    "harness/precision": [*SHARED, "harness/api", "harness/probe"],
    "harness/measure": MEASURE,
    "harness/measure/process": MEASURE,
    "harness/measure/collectors": [*MEASURE, "harness/measure"],
    "harness/measure/checks": [*MEASURE, "harness/measure/process"],
    "harness/measure/blocks": [*MEASURE, "harness/measure", "harness/measure/process", "harness/measure/checks"],
    "harness/trainer": [*SHARED, "harness/api", "harness/probe"],
    "harness/arms": [*SHARED, "harness/api", "harness/probe", "harness/trainer"],
    "harness/python": [
        *SHARED,
        "harness",
        "harness/launch",
        "harness/api",
        "harness/probe",
        "harness/ranks",
        *ALL_OF_MEASURE,
        "harness/arms",
        "harness/strategies",
    ],
    "workloads/data": [*SHARED, "harness/api", "suite/formats"],
    "workloads/models": [*SHARED, "harness/api", "suite/formats"],
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
        "suite/formats",
    ],
    "workloads": [
        *SHARED,
        "harness/api",
        "workloads/data",
        "suite/formats",
        "workloads/models",
        "workloads/optimizers",
    ],
    "harness/launch": ALL_BUT_PURPOSES,
    "harness/purposes": [*ALL_BUT_PURPOSES, "harness/launch"],
    # No purpose sees another.
    "harness/purposes/nodes": [*ALL_BUT_PURPOSES, "harness/launch", "harness/purposes"],
    "harness/purposes/collectives": [*ALL_BUT_PURPOSES, "harness/launch", "harness/purposes"],
    "harness": [*ALL_BUT_PURPOSES, "harness/launch", "harness/purposes"],
}

# Built without Torch: their tests see none of the rooms that need it. Other tests may include anything.
TORCH_FREE_TESTS = ("tests/suite/", "tests/reports/")
TORCH_FREE_FOR_TESTS = ("suite/", "reports/", "tests/")

TORCH_HEADERS = ("torch/", "c10/", "ATen/", "caffe2/")
MAY_INCLUDE_TORCH = ("harness/", "workloads/", "tests/")
# What changes from one release of LibTorch to the next.
C10D_INTERNALS = "torch/csrc/distributed/c10d/"
MAY_INCLUDE_C10D = ("harness/ranks/", "harness/strategies/", "workloads/micro/", "tests/")

# Copies of another project's declarations: they include as that project does.
FOREIGN = "harness/ranks/gloo_declarations/"

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
    torch_free = path.startswith(TORCH_FREE_TESTS)
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
        quoted = source_tree.quoted_includes(text)
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
        self.assertTrue(self.found("new_room/a.cpp", '#include "suite/contract/tables/phase.hpp"'))
        self.assertTrue(self.found("tests/suite/plan/a_test.cpp", '#include "harness/api/arm.hpp"'))

    def test_lets_those_of_the_table_pass(self):
        self.assertFalse(self.found("suite/runs/a.cpp", '#include "suite/plan/plan.hpp"'))
        self.assertFalse(self.found("harness/worker_main.cpp", '#include "harness/arms/arms.hpp"'))
        self.assertFalse(self.found("tests/conformance/a_test.cpp", '#include "harness/arms/arms.hpp"'))

    def test_finds_torch_where_it_must_not_be(self):
        self.assertTrue(self.found("suite/plan/a.cpp", "#include <torch/torch.h>"))
        self.assertTrue(self.found("suite/formats/a.cpp", "#include <ATen/ATen.h>"))
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

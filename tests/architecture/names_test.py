"""Names say what a thing is, and no file knows one machine."""

import posixpath
import re
import unittest

import source_tree

SAYS_NOTHING = {"util", "utils", "common", "helper", "helpers", "manager", "managers", "misc"}
VAGUE_TYPE = re.compile(r"\b(?:class|struct)\s+(\w*(?:Manager|Helper|Utils?|Misc))\b")
SNAKE_CASE = re.compile(r"_*[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+")
PRODUCTS = ("suite/", "harness/", "workloads/", "reports/")
CODE_ROOMS = ("suite/", "harness/", "workloads/", "reports/", "slurm/", "tests/")
CODE_SUFFIXES = (".cpp", ".hpp", ".py", ".sh", ".toml", ".json", ".j2", ".css")
# Their names and folders are those of the project that they declare.
FOREIGN = "harness/ranks/gloo_declarations/"
# A cluster is called as its people call it.
NAMED_BY_SITES = ("slurm/sites/", "tests/suite/sites/golden/")

# A folder that only one machine or one person has.
MACHINE_PATH = re.compile(r"(?<![\w.}$~)*/])/(?:work|root|home|Users)/[\w.-]")
TEXT_SUFFIXES = (*CODE_SUFFIXES, ".md", ".txt", ".cmake", ".yaml", ".yml", ".h", ".csv", ".sbatch", "run")

MOST_LINES = 400
CODE_BY_HAND = (".cpp", ".hpp", ".py", ".sh", ".cmake")


def vague_words(path):
    words = set()
    for part in path.split("/"):
        words |= set(part.split(".")[0].lower().split("_"))
    return words & SAYS_NOTHING


def name_mistakes(paths):
    mistakes = []
    for path in paths:
        if path.startswith(FOREIGN):
            continue
        mistakes += [f"{path}: '{word}' says nothing" for word in sorted(vague_words(path))]
        in_rooms = path.startswith(CODE_ROOMS) and path.endswith(CODE_SUFFIXES) and not path.startswith(NAMED_BY_SITES)
        if in_rooms and not SNAKE_CASE.fullmatch(posixpath.basename(path)):
            mistakes.append(f"{path}: file names are in snake_case")
    return mistakes


def twice_mistakes(paths):
    """C++ files of the products that have the name of another in another folder, a header and its source apart."""
    places = {}
    for path in paths:
        if path.startswith(PRODUCTS) and path.endswith((".cpp", ".hpp")) and not path.startswith(FOREIGN):
            places.setdefault(posixpath.basename(path), []).append(path)
    return [f"{name} stands in {' and '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]


def type_mistakes(files):
    return [f"{path}: type '{name}' says nothing" for path, text in files.items() for name in VAGUE_TYPE.findall(text)]


def machine_path_mistakes(files):
    return [
        f"{path}:{number}: a path of one machine: {line.strip()}"
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE_PATH.search(line)
    ]


def length_mistakes(files):
    lengths = {path: text.count("\n") for path, text in files.items()}
    return [f"{path}: {lines} lines (stop at {MOST_LINES})" for path, lines in lengths.items() if lines > MOST_LINES]


class TheProject(unittest.TestCase):
    def test_names_say_something(self):
        self.assertEqual(name_mistakes(source_tree.tracked_files()), [])

    def test_a_name_stands_once(self):
        self.assertEqual(twice_mistakes(source_tree.tracked_files()), [])

    def test_types_say_something(self):
        self.assertEqual(type_mistakes(source_tree.read_all((".cpp", ".hpp"))), [])

    def test_no_path_of_one_machine(self):
        self.assertEqual(machine_path_mistakes(source_tree.read_all(TEXT_SUFFIXES)), [])

    def test_no_file_is_too_long_to_read(self):
        self.assertEqual(length_mistakes(source_tree.read_all(CODE_BY_HAND)), [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    def test_finds_names_that_say_nothing(self):
        for path in ("suite/utils/a.cpp", "suite/plan/string_helpers.hpp", "reports/common.py", "suite/plan/PlanMaker.cpp"):
            self.assertEqual(len(name_mistakes([path])), 1, path)
        self.assertEqual(name_mistakes(["suite/plan/plan.cpp", "reports/plots/__init__.py", "README.md"]), [])

    def test_finds_a_name_that_stands_twice(self):
        self.assertEqual(len(twice_mistakes(["suite/plan/plan.hpp", "suite/runs/plan.hpp", "suite/plan/plan.cpp"])), 1)
        self.assertEqual(twice_mistakes(["suite/plan/plan.hpp", "reports/plan.py", "tests/plan/plan.hpp"]), [])

    def test_finds_types_that_say_nothing(self):
        self.assertTrue(type_mistakes({"a.hpp": "class RankManager {"}))
        self.assertFalse(type_mistakes({"a.hpp": "class RankGroup {"}))

    def test_finds_paths_of_one_machine(self):
        folder = "/" + "work" + "/me"
        self.assertTrue(machine_path_mistakes({"a.md": f"cd {folder}\n"}))
        self.assertFalse(machine_path_mistakes({"a.md": f"cd $HOME{folder}, net{folder} and ../{folder}\n"}))

    def test_finds_long_files(self):
        self.assertTrue(length_mistakes({"a.cpp": "x\n" * (MOST_LINES + 1)}))
        self.assertFalse(length_mistakes({"a.cpp": "x\n" * MOST_LINES}))


if __name__ == "__main__":
    unittest.main()

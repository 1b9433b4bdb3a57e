"""Every name that can be put on an axis is documented: in the README of the room whose table holds it, or, where names are many
and their lines tell all (workloads, metrics), by the line's own help, which `ddpbench list` shows.

$DDPBENCH_VOCABULARY is the vocabulary.json of this build.
"""

import json
import os
import unittest
from pathlib import Path

import source_tree

README_OF = {
    "arms": "harness/README.md",
    "features": "harness/README.md",
    "strategies": "harness/README.md",
    "backends": "harness/README.md",
    "precisions": "harness/README.md",
}

# kind -> what else must stand in each line beside its help
TOLD_BY_THEIR_LINE = {**dict.fromkeys(README_OF, []), "workloads": [], "metrics": ["unit"]}


def undocumented(vocabulary, readmes):
    """vocabulary: {kind: [{"name": …}]}, readmes: {path: text}; a sentence per name that is missing."""
    return [
        f"{readme}: does not mention `{entry['name']}` ({kind})"
        for kind, readme in README_OF.items()
        for entry in vocabulary[kind]
        if f"`{entry['name']}`" not in readmes.get(readme, "")
    ]


def untold(vocabulary):
    """A sentence per line of a table that leaves out what is to be known."""
    return [
        f"{kind}: `{entry['name']}` has no {key}"
        for kind, keys in TOLD_BY_THEIR_LINE.items()
        for entry in vocabulary[kind]
        for key in ["help", *keys]
        if not entry.get(key)
    ]


class TheProject(unittest.TestCase):
    def setUp(self):
        self.vocabulary = json.loads(Path(os.environ["DDPBENCH_VOCABULARY"]).read_text(encoding="utf-8"))

    def test_every_table_entry_is_documented(self):
        self.assertEqual(undocumented(self.vocabulary, source_tree.read_all("README.md")), [])

    def test_every_line_tells_what_it_is(self):
        self.assertEqual(untold(self.vocabulary), [])


class TheCheck(unittest.TestCase):
    def test_finds_a_name_that_is_missing(self):
        vocabulary = {kind: [] for kind in README_OF} | {"arms": [{"name": "raw"}, {"name": "raw_again"}]}
        readmes = {"harness/README.md": "`raw_again` and raw"}
        self.assertEqual(undocumented(vocabulary, readmes), ["harness/README.md: does not mention `raw` (arms)"])

    def test_finds_a_line_without_help_or_unit(self):
        vocabulary = {kind: [] for kind in README_OF} | {
            "workloads": [{"name": "null", "help": "small"}, {"name": "large", "help": ""}],
            "metrics": [{"name": "faults", "help": "of pages"}],
            "backends": [{"name": "ucc"}],
        }
        expected = ["backends: `ucc` has no help", "workloads: `large` has no help", "metrics: `faults` has no unit"]
        self.assertEqual(untold(vocabulary), expected)


if __name__ == "__main__":
    unittest.main()

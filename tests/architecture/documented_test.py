"""Every name that can be put on an axis stands, as `name`, in the README of the room whose table holds it.

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
    "metrics": "harness/README.md",
    "workloads": "workloads/README.md",
}


def undocumented(vocabulary, readmes):
    """vocabulary: {kind: [{"name": …}]}, readmes: {path: text}; a sentence per name that is missing."""
    return [
        f"{readme}: does not mention `{entry['name']}` ({kind})"
        for kind, readme in README_OF.items()
        for entry in vocabulary[kind]
        if f"`{entry['name']}`" not in readmes.get(readme, "")
    ]


class TheProject(unittest.TestCase):
    def test_every_table_entry_is_documented(self):
        vocabulary = json.loads(Path(os.environ["DDPBENCH_VOCABULARY"]).read_text(encoding="utf-8"))
        self.assertEqual(undocumented(vocabulary, source_tree.read_all("README.md")), [])


class TheCheck(unittest.TestCase):
    def test_finds_a_name_that_is_missing(self):
        vocabulary = {kind: [] for kind in README_OF} | {"arms": [{"name": "raw"}, {"name": "raw_again"}]}
        readmes = {"harness/README.md": "`raw_again` and raw"}
        self.assertEqual(undocumented(vocabulary, readmes), ["harness/README.md: does not mention `raw` (arms)"])


if __name__ == "__main__":
    unittest.main()

"""The tables of arms and features agree with themselves: what one entry names, another is.

$DDPBENCH_VOCABULARY is the vocabulary.json of this build.
"""

import json
import os
import unittest
from pathlib import Path


def mistakes_in(vocabulary):
    arms = {arm["name"]: arm for arm in vocabulary["arms"]}
    features = {feature["name"]: feature for feature in vocabulary["features"]}
    mistakes = []
    for arm in arms.values():
        is_reference = arm.get("role") == "reference"
        if is_reference == ("reference" in arm):
            mistakes.append(f"arm {arm['name']}: a reference has none, every other arm has one")
        if not is_reference and arms.get(arm.get("reference"), {}).get("role") != "reference":
            mistakes.append(f"arm {arm['name']}: is compared with {arm.get('reference')}, which is no reference")
    for entry in [*arms.values(), *features.values()]:
        for key in ("features", "takes", "requires", "excludes", "bundle"):
            named = [text.split("=")[0] for text in entry.get(key, [])]
            mistakes += [f"{entry['name']}: {key} names {name}, which is no feature" for name in named if name not in features]
        parts = [text.split("=")[0] for text in entry.get("bundle", [])]
        mistakes += [f"{entry['name']}: holds the bundle {part}" for part in parts if "bundle" in features.get(part, {})]
    return mistakes


class TheProject(unittest.TestCase):
    def test_the_tables_agree(self):
        vocabulary = json.loads(Path(os.environ["DDPBENCH_VOCABULARY"]).read_text(encoding="utf-8"))
        self.assertEqual(mistakes_in(vocabulary), [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    RAW = {"name": "raw", "role": "reference"}
    LOG = {"name": "log"}

    def found(self, arms, features=()):
        return len(mistakes_in({"arms": [self.RAW, *arms], "features": [self.LOG, *features]}))

    def test_finds_an_arm_without_a_reference(self):
        self.assertEqual(self.found([{"name": "a", "reference": "raw", "takes": ["log=5"]}]), 0)
        self.assertEqual(self.found([{"name": "a"}]), 2)
        self.assertEqual(self.found([{"name": "a", "reference": "raw"}, {"name": "b", "reference": "a"}]), 1)

    def test_finds_features_that_nobody_lists(self):
        self.assertEqual(self.found([{"name": "a", "reference": "raw", "takes": ["bar"]}]), 1)
        self.assertEqual(self.found([], [{"name": "typical", "bundle": ["log=5"]}]), 0)
        self.assertEqual(self.found([], [{"name": "most", "bundle": ["typical"]}, {"name": "typical", "bundle": ["log"]}]), 1)


if __name__ == "__main__":
    unittest.main()

"""docs/glossary.md says what the program's words mean: in the source, in the tables and on the page."""

import ast
import re
import unittest

import source_tree

GLOSSARY = source_tree.ROOT / "docs/glossary.md"
PAGE_WORDS = source_tree.ROOT / "reports/html/words.py"
ENTRY = re.compile(r"^- (\*\*.*?): (.*)\.$", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_]\w*")


def entries(text):
    """[(terms, names in the source or in a table, meaning)]"""
    return [
        (re.findall(r"\*\*(.+?)\*\*", head), re.findall(r"`([^`]+)`", head), meaning) for head, meaning in ENTRY.findall(text)
    ]


def unknown_names(text, sources):
    """The names of its entries that stand in no source, each part of `Class::member` by itself."""
    known = set(NAME.findall(sources))
    named = [name for _, names, _ in entries(text) for name in names]
    return [name for name in named if not set(NAME.findall(name)) <= known]


def other_meanings(text, page_words):
    """The page's words that the glossary does not have, or has with another sentence."""
    meanings = {term: meaning for terms, _, meaning in entries(text) for term in terms}
    return [word for word, meaning in page_words if meaning not in {meanings.get(term) for term in word.split(", ")}]


def page_words():
    tree = ast.parse(PAGE_WORDS.read_text(encoding="utf-8"))
    value = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "GENERAL")
    return ast.literal_eval(value)


class TheProject(unittest.TestCase):
    def setUp(self):
        self.text = GLOSSARY.read_text(encoding="utf-8")

    def test_every_line_is_an_entry_of_one_sentence(self):
        lines = [line for line in self.text.splitlines() if line.startswith("-")]
        self.assertEqual(len(lines), len(entries(self.text)))
        self.assertEqual([meaning for _, _, meaning in entries(self.text) if ". " in meaning], [])

    def test_no_term_stands_twice(self):
        terms = [term for found, _, _ in entries(self.text) for term in found]
        self.assertEqual(sorted(terms), sorted(set(terms)))

    def test_every_name_stands_in_the_source(self):
        sources = "\n".join(source_tree.read_all((".cpp", ".hpp", ".inc", ".py")).values())
        self.assertEqual(unknown_names(self.text, sources), [])

    def test_the_page_says_the_same(self):
        self.assertEqual(other_meanings(self.text, page_words()), [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    TEXT = "- **block** (`Block`, `Arm::step`): some steps.\n"

    def test_finds_what_differs(self):
        self.assertEqual(unknown_names(self.TEXT, "class Block; struct Arm { void step(); };"), [])
        self.assertEqual(unknown_names(self.TEXT, "class Block;"), ["Arm::step"])
        self.assertEqual(other_meanings(self.TEXT, [("block, blocks", "some steps")]), [])
        self.assertEqual(other_meanings(self.TEXT, [("block", "other steps"), ("pair", "two")]), ["block", "pair"])


if __name__ == "__main__":
    unittest.main()

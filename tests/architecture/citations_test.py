"""Comments and texts cite documents that are in the repository, and sections that these have."""

import re
import unittest

import source_tree

# Recorded results, and what git keeps of them, are no texts of ours.
NOT_OURS = ("tests/data/",)
SUFFIXES = (
    ".cpp",
    ".hpp",
    ".py",
    ".sh",
    ".toml",
    ".j2",
    ".css",
    ".js",
    ".md",
    ".txt",
    ".cmake",
    ".yaml",
    ".json",
    ".clang-tidy",
    "run",
)

# Documents in capitals that the repository has; every other such name is of one that a reader cannot open.
CAPITALS_HERE = {"README", "CHANGELOG", "CONTRIBUTING"}
IN_CAPITALS = re.compile(r"\b([A-Z][A-Z_]{3,})\.md\b")
# The same without the ending: names that were cited once.
WITHOUT_ENDING = re.compile(r"\b(MEASUREMENT|CONTRACT|ARCHITECTURE|LIGHTNING_WORK|BUILD_FACTS|PYTHON_ARMS)\b(?!\.md)")
THIS_FILE = "tests/architecture/citations_test.py"

DOCUMENT = re.compile(r'\b(docs/[\w-]+\.md)(?:,? "([^"\n]+)")?')
# A citation may be broken over lines of a comment.
LINE_BREAK = re.compile(r"\n\s*(?://|#|\*)?\s*")


def capitals_mistakes(path, text):
    names = {name for name in IN_CAPITALS.findall(text) if name not in CAPITALS_HERE}
    return [f"{path}: cites {name}, which is not in the repository" for name in sorted(names | set(WITHOUT_ENDING.findall(text)))]


def headings(text):
    return set(re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE))


def document_mistakes(path, text, documents):
    """documents: {path: text}"""
    mistakes = set()
    for document, section in DOCUMENT.findall(LINE_BREAK.sub(" ", text)):
        if document not in documents:
            mistakes.add(f"{path}: cites {document}, which is not in the repository")
        elif section and section not in headings(documents[document]):
            mistakes.add(f'{path}: cites {document} "{section}", a section that it does not have')
    return sorted(mistakes)


def ours(files):
    return {path: text for path, text in files.items() if not path.startswith(NOT_OURS) and path != THIS_FILE}


class TheProject(unittest.TestCase):
    def test_no_document_outside_the_repository_is_cited(self):
        found = [
            mistake for path, text in ours(source_tree.read_all(SUFFIXES)).items() for mistake in capitals_mistakes(path, text)
        ]
        self.assertEqual(found, [])

    def test_documents_and_sections_that_are_cited_exist(self):
        files = source_tree.read_all(SUFFIXES)
        found = [mistake for path, text in ours(files).items() for mistake in document_mistakes(path, text, files)]
        self.assertEqual(found, [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    def test_finds_a_document_in_capitals(self):
        for text in ("// the gates of MEASUREMENT 7", "see ROADMAP.md", "a name of CONTRACT,"):
            self.assertEqual(len(capitals_mistakes("a.hpp", text)), 1, text)
        self.assertEqual(capitals_mistakes("a.hpp", "README.md, CONTRIBUTING.md, SOURCES a.cpp"), [])

    def test_finds_a_document_that_is_not_there(self):
        documents = {"docs/measurement.md": "# How\n\n## Verdicts\n"}
        for text in ("see docs/nothing.md", 'docs/measurement.md "Colours"', 'docs/measurement.md,\n// "Colours"'):
            self.assertEqual(len(document_mistakes("a.hpp", text, documents)), 1, text)
        for text in ('docs/measurement.md "Verdicts"', 'docs/measurement.md\n  // "Verdicts"', "docs/measurement.md"):
            self.assertEqual(document_mistakes("a.hpp", text, documents), [], text)


if __name__ == "__main__":
    unittest.main()

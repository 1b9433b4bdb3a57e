"""What CONTRIBUTING.md asks of a commit's message, of every commit since this file is there."""

import unittest
from pathlib import Path

import source_tree
from source_tree import git

LONGEST_SUBJECT = 72
HERE = "tests/architecture/commits_test.py"
END = "\x1e"  # of a message


def mistakes(message):
    """A sentence for each rule that the message breaks."""
    subject, _, rest = message.strip("\n").partition("\n")
    found = []
    if len(subject) > LONGEST_SUBJECT:
        found.append(f"'{subject}': {len(subject)} characters, at most {LONGEST_SUBJECT}")
    if subject.endswith("."):
        found.append(f"'{subject}': a subject ends without a full stop")
    if subject[:1] != subject[:1].upper():
        found.append(f"'{subject}': a subject begins with a capital letter")
    if rest and not rest.startswith("\n"):
        found.append(f"'{subject}': the second line is empty")
    if not rest.strip():
        found.append(f"'{subject}': a body says why")
    return found


def why_no_history():
    """ "" where the clone holds the commit that added this file, or it is not committed yet."""
    if Path(git("rev-parse", "--show-toplevel").strip()).resolve() != source_tree.ROOT:
        return "the sources are no clone of their own"
    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        return "a shallow clone does not hold all commits"
    return ""


def messages_since_the_rule():
    """Of the commits that have this file's first one among their ancestors: a branch that is older is not asked."""
    added = git("log", "--diff-filter=A", "--format=%H", "--", HERE).split()
    if not added:
        return []
    log = git("log", "--no-merges", "--ancestry-path", f"--format=%B{END}", f"{added[-1]}..HEAD")
    return [message.strip("\n") for message in log.split(END) if message.strip()]


class TheProject(unittest.TestCase):
    def test_every_message_keeps_the_rules(self):
        if why := why_no_history():
            self.skipTest(why)
        messages = messages_since_the_rule()
        self.assertEqual([mistake for message in messages for mistake in mistakes(message)], [])


class TheCheck(unittest.TestCase):
    """The check itself finds what it is there to find."""

    def test_finds_what_breaks_a_rule(self):
        self.assertEqual(mistakes("Read one schema only\n\nNo release wrote another.\n"), [])
        self.assertIn("73 characters", mistakes("A" * 73 + "\n\nWhy.")[0])
        self.assertIn("full stop", mistakes("Do it.\n\nWhy.")[0])
        self.assertIn("capital", mistakes("do it\n\nWhy.")[0])
        self.assertIn("second line", mistakes("Do it\nWhy.")[0])
        self.assertIn("body", mistakes("Do it\n")[0])


if __name__ == "__main__":
    unittest.main()

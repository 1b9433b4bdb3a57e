"""Finds the commands that a page of the documentation shows.

They are the lines of its `bash` blocks, and inline code that starts with one of our programs. A comment before a block says why
its commands are not run here: <!-- needs a GPU -->.
"""

from __future__ import annotations

import csv
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"(?:<!-- (?P<why>[^>]*?) -->\n)?```bash\n(?P<text>.*?)```", re.DOTALL)
INLINE = re.compile(r"`((?:build/bin/ddpbench|ctest|\./bootstrap\.sh) [^`\n]+)`")
PLACEHOLDER = re.compile(r"\b(NAME|DIR|FILE|OUT|PROOF|V|P)\b|…|COMMAND|SECTION")
COMMENT = re.compile(r"\s+#.*$")


@dataclass(frozen=True)
class ShownCommand:
    page: str
    line: str
    why_not_run: str = ""

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)


def commands_of(page: str, text: str) -> list[ShownCommand]:
    found = []
    for block in BLOCK.finditer(text):
        for line in block["text"].splitlines():
            command = COMMENT.sub("", line).strip()
            if command and not command.startswith("#"):
                found.append(ShownCommand(page, command, block["why"] or ""))
    for inline in INLINE.findall(BLOCK.sub("", text)):
        if not PLACEHOLDER.search(inline):
            found.append(ShownCommand(page, inline))
    return found


def pages(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def all_commands(root: Path) -> list[ShownCommand]:
    shown = [command for page in pages(root) for command in commands_of(page.name, page.read_text(encoding="utf-8"))]
    return list(dict.fromkeys(shown)) + commands_of_figures(root, {command.line for command in shown})


def commands_of_figures(root: Path, shown: set[str]) -> list[ShownCommand]:
    """Those that no page shows in full, but for comparisons, of which there is no plan (figures.py looks at their options)."""
    with open(root / "docs" / "figures.csv", newline="", encoding="utf-8") as file:
        lines = dict.fromkeys(row["command"] for row in csv.DictReader(file))
    found = [command for line in lines for command in commands_of("figures.csv", f"`{line}`")]
    return [command for command in found if command.line not in shown and command.words[1] != "compare"]


def unknown_options(words: list[str], ask: Callable[[list[str]], str]) -> list[str]:
    """Options of `ddpbench COMMAND …` that its help does not tell. A command of a command's has further ones."""
    below = words[2:3] if words[2:] and not words[2].startswith("-") else []
    known = ask([*words[:2], "--help"]) + ask([*words[:2], *below, "--help"])
    return [word for word in words[2:] if word.startswith("--") and word not in known]


def unknown_words_of_bootstrap(words: list[str], known: str) -> list[str]:
    return [word for word in words[1:] if (word.startswith("--") or word.isalpha()) and word not in known]

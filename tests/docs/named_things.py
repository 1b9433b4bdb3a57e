"""Does what a command names exist: programs, options, experiments, targets, presets, scripts, proofs, campaigns?"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from shown_commands import unknown_options, unknown_words_of_bootstrap

DDPBENCH = "build/bin/ddpbench"
BEFORE_A_PROGRAM = re.compile(r"^(?:time |strace (?:-\w+ )+|taskset -c \S+ |(?:python3|\.venv/bin/python) )+")
TAKES_AN_EXPERIMENT = ("run", "plan", "compare")
PLACEHOLDERS = ("FILE", "DIR", "OUT")
TOPS = ("suite", "harness", "workloads", "reports", "tests")

Ask = Callable[[list[str]], str]  # what a command prints


@dataclass(frozen=True)
class Tree:
    root: Path
    ask: Ask

    @classmethod
    def with_program(cls, root: Path, program: Path) -> Tree:
        def ask(words: list[str]) -> str:
            words = [str(program) if words[0] == DDPBENCH else words[0], *words[1:]]
            return subprocess.run(words, cwd=root, capture_output=True, text=True, check=False).stdout

        return cls(root, ask)

    @cached_property
    def experiments(self) -> set[str]:
        return set(re.findall(r"^  (\w+)  ", self.ask([DDPBENCH, "list", "experiments"]), re.MULTILINE))

    @cached_property
    def targets(self) -> set[str]:
        files = [self.root / "CMakeLists.txt", *(path for top in TOPS for path in (self.root / top).rglob("CMakeLists.txt"))]
        made = re.compile(r"\b(?:add_executable|add_custom_target|ddpbench_\w+)\(\s*([\w-]+)")
        return {name for path in files for name in made.findall(path.read_text(encoding="utf-8"))}

    @cached_property
    def presets(self) -> set[str]:
        text = (self.root / "CMakePresets.json").read_text(encoding="utf-8")
        return {preset["name"] for preset in json.loads(text)["configurePresets"]}

    def names_in(self, path: str, pattern: str) -> set[str]:
        return set(re.findall(pattern, (self.root / path).read_text(encoding="utf-8"), re.MULTILINE))


# Words that some scripts take: what they are called, the file that has them, and how they stand there.
NAMES_OF = {
    "tests/proofs/run.py": ("proof", "tests/proofs/run.py", r'^ +"(\w+)": \w+\.\w+,$'),
    "tests/campaigns/run.py": ("campaign", "tests/campaigns/campaigns.py", r'Campaign\(\s*"(\w+)"'),
    "tests/gpu/session.sh": ("piece", "tests/gpu/session.sh", r"^(\w+)\(\) \{"),
}


def simple_commands(command: str) -> list[list[str]]:
    """The words of each program that a shell would start, without what only times or places it."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set(";&|"):
            found.append([])
        else:
            found[-1].append(word)
    return [shlex.split(BEFORE_A_PROGRAM.sub("", shlex.join(words))) for words in found if words]


def missing(command: str, tree: Tree) -> list[str]:
    """What the command names and the tree does not have."""
    return [told for words in simple_commands(command) for told in missing_of(words, tree)]


def missing_of(words: list[str], tree: Tree) -> Iterator[str]:
    program = words[0]
    if program == DDPBENCH:
        yield from missing_of_ddpbench(words, tree)
    elif program == "./bootstrap.sh":
        unknown = unknown_words_of_bootstrap(words, tree.ask([program, "--help"]))
        yield from (f"bootstrap.sh knows no {word}" for word in unknown)
    elif program in ("cmake", "ninja"):
        yield from missing_of_builder(words, tree)
    elif program.startswith("build/"):
        if Path(program).name not in tree.targets:
            yield f"no target {Path(program).name}"
    elif not (tree.root / program).is_file():
        yield f"no file {program}"
    elif program in NAMES_OF:
        kind, path, pattern = NAMES_OF[program]
        known = tree.names_in(path, pattern)
        yield from (f"no {kind} {word}" for word in words[1:] if word.islower() and word[0] != "-" and word not in known)


def missing_of_ddpbench(words: list[str], tree: Tree) -> Iterator[str]:
    yield from (f"{' '.join(words[1:2])} knows no {option}" for option in unknown_options(words, tree.ask))
    if words[1] not in TAKES_AN_EXPERIMENT:
        return
    if words[1] == "compare":
        if not tree.experiments & set(words):
            yield "compare names no experiment"
        return
    is_file = words[2].endswith(".toml") and (tree.root / words[2]).is_file()
    if not is_file and words[2] not in {*tree.experiments, *PLACEHOLDERS}:
        yield f"no experiment {words[2]}"


def missing_of_builder(words: list[str], tree: Tree) -> Iterator[str]:
    following = dict(zip(words, words[1:], strict=False))
    target = words[-1] if words[0] == "ninja" else following.get("--target")
    if target is not None and target not in tree.targets:
        yield f"no target {target}"
    if (preset := following.get("--preset")) is not None and preset not in tree.presets:
        yield f"no preset {preset}"

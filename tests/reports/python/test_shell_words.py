"""A command that the page prints is pasted into a real shell: it does what it says, whatever the folder is called."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from synthetic_results import Folder

from reports.html.__main__ import main
from reports.html.shell_words import path_word, shell_word

BASH = shutil.which("bash")
NAMES = (
    "plain-20250501T120000Z",
    "r$(touch PWNED)",
    "r`touch PWNED`",
    "r;touch PWNED;",
    "two words 'quoted' \"twice\"",
    "-rf",
    "~",
    "a\nb ```\n```",
    "\x1b]0;title\x07",
    os.fsdecode(b"caf\xe9"),
    "größe µ",
)


def pasted(commands: str, folder: Path) -> list[list[str]]:
    """The arguments that `ddpbench` would get, line by line."""
    stand_in = folder / "bin" / "ddpbench"
    stand_in.parent.mkdir(exist_ok=True)
    stand_in.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" END\n", encoding="utf-8")
    stand_in.chmod(0o755)
    environment = {"PATH": f"{stand_in.parent}:/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([BASH, "-c", os.fsencode(commands)], cwd=folder, env=environment, capture_output=True, check=True)
    return [call.split("\0")[:-1] for call in os.fsdecode(done.stdout).split("END\0")[:-1]]


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_what_is_pasted_names_the_folder_and_runs_nothing_else(tmp_path: Path, name: str) -> None:
    folder = Folder(report_needs="nothing").write(tmp_path / name)
    assert main(["--results", str(folder)]) == 1
    page = (folder / "report.html").read_text(encoding="utf-8")
    commands = html.unescape(re.search(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)[1])
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    assert summary.endswith(f"```\n{commands}\n```\n")
    here = str(folder.resolve())  # from whatever folder it is pasted
    expected = [["run", f"{here}/experiment.toml", "--out", f"{here}-again"], ["report", here]]
    assert pasted(commands, tmp_path) == expected
    assert not (tmp_path / "PWNED").exists()


def test_words_are_quoted_where_they_must_be_and_nowhere_else() -> None:
    assert shell_word("results/a-b_1.2+c=d") == "results/a-b_1.2+c=d"
    assert shell_word("") == "''"
    assert shell_word("it's") == "'it'\"'\"'s'"
    assert shell_word("a\tb'\\") == "$'a\\x09b\\'\\\\'"
    assert path_word("-x y") == "'./-x y'"

"""The files of the project, as git knows them (new ones that are not ignored too)."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def git(*words):
    """What it prints; safe.directory: a container's checkout may belong to another user."""
    command = ["git", "-c", "safe.directory=*", *words]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def tracked_files():
    """Paths relative to the root that exist."""
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return sorted({path for path in listed.split("\0") if path and (ROOT / path).is_file()})


def read_all(suffixes):
    """{path: text} of the files that end so."""
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in tracked_files() if path.endswith(suffixes)}


def quoted_includes(text):
    return [quoted for quoted, _ in INCLUDE.findall(text) if quoted]


def angled_includes(text):
    return [angled for _, angled in INCLUDE.findall(text) if angled]

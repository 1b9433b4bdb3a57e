"""Files appear whole: written beside their place, then renamed."""

from __future__ import annotations

import errno
import os
from itertools import count
from pathlib import Path

MODE = 0o666  # less the user's umask


def write_whole(path: Path, content: bytes) -> None:
    """Replaces what stands at `path`, a link too; follows none. A device or a named pipe is left alone: FileExistsError."""
    make_folder(path.parent)
    if path.exists() and not (path.is_symlink() or path.is_file() or path.is_dir()):
        raise FileExistsError(errno.EEXIST, "it is no regular file", str(path))
    draft, number = _new_draft(path)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """`plots` in a results folder: a link in its place is replaced as well. The folder above it is the user's choice."""
    if path.name == "plots" and path.is_symlink():
        path.unlink()
    path.mkdir(parents=True, exist_ok=True)


def _new_draft(path: Path) -> tuple[Path, int]:
    """A file that was not there before, open for writing. The suite names its own so, and removes what a killed process left."""
    for attempt in count():
        draft = path.with_name(f"{path.name}.{os.getpid()}-{attempt}.new")
        try:
            return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, MODE)
        except FileExistsError:
            continue
    raise AssertionError("count() does not end")

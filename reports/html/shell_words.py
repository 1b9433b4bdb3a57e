"""Commands as a person can paste them into a shell: a folder's name may hold anything, also what a shell would run."""

from __future__ import annotations

import os
import re
import shlex

PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


def shell_word(text: str) -> str:
    """Quotes a word where it must be; writes what no page can show (control characters, bytes that are no UTF-8) by escapes."""
    if text.isprintable() and not _has_lone_bytes(text):
        return text if PLAIN.fullmatch(text) else shlex.quote(text)
    return f"$'{''.join(map(_escaped, os.fsencode(text)))}'"


def path_word(path: str) -> str:
    """Quotes a path, so that a first letter that is a dash does not make it an option."""
    return shell_word(f"./{path}" if path.startswith("-") else path)


def _has_lone_bytes(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _escaped(byte: int) -> str:
    letter = chr(byte)
    if not 0x20 <= byte < 0x7F:
        return f"\\x{byte:02x}"
    return f"\\{letter}" if letter in "\\'" else letter

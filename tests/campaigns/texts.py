"""What a message to a person must not hold."""

from __future__ import annotations

import re

# A library's own words: they say where in our code, and not what of the user's is wrong.
LIBRARY_WORDS = (
    "basic_string",
    "json.exception",
    "filesystem error",
    "bad_alloc",
    "what():",
    "terminate called",
    "vector::",
    "map::at",
    "stoll",
    "stod",
    "bad_variant_access",
    "bad_optional_access",
    "_M_range_check",
    "Traceback (most recent call last)",
)
SANITIZER_WORDS = ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "WARNING: ThreadSanitizer", ": runtime error: ")
# Escape codes and the like; a tab is none of them.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
NOT_UTF8 = re.compile(r"[\udc80-\udcff]")
LONGEST_LINE = 4_000
LONGEST_TEXT = 64 << 10


def own_words(text: str) -> str:
    """Without what ranks say: a LibTorch that loses its peer has a trace of its own, and the driver marks it."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("[rank "))


def library_words(text: str) -> list[str]:
    return [word for word in LIBRARY_WORDS if word in text]


def sanitizer_words(text: str) -> list[str]:
    return [word for word in SANITIZER_WORDS if word in text]


def unreadable(message: str) -> str:
    """Why a person cannot read this message; "" where one can."""
    if not message.strip():
        return "it says nothing"
    if found := CONTROL.search(message.replace("\n", "")):
        return f"it holds the control character {ord(found[0]):#04x}"
    if NOT_UTF8.search(message):
        return "it is not UTF-8"
    if len(message) > LONGEST_TEXT:
        return f"it is {len(message)} characters long"
    longest = max(map(len, message.splitlines()))
    return f"it has a line of {longest} characters" if longest > LONGEST_LINE else ""

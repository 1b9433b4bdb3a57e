"""A results folder for one case to damage: hard links to the original, and every change makes a file of its own."""

from __future__ import annotations

import os
import random
import zlib
from pathlib import Path

# All others in the top folder are the run's: what it decided and what it measured.
MADE_BY_REPORT = ("overhead.csv", "scaling.csv", "collectives.csv", "report.html", "summary.md", "report_manifest.csv")


def is_of_the_run(name: str) -> bool:
    """And not made anew by every report."""
    return "/" not in name and name not in MADE_BY_REPORT


class Victim:
    def __init__(self, original: Path, folder: Path, chance: random.Random) -> None:
        self.folder, self.random = folder, chance
        self.touched: set[str] = set()
        for path in sorted(original.rglob("*")):
            copy = folder / path.relative_to(original)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file():
                os.link(path, copy)
        self.names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.stat().st_size)

    def path(self, name: str) -> Path:
        return self.folder / name

    def any_name(self) -> str:
        return self.random.choice(self.names)

    def any_measured(self, *suffixes: str) -> str:
        return self.random.choice([name for name in self.names if is_of_the_run(name) and name.endswith(suffixes or ("",))])

    def read(self, name: str) -> bytes:
        return self.path(name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        self.remove(name)
        self.path(name).write_bytes(data)

    def remove(self, name: str) -> None:
        """The original keeps its bytes: only this link goes."""
        self.touched.add(name)
        self.path(name).unlink()

    # Samples: a list of their members' texts, the first of which is the header.
    def members(self, name: str) -> list[bytes]:
        data, texts = self.read(name), []
        while data:
            unpacker = zlib.decompressobj(wbits=31)
            texts.append(unpacker.decompress(data))
            data = unpacker.unused_data
        return texts

    def write_members(self, name: str, texts: list[bytes]) -> None:
        self.write(name, b"".join(packed(text) for text in texts))

    # Rows of any table, header first.
    def lines(self, name: str) -> list[bytes]:
        data = b"".join(self.members(name)) if name.endswith(".gz") else self.read(name)
        return data.splitlines(keepends=True)

    def write_lines(self, name: str, lines: list[bytes]) -> None:
        """Of samples: as a member of the header and one of all rows, as one would who unpacked, changed and packed them."""
        if name.endswith(".gz"):
            self.write_members(name, [lines[0], b"".join(lines[1:])])
        else:
            self.write(name, b"".join(lines))


def packed(text: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(text) + packer.flush()

"""python -m reports.archive DIR FILE [NAME=BYTES…]: a results folder in one .tar.gz, whole or not at all; any tar unpacks it.

Of a file NAME in it the first BYTES are stored: what stands behind them was never committed.

Equal folders give equal bytes: names are sorted, owners left out, and the only times are the files' own.
"""

from __future__ import annotations

import argparse
import gzip
import io
import sys
import tarfile
from pathlib import Path

from reports.plots.whole_file import write_whole

UNFINISHED = {"parts", ".lock"}  # of a launch that is running, or was when the power went


def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def archive_of(folder: Path, stored: dict[str, int]) -> bytes:
    content = io.BytesIO()
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] not in UNFINISHED)
    with (
        gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in files:
            name = str(path.relative_to(folder))
            entry = anonymous(archive.gettarinfo(path, arcname=str(Path(folder.name) / name)))
            if not entry.isreg():  # a link is packed as one
                archive.addfile(entry)
                continue
            entry.size = stored.get(name, entry.size)
            with path.open("rb") as file:
                archive.addfile(entry, file)
    return content.getvalue()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m reports.archive", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("stored", nargs="*", metavar="NAME=BYTES")
    arguments = parser.parse_args()
    stored = {name: int(size) for name, _, size in (word.rpartition("=") for word in arguments.stored)}
    try:
        write_whole(arguments.file, archive_of(arguments.folder.resolve(), stored))
    except OSError as error:
        print(f"cannot write {arguments.file}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())

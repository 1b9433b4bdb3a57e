"""Archives that are none, or that would fill a disk, given where `pack` has written one."""

from __future__ import annotations

import gzip
import io
import os
import signal
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import processes
from case import Case
from ordinary import judge_refusal, whole

BOMB_MIB = 400  # more than is unpacked of an archive of this size


def a_pipe(place: Path, results: Path) -> None:
    del results
    os.mkfifo(place)


def a_device(place: Path, results: Path) -> None:
    del results
    place.symlink_to("/dev/zero")


def a_bomb(place: Path, results: Path) -> None:
    """One file of zeros in an archive that is one otherwise."""
    entry = tarfile.TarInfo(f"{results.name}/steps.csv.gz")
    entry.size = BOMB_MIB << 20
    with gzip.open(place, "wb", compresslevel=1) as packed:
        packed.write(entry.tobuf())
        for _ in range(BOMB_MIB):
            packed.write(bytes(1 << 20))


def cut_short(place: Path, results: Path) -> None:
    content = archive_of(results)
    place.write_bytes(content[: len(content) // 2])


def no_archive(place: Path, results: Path) -> None:
    del results
    place.write_bytes(b"no archive\n" * 1_000)


def out_of_its_folder(place: Path, results: Path) -> None:
    """Names that lead elsewhere."""
    with tarfile.open(place, "w:gz") as archive:
        for name in ("../escaped", str(place.parent / "escaped")):
            entry = tarfile.TarInfo(name)
            entry.size = 5
            archive.addfile(entry, io.BytesIO(b"where"))
        archive.add(results, arcname=results.name)


def archive_of(results: Path) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        archive.add(results, arcname=results.name)
    return content.getvalue()


ARCHIVES: tuple[Callable[[Path, Path], None], ...] = (a_pipe, a_device, a_bomb, cut_short, no_archive, out_of_its_folder)


def hostile_archive(case: Case) -> None:
    """It is refused by its name, in time, and leaves nothing behind."""
    results, place, temporary = whole(case), case.folder / "base.tar.gz", case.folder / "temporary"
    temporary.mkdir()
    make = case.random.choice(ARCHIVES)
    make(place, results)
    case.tell(make.__name__)
    words = case.random.choice([("compare", place, results, "--tables-only"), ("history", place)])
    ended = case.run(*words, variables={"TMPDIR": str(temporary)})
    judge_refusal(case, ended, *((0, 1, 2, 4) if make is out_of_its_folder else (2,)))
    if ended.code == 2 and place.name not in ended.text:
        case.broke("unclear", f"{ended.told()}: {place.name} is not named")
    require_empty(case, temporary, ended.told())
    if (case.folder / "escaped").exists():
        case.broke("wrong", f"{ended.told()}: it wrote outside its folder")


def killed_while_unpacking(case: Case) -> None:
    results, place, temporary = whole(case), case.folder / "base.tar.gz", case.folder / "temporary"
    temporary.mkdir()
    a_bomb(place, results)
    run = case.start(case.command("compare", place, results, "--tables-only", variables={"TMPDIR": str(temporary)}))
    processes.wait_for(lambda: run.process.poll() is not None or any(temporary.iterdir()), 60, every=0.001)
    time.sleep(case.random.uniform(0, 0.3))
    number = case.random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    processes.send([run.process.pid], number)
    case.tell(f"signal {number.name}")
    ended = case.finish(run, may_die_by=number)
    case.require_no_orphan()
    require_empty(case, temporary, ended.told())


def require_empty(case: Case, temporary: Path, told: str) -> None:
    if not processes.wait_for(lambda: not any(temporary.iterdir()), 60):
        case.broke("lost", f"{told}: it left {[path.name for path in temporary.iterdir()]} in $TMPDIR")

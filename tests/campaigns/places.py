"""Folders that are gone, go away, cannot be written, or have names that a shell, a page or a terminal takes for its own."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import processes
from bounded_run import Limits
from case import Case
from ordinary import SECONDS_OF_A_RUN, commands, judge_refusal, require_page, whole
from small_run import without_page, write_experiment

NOBODY = 65534
STRANGE_NAMES = (
    *("a b", "it's", 'a"b', "$(id)", "`id`", "a\nb", "-rf", "--out", ";", "~", "*", "#", "=1+1", "%s%n", "{{ 1 }}", "<b>&amp;"),
    *("\udcff\udcfe", "\x1b[31mred", "é\u202e", "a" * 255),
)


def deleted_folder(case: Case) -> None:
    """Started in a folder that is gone."""
    gone = case.folder / "gone"
    gone.mkdir()
    words = case.random.choice([*commands(case), ("run", "demo", "--set", "backend=nccl", "--out", "relative")])
    ended = case.run(*words, folder=gone, prepare=lambda: os.rmdir(gone), limits=case.reader_limits())
    judge_refusal(case, ended, *((2, 3, 77) if "relative" in words else (0,)))


def folder_removed(case: Case) -> None:
    """Under a run."""
    out = case.folder / "out"
    experiment = write_experiment(case.folder, launches=1, super_blocks=400)
    run = case.start(case.command("run", experiment, "--out", out, variables=without_page(case), limits=Limits(SECONDS_OF_A_RUN)))
    part = case.random.choice(["", "parts", "steps.csv.gz", "runs.csv"])
    processes.wait_for(lambda: run.process.poll() is not None or any(out.rglob("steps.0.csv")), 60)
    shutil.rmtree(out / part, ignore_errors=True) if not (out / part).is_file() else (out / part).unlink()
    case.tell(f"removed: out/{part}")
    ended = case.finish(run)
    case.require_no_orphan()
    judge_refusal(case, ended, 0, 1, 3)
    if ended.code == 0:  # what it wrote anew, from what it knows, must be all
        case.require_code(case.run("verify", out), 0)


def device_as_output(case: Case) -> None:
    """A device, or a link to one, where a file is to be written, as a CI job's root has it: it must be one afterwards."""
    if os.geteuid() != 0:
        case.tell("only root makes a device")
        return
    device, link = case.folder / "device", case.folder / "link"
    number = case.random.choice([os.makedev(1, 3), os.makedev(1, 7)])  # null, full
    os.mknod(device, stat.S_IFCHR | 0o666, number)
    link.symlink_to(device)
    results, again = whole(case), case.folder / "again"
    shutil.copytree(results, again)
    place = case.random.choice([device, link])
    option = case.random.choice(["--markdown", "--json", "--junit"])
    words = case.random.choice(
        [("compare", results, again, "--tables-only", option, place), ("history", results, "--out", place),
         ("pack", results, "--out", place), ("report", results, "--tables-only", "--out", place)]
    )  # fmt: skip
    case.tell(f"{words[0]} writes to {place.name}, device {number:#x}")
    ended = case.run(*words)
    judge_refusal(case, ended, 0, 1, 2, 3, 4)
    kept = device.lstat()
    if not stat.S_ISCHR(kept.st_mode) or kept.st_rdev != number or not link.is_symlink():
        case.broke("wrong", f"{ended.told()}: the device or the link to it is gone")


def strange_paths(case: Case) -> None:
    """Results in a folder of any name: they must be verified, and tables and page be made."""
    name = case.random.choice(STRANGE_NAMES)
    case.tell(f"the folder is called {name!r}")
    outer = case.folder / "outer"
    outer.mkdir()
    shutil.copytree(case.setting.shared / "undisturbed", outer / name)
    given = os.fsencode(name if case.random.random() < 0.5 and not name.startswith("-") else str(outer / name))
    verified = case.run("verify", given, folder=outer)
    case.require_code(verified, 0)
    if case.random.random() < 0.3:
        require_page(case, case.run("report", given, folder=outer), outer / name)
    else:
        case.require_code(case.run("report", given, "--tables-only", folder=outer), 0)
    for path in sorted(case.folder.glob("*.out")) + sorted(case.folder.glob("*.err")):
        if b"\x1b" in path.read_bytes():
            case.broke("unclear", f"an escape code of a name reaches the terminal: {path.name}")


def nobodys_folder(case: Case) -> None:
    """Another user's: it can be read, and not be written."""
    if os.geteuid() != 0:
        case.tell("only root can become another user")
        return
    results = whole(case)
    for path in (case.setting.shared, case.folder, *case.folder.parents):
        if path.stat().st_uid == 0 and path != Path("/") and not path.stat().st_mode & stat.S_IXOTH:
            case.tell(f"another user cannot come to {path}")
            return
    variables = {"HOME": "/nonexistent"}
    if case.run("--version", user=NOBODY, variables=variables).code != 0:
        case.breakages.clear()
        case.tell("another user cannot start the program")
        return
    case.require_code(case.run("verify", results, user=NOBODY, variables=variables), 0)
    judge_refusal(case, case.run("report", results, "--tables-only", user=NOBODY, variables=variables), 2, 3)
    unreadable_name = case.random.choice(["runs.csv", "steps.csv.gz", "environment.json", "."])
    os.chmod(results / unreadable_name, 0)
    judge_refusal(case, case.run("verify", results, user=NOBODY, variables=variables), 1, 2, 3)
    ended = case.run("run", "demo", "--set", "backend=nccl", "--out", results / "deeper", user=NOBODY, variables=variables)
    judge_refusal(case, ended, 2, 3)


def machine_that_lacks(case: Case) -> None:
    """A loopback interface, /proc, /dev/shm of a useful size: the word of it, and not a library's."""
    if subprocess.run(["unshare", "--mount", "--net", "true"], check=False, capture_output=True).returncode != 0:
        case.tell("no namespaces here")
        return
    lacks, before, words = case.random.choice(
        [("--net", "", "loopback"), ("--mount", "mount -t tmpfs none /proc && ", "/proc"),
         ("--mount", "mount -t tmpfs -o size=64k none /dev/shm && ", "")]
    )  # fmt: skip
    case.tell(f"unshare {lacks}: {before or 'no interface is up'}")
    experiment = write_experiment(case.folder, launches=1, super_blocks=2)
    out = case.folder / "out"
    command = case.command("run", experiment, "--out", out, variables=without_page(case), limits=Limits(SECONDS_OF_A_RUN))
    command.words = ["unshare", lacks, "sh", "-c", f'{before}exec "$@"', "sh", *command.words]
    ended = case.finish(case.start(command))
    case.require_no_orphan()
    judge_refusal(case, ended, *((3,) if words else (0,)))
    if words not in ended.text:
        case.broke("unclear", f"{ended.told()}: {words} is not named")


def read_only_disk(case: Case) -> None:
    """The folder on a file system that takes nothing, in a mount namespace of the case's own."""
    if subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode != 0:
        case.tell("no mount namespaces here")
        return
    results = whole(case)
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    for words, legal in (
        (("verify", results), (0,)),
        (("report", results, "--tables-only"), (2, 3)),
        (("report", results, "--tables-only", "--out", case.folder / "tables"), (0,)),
        (("run", "demo", "--set", "backend=nccl", "--out", results / "deeper"), (2, 3)),
    ):
        command = case.command(*words)
        command.words = ["unshare", "--mount", "sh", "-c", script, "sh", results, *command.words]
        judge_refusal(case, case.finish(case.start(command)), *legal)

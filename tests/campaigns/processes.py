"""Finds and ends the processes of a case: every one inherits a mark in its environment, whoever started it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

MARK = "DDPBENCH_CAMPAIGN_CASE"


def marking(mark: str) -> dict[str, str]:
    return {MARK: mark}


def marked(mark: str) -> list[int]:
    """The processes that live, have this mark, and are not this one. A dead one that nobody has reaped is none."""
    sought = f"{MARK}={mark}".encode()
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        if sought in environment_of(int(entry.name)).split(b"\0") and state_of(int(entry.name)) not in "ZX":
            found.append(int(entry.name))
    return found


def environment_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # it is gone, or another user's
        return b""


def state_of(pid: int) -> str:
    """R, S, D, T … as in proc(5); X where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "X"


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(errors="replace").strip()
    except OSError:
        return ""


def descendants(pid: int) -> list[int]:
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [found for child in children for found in [child, *descendants(child)]]


def ranks_of(pid: int) -> list[int]:
    """The workers below a driver, by rank; a rank that cannot be read yet stands last."""
    workers = [child for child in descendants(pid) if name_of(child) == "ddpbench-worker"]
    return sorted(workers, key=lambda child: (rank_of(child) is None, rank_of(child), child))


def rank_of(pid: int) -> int | None:
    for text in environment_of(pid).split(b"\0"):
        if text.startswith(b"RANK="):
            return int(text[len(b"RANK=") :])
    return None


def catches(pid: int, number: int) -> bool:
    """Whether the process has said what it does about the signal, or blocks it; a program that is being loaded has not."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigBlk:", "SigIgn:", "SigCgt:"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


def send(pids: list[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def left_after(mark: str, seconds: float) -> list[int]:
    """What still lives that long after its driver died. The bound ends a search; how soon all ends is a proof's claim."""
    deadline = time.monotonic() + seconds
    while True:
        left = marked(mark)
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.05)


def end_marked(mark: str) -> None:
    while left := marked(mark):
        send(left, signal.SIGKILL)
        time.sleep(0.01)


def wait_for(condition: Callable[[], bool], seconds: float, every: float = 0.002) -> bool:
    """Whether it came true in time. A file or process that goes while the condition looks at it: not yet true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() <= deadline:
        with contextlib.suppress(OSError):
            if condition():
                return True
        time.sleep(every)
    return False

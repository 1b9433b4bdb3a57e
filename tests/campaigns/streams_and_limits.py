"""What a process is given by the one who starts it: streams, limits, ignored signals."""

from __future__ import annotations

import fcntl
import os
import signal

from bounded_run import Limits
from case import Case
from ordinary import SECONDS_OF_A_RUN, commands, judge_refusal, run_small
from texts import library_words, unreadable

LIMITS_OF_A_READER = (
    *(("nofile", 3), ("nofile", 4), ("nofile", 6), ("nofile", 12), ("fsize", 0), ("fsize", 1), ("fsize", 4_096)),
    *(("as", 96 << 20), ("as", 200 << 20), ("stack", 128 << 10), ("data", 64 << 20)),
    *(("nproc", 0), ("nproc", 1), ("core", 0), ("memlock", 0)),
)


def closed_streams(case: Case) -> None:
    closed = case.random.sample([0, 1, 2], case.random.choice([1, 2, 3]))
    case.tell(f"closed: {sorted(closed)}")

    def close() -> None:
        for number in closed:
            os.close(number)

    case.require_code(case.run(*case.random.choice(commands(case)), prepare=close), 0)


def full_output(case: Case) -> None:
    """What it says is lost: that must not be called done."""
    full = os.open("/dev/full", os.O_WRONLY)
    ended = case.run(*case.random.choice(commands(case)), out=full)
    os.close(full)
    if ended.code == 0:
        case.broke("silent", f"{ended.told()}, with an output that took nothing")
    else:
        judge_refusal(case, ended, 1, 2, 3)


def reader_gone(case: Case) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = case.run(*case.random.choice(commands(case)), out=writing)
    os.close(writing)
    case.require_code(ended, 0, 1, 3)


def limits_of_a_reader(case: Case) -> None:
    name, most = case.random.choice(LIMITS_OF_A_READER)
    case.tell(f"limit of {name}: {most}")
    # One that the loader of the system cannot work within is no program's fault: 127.
    # Its own outputs lie in files: what a limit of their size cuts off is not judged.
    ended = case.run(*case.random.choice(commands(case)), limits=case.reader_limits(**{name: most}))
    case.require_code(ended, 0, 1, 2, 3, 127)
    if ended.code > 0 and name != "fsize" and (why := unreadable(ended.text)):
        case.broke("unclear", f"{ended.told()}: {why}")


def limits_of_a_run(case: Case) -> None:
    name, most = case.random.choice([("fsize", 8_192), ("fsize", 1), ("nofile", 12), ("nofile", 24), ("as", 300 << 20)])
    case.tell(f"limit of {name}: {most}")
    limits = Limits(SECONDS_OF_A_RUN, case.reader_limits(**{name: most}).resources)
    reading, writing = os.pipe()  # no file: a limit of sizes is not for what it says
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 1 << 20)
    ended = run_small(case, case.folder / "out", limits=limits, out=writing, one_stream=True)
    os.close(writing)
    said = os.read(reading, 1 << 20).decode(errors="replace")
    os.close(reading)
    case.require_code(ended, *((1, 2, 3) if name == "fsize" else (0, 1, 2, 3)))
    for word in library_words(said):
        case.broke("unclear", f"{ended.told()}: a library speaks: '{word}'")
    if ended.code > 0 and not said.strip():
        case.broke("silent", f"{ended.told()}, without a word")


def signal_ignored(case: Case) -> None:
    """As nohup and some schedulers start things."""
    numbers = case.random.sample([signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE], 2)
    case.tell(f"ignored: {[number.name for number in numbers]}")

    def ignore() -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)

    out = case.folder / "out"
    case.require_code(run_small(case, out, prepare=ignore), 0)
    case.require_code(case.run("verify", out, prepare=ignore), 0)

"""What an arm prints is shown with its name: frameworks talk, and a launch has many of them."""

import contextlib
import io
import logging
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import TextIO


def what_stays(line: str) -> str:
    """Returns what a terminal shows of a line that begins anew at each carriage return, as progress bars do."""
    return line[line.rfind("\r", 0, len(line.rstrip())) + 1 :]


TRACE = "Traceback (most recent call last):"
CHAINED = (  # what Python writes between two tracebacks
    f"\nThe above exception was the direct cause of the following exception:\n\n{TRACE}",
    f"\nDuring handling of the above exception, another exception occurred:\n\n{TRACE}",
)


def met_by_worker(error: BaseException) -> str:
    """What a worker of a DataLoader met, of an error that PyTorch hands on with the worker's traceback for a text; else \"\".

    Of chained errors the last: it is the one that reached the worker's caller.
    """
    text = str(error)
    if "in DataLoader worker process" not in text or f"Original {TRACE}" not in text:
        return ""
    last = re.split("|".join(map(re.escape, CHAINED)), text.partition(TRACE)[2])[-1]
    trace = last.splitlines()
    return next((f"{line} (in a worker of a DataLoader)" for line in trace if line and not line[0].isspace()), "")


class ToldError(Exception):
    """Says all there is to say in its text: its type adds nothing for the reader."""


def words_of(error: BaseException) -> str:
    """Returns an error's type and text."""
    if isinstance(error, ToldError):
        return str(error)
    name, text = type(error).__name__, str(error)
    return met_by_worker(error) or (f"{name}: {text}" if text else name)


class ArmStream(io.TextIOBase):
    """Writes whole lines to another stream, each with the arm's name in front."""

    def __init__(self, below: TextIO, whose: Callable[[], str]) -> None:
        self.below = below
        self.whose = whose
        self.begun = ""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self.below.fileno()

    def write(self, text: str) -> int:
        *lines, begun = (self.begun + text).split("\n")
        for line in lines:
            self._say(what_stays(line))
        self.begun = what_stays(begun)
        return len(text)

    def _say(self, line: str) -> None:
        arm = self.whose()
        self.below.write(f"{arm}: {line}\n" if arm and line.strip() else f"{line}\n")
        self.below.flush()

    def flush(self) -> None:
        self.below.flush()


def show_warning(message, category, filename, lineno, file=None, line=None) -> None:
    """Shows a warning as one line: the source line beneath says nothing to the reader of a launch."""
    (file or sys.stderr).write(f"{category.__name__}: {str(message).strip()}\n")


def tell_whose(whose: Callable[[], str]) -> None:
    """Puts the arm's name on every line of Python's output from here on."""
    sys.stdout = ArmStream(sys.stdout, whose)
    sys.stderr = ArmStream(sys.stderr, whose)
    warnings.showwarning = show_warning
    for category in (DeprecationWarning, FutureWarning, PendingDeprecationWarning):  # for the frameworks' developers
        warnings.simplefilter("ignore", category)


def leave_advice_out(*loggers: str) -> None:
    """Leaves out a framework's advice and keeps its warnings; called behind its import, which sets its level itself."""
    for name in loggers:
        logging.getLogger(name).setLevel(logging.WARNING)


@contextlib.contextmanager
def with_advice(*loggers: str) -> Iterator[None]:
    """Lets a framework say inside what is left out else."""
    for name in loggers:
        logging.getLogger(name).setLevel(logging.INFO)
    try:
        yield
    finally:
        leave_advice_out(*loggers)

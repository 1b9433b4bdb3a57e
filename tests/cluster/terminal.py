"""A command on a terminal, and what stands on the screen behind it."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

LINES = 40
UP_AND_CLEAR = re.compile("\x1b\\[([0-9]+)A\x1b\\[J")  # ECMA-48 CUU, ED: over the lines above, clear to the end


def on_a_terminal(command: list, columns: int = 80, **options) -> tuple[int, str]:
    """Exit code, and all that the terminal was sent; `options` as of Popen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, columns, 0, 0))
    options |= {"stdin": subprocess.DEVNULL, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen([str(word) for word in command], **options) as child:
        os.close(theirs)
        sent = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return child.returncode, sent.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: nobody has the other end any more
        return b""


def screen_of(sent: str) -> list[str]:
    """Its lines; of cursor codes those alone that UP_AND_CLEAR knows, any other stays as it is."""
    first, *further = UP_AND_CLEAR.split(sent)
    lines = first.splitlines()
    for up, text in zip(further[::2], further[1::2], strict=True):
        assert int(up) <= len(lines), "above what it wrote"
        lines = lines[: len(lines) - int(up)] + text.splitlines()
    return lines

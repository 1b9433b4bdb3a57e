"""attack_store.py same|other FILE: until FILE is there, throws at every ranks' store here what a stranger may think of.

Says how often it came as far as a connection, and what it heard: nothing, if all is well. `other`: as another user; needs root.
"""

import contextlib
import os
import re
import socket
import struct
import sys
import time
from pathlib import Path

NOBODY = 65534
ROUNDS = 200  # of the ranks' agreement: one of them is going on


def framed(*words: bytes) -> bytes:
    body = b"".join(struct.pack("=I", len(word)) + word for word in words)
    return struct.pack("=I", len(body)) + body


def forged_values() -> bytes:
    """As the ranks' own: a peer that left, and an order of arms."""
    said = b""
    for call in range(ROUNDS):
        for rank in (b"0", b"1"):
            key = b"agree/%d/%s" % (call, rank)
            said += framed(b"set", key, key + b" left \x1b[2Jowned") + framed(b"set", key, key + b" says 0 0 0 0 ")
    return said


GREETINGS = [
    b"",
    framed(b"ddpbench-store-1", b""),
    framed(b"ddpbench-store-1", b"0" * 32),
    b"\xff" * 64,
    b"GET / HTTP/1.1\r\n\r\n",
]


def attack(name: str, bytes_sent: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(1)
        stranger.connect(b"\0" + name.encode())
        with contextlib.suppress(OSError):
            stranger.sendall(bytes_sent)
            return stranger.recv(1000)
    return b""


def main() -> None:
    if sys.argv[1] == "other":
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    forged = forged_values()
    attacks, heard = 0, b""
    print("ready", flush=True)
    while not Path(sys.argv[2]).exists():
        for name in re.findall(r"@(ddpbench-\S+)", Path("/proc/net/unix").read_text()):
            for greeting in GREETINGS:
                with contextlib.suppress(OSError):
                    heard += attack(name, greeting + forged)
                    attacks += 1
        time.sleep(0.005)
    print(attacks, heard)


main()

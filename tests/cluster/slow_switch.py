"""A network switch with a delay and a rate, for a link that is slow: this kernel's own (netem) is not everywhere.

usage: slow_switch.py DELAY_US MBIT NAMESPACE:INTERFACE…

Makes a TAP interface for each place ("" as namespace: the own one), prints "ready", and passes Ethernet frames among them until
it is killed. A frame is at the other end DELAY_US after its last bit left, and a port sends MBIT million bits a second.
"""

from __future__ import annotations

import collections
import ctypes
import fcntl
import os
import select
import struct
import sys
import time

CLONE_NEWNET = 0x40000000  # setns(2)
TUNSETIFF = 0x400454CA  # linux/if_tun.h
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
LONGEST_FRAME = 65_536
AT_ONCE = 64  # frames that are read from one port before the others have their turn


def enter_namespace(descriptor: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def open_tap(place: str, own: int) -> int:
    namespace, _, interface = place.partition(":")
    if namespace:
        with open(f"/run/netns/{namespace}", "rb") as other:
            enter_namespace(other.fileno())
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH14x", interface.encode(), IFF_TAP | IFF_NO_PI))
    enter_namespace(own)
    return tap


class Port:
    """Where frames leave the switch."""

    def __init__(self, tap: int) -> None:
        self.tap = tap
        self.waiting: collections.deque[tuple[float, bytes]] = collections.deque()
        self.free_at = 0.0

    def take(self, frame: bytes, delay: float, rate: float) -> None:
        self.free_at = max(self.free_at, time.monotonic()) + len(frame) * 8 / rate
        self.waiting.append((self.free_at + delay, frame))

    def send_what_is_due(self) -> float | None:
        """Seconds until the next frame is due."""
        while self.waiting:
            left = self.waiting[0][0] - time.monotonic()
            if left > 0:
                return left
            try:
                os.write(self.tap, self.waiting.popleft()[1])
            except OSError:
                continue  # the interface is down: a switch loses the frame
        return None


def main(words: list[str]) -> None:
    delay, rate = float(words[0]) / 1e6, float(words[1]) * 1e6
    with open("/proc/self/ns/net", "rb") as own:
        ports = {tap: Port(tap) for tap in [open_tap(place, own.fileno()) for place in words[2:]]}
    print("ready", flush=True)
    learned: dict[bytes, Port] = {}
    while True:
        due = [left for port in ports.values() if (left := port.send_what_is_due()) is not None]
        readable, _, _ = select.select(list(ports), [], [], min(due, default=None))
        for tap in readable:
            for _ in range(AT_ONCE):
                try:
                    frame = os.read(tap, LONGEST_FRAME)
                except OSError:
                    break
                learned[frame[6:12]] = ports[tap]
                to = learned.get(frame[:6])
                for port in [to] if to else ports.values():
                    if port is not ports[tap]:
                        port.take(frame, delay, rate)


if __name__ == "__main__":
    main(sys.argv[1:])

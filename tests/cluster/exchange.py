"""What a link itself takes for an exchange: both ends send so many bytes at once, and have them all.

usage: exchange.py listen|ADDRESS PORT ROUNDS BYTES…

The end that connects prints, for each number of bytes, the median over the rounds in milliseconds.
"""

import socket
import statistics
import sys
import threading
import time


def take(peer: socket.socket, count: int) -> None:
    while count > 0:
        got = len(peer.recv(min(count, 1 << 20)))
        if got == 0:
            raise ConnectionError("the other end has gone")
        count -= got


def exchange(peer: socket.socket, count: int) -> float:
    payload = bytes(count)
    peer.sendall(b"?")
    take(peer, 1)  # both begin within a delay of the link
    begin = time.monotonic()
    sender = threading.Thread(target=peer.sendall, args=(payload,))
    sender.start()
    take(peer, count)
    sender.join()
    return (time.monotonic() - begin) * 1000


def connected(where: str, port: str) -> socket.socket:
    """The other end: of who comes to this port ("listen"), or of who listens there."""
    if where == "listen":
        with socket.create_server(("", int(port))) as listener:
            peer, _ = listener.accept()
    else:
        peer = socket.create_connection((where, int(port)), timeout=60)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return peer


def main(words: list[str]) -> None:
    where, port, rounds, *sizes = words
    with connected(where, port) as peer:
        for size in map(int, sizes):
            taken = [exchange(peer, size) for _ in range(int(rounds))]
            if where != "listen":
                print(statistics.median(taken), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

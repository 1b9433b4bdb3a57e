"""What a link itself takes for a small message: half of a round trip between plain sockets.

usage: ping_pong.py listen|ADDRESS PORT ROUNDS

The end that connects prints the median over the rounds in microseconds.
"""

import socket
import statistics
import sys
import time


def main(words: list[str]) -> None:
    where, port, rounds = words
    if where == "listen":
        with socket.create_server(("", int(port))) as listener:
            peer, _ = listener.accept()
    else:
        peer = socket.create_connection((where, int(port)), timeout=60)
    with peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        taken = []
        for _ in range(int(rounds)):
            begin = time.monotonic()
            if where != "listen":
                peer.sendall(b"?")
            if not peer.recv(1):
                raise ConnectionError("the other end has gone")
            if where == "listen":
                peer.sendall(b"!")
            taken.append((time.monotonic() - begin) / 2 * 1e6)
        if where != "listen":
            print(statistics.median(taken), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

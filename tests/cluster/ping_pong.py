"""What a link itself takes for a small message: half of a round trip between plain sockets.

usage: ping_pong.py listen|ADDRESS PORT ROUNDS

The end that connects prints the median over the rounds in microseconds.
"""

import statistics
import sys
import time

from exchange import connected, take


def main(words: list[str]) -> None:
    where, port, rounds = words
    with connected(where, port) as peer:
        taken = []
        for _ in range(int(rounds)):
            begin = time.monotonic()
            if where != "listen":
                peer.sendall(b"?")
            take(peer, 1)
            if where == "listen":
                peer.sendall(b"!")
            taken.append((time.monotonic() - begin) / 2 * 1e6)
        if where != "listen":
            print(statistics.median(taken), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

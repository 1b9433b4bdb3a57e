"""Feeds readers with damaged inputs (libFuzzer): fuzz.py PROGRAM [COUNT [SEED [READER…]]]; all readers where none is named.

Exit 1 where an input is a finding. It is left in the working folder (crash-…, timeout-…, oom-…);
`PROGRAM --reader=READER FILE` replays it.
"""

import subprocess
import sys
import tempfile

# An input that takes this long, or this much memory, is a finding: what people write takes milliseconds.
SECONDS, MEGABYTES = 20, 1024
LONGEST = 20_000  # bytes


def search(program: str, reader: str, count: str, seed: str) -> bool:
    print(f"==== {reader}: {count} inputs, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as corpus:
        subprocess.run([program, f"--reader={reader}", f"--write-sound={corpus}"], check=True)
        limits = ["-verbosity=0", "-print_funcs=0", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}"]
        command = [program, f"--reader={reader}", f"-runs={count}", f"-seed={seed}", *limits, corpus]
        return subprocess.run(command, check=False).returncode == 0


def main(program: str, count: str = "3000", seed: str = "1", *readers: str) -> int:
    known = subprocess.run([program, "--list"], check=True, capture_output=True, text=True).stdout.split()
    findings = [reader for reader in readers or known if not search(program, reader, count, seed)]
    print("findings:", ", ".join(findings) or "none")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

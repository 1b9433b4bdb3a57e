#!/usr/bin/env python3
"""clang-tidy over all sources of ours: tidy.py FOLDER

A file that sees torch takes half a minute, nearly all of it in torch's headers. So FOLDER, a build folder configured with
CMAKE_UNITY_BUILD and CMAKE_UNITY_BUILD_BATCH_SIZE=0, hands a target's sources over as one: private names are unique in a target.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("suite", "harness", "workloads", "reports", "tests")
OURS = f"^{re.escape(str(ROOT))}/({'|'.join(ROOMS)})/.*\\.(hpp|cpp)$"
# To clang-tidy an included source is a header.
NOT_FOR_WHOLE = "-misc-definitions-in-headers,-misc-unused-using-decls"
FINDING = re.compile(r"^\S+:\d+:\d+: (?:error|warning): .*$", re.MULTILINE)


def compiled_files(folder):
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    return [Path(command["file"]) for command in commands if "/architecture/alone/" not in command["file"]]


def look(folder, source, *options):
    """What it has to say of one source."""
    command = ["clang-tidy-14", "--quiet", f"--header-filter={OURS}", "-p", folder, *options, source]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    findings = set(FINDING.findall(done.stdout))
    if done.returncode != 0 and not findings:
        findings.add(f"{source}: clang-tidy ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return findings


def look_at_target(folder, source):
    is_whole = source.suffix == ".cxx"
    return look(folder, source, *([f"--checks={NOT_FOR_WHOLE}"] if is_whole else []))


def main(folder):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = [pool.submit(look_at_target, folder, source) for source in compiled_files(folder)]
        findings = sorted(set().union(*(one.result() for one in done)))
    print("\n".join(findings) if findings else f"clang-tidy: nothing to say about {len(done)} targets")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

#!/usr/bin/env python3
"""clang-tidy over all sources of ours, and every header alone: tidy.py FOLDER

FOLDER is configured with CMAKE_UNITY_BUILD_BATCH_SIZE=0 and without precompiled headers, so that it hands a target's sources
over as one: private names are unique in a target. A file that sees torch takes a quarter of a minute, nearly all of it in
torch's headers.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("suite", "harness", "workloads", "reports", "tests")
OURS = f"^{re.escape(str(ROOT))}/({'|'.join(ROOMS)})/.*\\.(hpp|cpp)$"
TIDY = ROOT / ".venv/bin/clang-tidy"  # .ci/requirements.txt
# To clang-tidy an included source is a header.
NOT_FOR_WHOLE = "-misc-definitions-in-headers,-misc-unused-using-decls"
FINDING = re.compile(r"^\S+:\d+:\d+: (?:fatal error|error|warning): .*$", re.MULTILINE)
ALONE = "/architecture/alone/"  # sources that include a header of ours and nothing else
COPIES = "/one_more/CMakeFiles/one_more_"  # sources of the product that another target has as well
TORCH = ROOT / "harness/api/torch.hpp"


def run(command, folder, source):
    """The findings of a compiler's or a checker's run."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return set()
    found = set(FINDING.findall(done.stdout + done.stderr))
    return found or {f"{source}: ended with {done.returncode}: {done.stderr.strip()[-400:]}"}


def clang(entry, *options):
    """The compile command for clang, with `options` in place of what it makes."""
    words = shlex.split(entry["command"])
    begin = words.index("-o")
    kept = words[1:begin] + words[begin + 4 :]  # -o OBJECT -c SOURCE
    return run(["clang++-14", "-Wno-unknown-warning-option", *kept, *options], entry["directory"], entry["file"])


def sees_torch(entry):
    return "/torch/include" in entry["command"]


def compile_alone(folder, entries):
    """Those that see torch with its headers precompiled: that one is proven by its own source."""
    precompiled = folder / "torch.hpp.pch"
    if first := next(filter(sees_torch, entries), None):
        # What its templates become is kept with it, or each header would make that anew.
        yield from clang(first, "-fpch-instantiate-templates", "-x", "c++-header", str(TORCH), "-o", str(precompiled))
    for entry in entries:
        with_torch = ["-include-pch", str(precompiled)] if sees_torch(entry) else []
        yield from clang(entry, *with_torch, "-fsyntax-only", entry["file"])


def look(folder, entry):
    """What clang-tidy has to say of one source."""
    source = entry["file"]
    checks = [f"--checks={NOT_FOR_WHOLE}"] if source.endswith(".cxx") else []
    return run([TIDY, "--quiet", f"--header-filter={OURS}", "-p", folder, *checks, source], ROOT, source)


def main(folder):
    entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    alone = [entry for entry in entries if ALONE in entry["file"]]
    sources = [entry for entry in entries if ALONE not in entry["file"] and COPIES not in entry["command"]]
    sources.sort(key=sees_torch, reverse=True)  # what takes longest comes first
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        headers = pool.submit(lambda: set(compile_alone(folder, alone)))
        found = set().union(*pool.map(lambda entry: look(folder, entry), sources), headers.result())
    nothing = f"clang-tidy: nothing to say about {len(sources)} targets and {len(alone)} headers"
    print("\n".join(sorted(found)) or nothing)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))

"""A user who is nobody on a machine of another kind: no root, no apt-get, no libraries of Debian's, no network when ranks run."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from conftest import Ddpbench
from finding import Finding

ROOT = Path(__file__).resolve().parents[2]
USER = "61234"  # of no account
GIVEN = ("CLI", "toml++", "boost")  # what PyPI does not hold: the user has brought it
CUDA = os.path.realpath("/usr/local/cuda")  # the wheels bring what is needed of it
CMAKE_FILES = ("/usr/share/cmake", *map(str, Path("/usr/lib").glob("*-linux-gnu/cmake")))  # which name headers that are hidden
HIDDEN_FOLDERS = (*(f"/usr/include/{name}" for name in (*GIVEN, "nlohmann", "gtest", "benchmark")), *CMAKE_FILES, CUDA)
HIDDEN_PROGRAMS = ("apt-get", "apt", "dpkg", "cmake", "ninja")
SWEEP = (
    "run overhead --out sweep --set workload=null --set batch_size_per_rank=4 --set ranks_per_node=1,2 --set launches=1"
    " --set arms=raw,raw_again,trainer,py_raw,py_lightning --set min_super_blocks=8 --set max_super_blocks=8"
)


def why_not() -> str:
    missing = [name for name in ("setpriv", "unshare", "git") if shutil.which(name) is None]
    if os.geteuid() != 0:
        return "needs root, to hide what is here"
    return f"needs {', '.join(missing)}" if missing else ""


def as_user(folder: Path, command: str, network: bool = True) -> subprocess.CompletedProcess:
    """In bash, where the programs and headers of above are hidden, and there is the loopback alone without `network`."""
    hide = "".join(f"[ ! -d {name} ] || mount -t tmpfs none {name}; " for name in HIDDEN_FOLDERS)
    become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    inside = [shutil.which("unshare"), "--mount", *([] if network else ["--net"]), "bash", "-c"]
    loopback = "" if network else "ip link set lo up; "
    environment = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    environment |= {"PATH": str(folder / "bin"), "HOME": str(folder / "home"), "USER": "somebody", "LANG": "C.UTF-8"}
    words = [*inside, f'{hide}{loopback}cd {folder / "home"}; exec "$@"', "-", *become, "bash", "-c", command]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=3000)


def give_tree(folder: Path) -> None:
    """What git has of this tree, and the user's own copies of headers."""
    for name in ("home", "tree", "deps/include", "bin"):
        (folder / name).mkdir(parents=True)
    for program in [*Path("/usr/sbin").iterdir(), *Path("/usr/bin").iterdir()]:
        if program.name not in HIDDEN_PROGRAMS and not (folder / "bin" / program.name).exists():
            (folder / "bin" / program.name).symlink_to(program)
    archive = subprocess.run(["git", "-C", ROOT, "archive", "HEAD"], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", folder / "tree"], input=archive.stdout, check=True)
    for name in GIVEN:
        shutil.copytree(f"/usr/include/{name}", folder / "deps/include" / name)
    subprocess.run(["chown", "-R", "-h", f"{USER}:{USER}", folder], check=True)


def last_words(done: subprocess.CompletedProcess) -> str:
    return (done.stdout + done.stderr).strip().splitlines()[-1][-100:]


def installs_and_runs(_: Ddpbench) -> list[Finding]:
    if why_not():
        return [Finding("an ordinary user", why_not(), "root, to hide what is here", held=False)]
    findings = []
    with tempfile.TemporaryDirectory(prefix="ddpbench-user-", dir="/var/tmp") as name:
        folder = Path(name)
        give_tree(folder)
        steps = {
            "builds without root, apt-get, CMake and Ninja": f"{folder}/tree/bootstrap.sh build --deps {folder}/deps",
            "installs elsewhere": f"{folder}/tree/.venv/bin/cmake --install {folder}/tree/build --prefix {folder}/home/ddpbench"
            f" && rm -rf {folder}/tree/build",
        }
        for claim, command in steps.items():
            done = as_user(folder, command)
            findings.append(Finding(claim, last_words(done), "exit code 0", done.returncode == 0))
            if done.returncode != 0:
                print((done.stdout + done.stderr)[-6000:])
                return findings
        module = (folder / "home/ddpbench/lib/libddpbench_cuda.so").exists()
        findings.append(Finding("NCCL's part is built, from the wheels alone", "yes" if module else "no", "yes", module))
        done = as_user(folder, f"ddpbench/bin/ddpbench {SWEEP}", network=False)
        findings.append(Finding("runs a sweep without network", last_words(done), "exit code 0", done.returncode == 0))
        with open(folder / "home/sweep/runs.csv", newline="", encoding="utf-8") as file:
            states = [(row["ranks_per_node"], row["arm"], row["status"]) for row in csv.DictReader(file)]
        ok = sum(status == "ok" for _, _, status in states)
        claim = "arms of both languages on 1 and 2 ranks"
        findings.append(Finding(claim, f"{ok} of {len(states)} ok", "10 of 10", ok == len(states) == 10))
        page = folder / "home/sweep/report.html"
        size = page.stat().st_size if page.exists() else 0
        findings.append(Finding("the page is there", f"{size} B", "not empty", size > 0))
    return findings

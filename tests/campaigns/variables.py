"""Environment variables that are wrong, foreign, or of another program."""

from __future__ import annotations

import json
import os
from pathlib import Path

from bounded_run import Limits
from case import Case
from ordinary import SECONDS_OF_A_RUN, commands, judge_refusal, require_page, run_small, whole
from small_run import write_experiment

HOSTILE_FOLDERS = (
    *("", "/nonexistent", "/proc", "/dev/null", "relative", "a\nb", "\udcff", "$(id)"),
    *("x" * 5_000, "/" + "d/" * 3_000),
)
VARIABLES = {
    "HOME": HOSTILE_FOLDERS,
    "XDG_CACHE_HOME": HOSTILE_FOLDERS,
    "TMPDIR": HOSTILE_FOLDERS,
    "LANG": ("xx_XX.nonsense", "tr_TR.UTF-8", "", "C", "\udcff"),
    "LC_ALL": ("xx_XX.nonsense", "de_DE.UTF-8", "POSIX"),
    "TERM": ("", "nonsense", "\x1b[31m"),
    "COLUMNS": ("0", "-1", "9" * 30, "wide"),
    "PATH": ("", "/nonexistent", "x" * 100_000),
    "TZ": ("", "nonsense", ":/dev/zero", "x" * 5_000),
    "PYTHONPATH": ("planted", "/nonexistent", ""),
    "PYTHONHOME": ("/nonexistent",),
    "PYTHONSTARTUP": ("/nonexistent",),
    "PYTHONIOENCODING": ("ascii", "nonsense"),
    "MPLBACKEND": ("nonsense", "TkAgg"),
    "MPLCONFIGDIR": ("/proc", "/nonexistent", ""),
    "MATPLOTLIBRC": ("/nonexistent", "/dev/zero"),
    "OMP_NUM_THREADS": ("-1", "0", "many", "9" * 30),
    "LD_LIBRARY_PATH": (":", ".", "/nonexistent"),
    "MALLOC_ARENA_MAX": ("-1",),
    "RANK": ("-1", "7", "x"),
    "WORLD_SIZE": ("0", "x", "9" * 30),
    "LOCAL_RANK": ("-1", "x"),
    "SLURM_PROCID": ("x", "3"),
    "SLURM_NTASKS": ("x", "0"),
    "OMPI_COMM_WORLD_RANK": ("x",),
    "MPI_LOCALRANKID": ("x",),
    "MASTER_ADDR": ("nonsense.invalid", "", "256.1.1.1"),
    "MASTER_PORT": ("-1", "x", "99999999"),
    "DDPBENCH_STORE_FD": ("0", "-1", "999", "x"),
    "DDPBENCH_HEARTBEATS": ("/dev/null", "/nonexistent", "x"),
    "DDPBENCH_MAIN_CORE": ("x", "-1", "99999", ""),
    "DDPBENCH_COUNTED_EVENT": ("x", "none", "task_clock", ""),
    "DDPBENCH_DRIVER_PID": ("1", "-1", "x"),
    "DDPBENCH_STARTED_UNIX_NS": ("x", "-1", "9" * 30),
    "DDPBENCH_LAUNCHED_UNIX_NS": ("x", "-1", "9" * 30),
    "DDPBENCH_DATA": ("/nonexistent", "/proc"),
}
# What libraries and launchers take orders from: none may move a rank, or keep it waiting.
STEERING = {
    "OMP_PROC_BIND": ("true", "close", "spread", "master"),
    "OMP_PLACES": ("cores", "threads", "{0}", "nonsense"),
    "GOMP_CPU_AFFINITY": ("0", "1", "0-64"),
    "KMP_AFFINITY": ("compact", "scatter,verbose"),
    "MKL_NUM_THREADS": ("64", "-1", "x"),
    "PET_NNODES": ("4", "1:3", "x"),
    "PET_NODE_RANK": ("3", "x"),
    "PET_RDZV_ENDPOINT": ("nowhere.invalid:1",),
    "SLURM_MEM_PER_CPU": ("500",),
    "SLURM_CPU_BIND": ("mask_cpu:0x1",),
    "PMI_RANK": ("3",),
    "GLOO_SOCKET_IFNAME": ("ib0", "lo", ""),
    "NCCL_SOCKET_IFNAME": ("ib0",),
    "PBS_NODEFILE": ("/dev/zero", "/nonexistent", "/dev/null"),
    "LSB_JOBID": ("17",),
    "TORCH_DISTRIBUTED_DEBUG": ("DETAIL", "INFO"),
}
NO_PROGRAMS = ("/nonexistent", "/", "/bin/true", "/bin/false", "/dev/null", "relative", "\udcff", "text")


def hostile_variables(case: Case) -> None:
    """One to three of them. None that these commands ask for may hinder them."""
    names = case.random.sample(list(VARIABLES), case.random.choice([1, 1, 3]))
    variables = {name: case.random.choice(VARIABLES[name]) for name in names}
    case.tell(f"variables: { {name: value[:60] for name, value in variables.items()} }")
    words = case.random.choice(commands(case))
    ended = case.run(*words, variables=variables, limits=case.reader_limits())
    judge_refusal(case, ended, 0)


def page_with_variables(case: Case) -> None:
    """Drawing takes a Python, which has variables of its own."""
    names = [name for name in VARIABLES if name.startswith(("PYTHON", "MPL", "MATPLOT", "LANG", "LC_", "HOME", "TMP", "TZ"))]
    name = case.random.choice(names)
    value = case.random.choice(VARIABLES[name])
    case.tell(f"{name}={value[:60]!r}")
    require_page(case, case.run("report", whole(case), variables={name: value}), case.folder / "results")


def run_with_variables(case: Case) -> None:
    """What a shell of a scheduler, or of nobody, holds must not reach the ranks."""
    names = case.random.sample([name for name in VARIABLES if name not in ("PATH", "LD_LIBRARY_PATH")], 3)
    variables = {name: case.random.choice(VARIABLES[name]) for name in names}
    case.tell(f"variables: { {name: value[:60] for name, value in variables.items()} }")
    out = case.folder / "out"
    ended = run_small(case, out, variables=variables)
    case.require_code(ended, 0)
    if ended.code == 0:
        case.require_code(case.run("verify", out), 0)


def steered_run(case: Case) -> None:
    """Ranks train on the cores that they were told, whatever a variable asks for."""
    names = case.random.sample(list(STEERING), case.random.choice([1, 2, 3]))
    variables = {name: case.random.choice(STEERING[name]) for name in names}
    launcher = case.random.choice(["local", "local", "torchrun"])
    case.tell(f"{launcher}: {variables}")
    out = case.folder / "out"
    # Neither needs a page, and torchrun needs a Python.
    experiment = write_experiment(case.folder, launches=1, super_blocks=2)
    words = ("run", experiment, "--launcher", launcher, "--tables-only", "--out", out)
    ended = case.run(*words, variables=variables, limits=Limits(SECONDS_OF_A_RUN))
    case.require_no_orphan()
    case.require_code(ended, 0)
    if ended.code == 0 and launcher == "local" and cores_in(out) != cores_in(case.setting.shared / "undisturbed"):
        case.broke("silent", f"{ended.told()}: ranks ran on {cores_in(out)}, and nothing asked for that")


def cores_in(results: Path) -> list[str]:
    launches = json.loads((results / "environment.json").read_text())["launches"]
    return sorted({facts["allowed_cores"] for facts in launches.values()})


def programs_elsewhere(case: Case) -> None:
    """A worker or a Python that is none."""
    name = case.random.choice(["DDPBENCH_WORKER", "DDPBENCH_PYTHON"])
    (case.folder / "text").write_text("no program\n")
    os.chmod(case.folder / "text", 0o755)
    place = case.random.choice(NO_PROGRAMS)
    place = str(case.folder / place) if place == "text" else place
    case.tell(f"{name}={place}")
    if name == "DDPBENCH_WORKER":
        out = case.folder / "out"
        judge_refusal(case, run_small(case, out, variables={name: place}), 1, 2, 3)
        return
    results = whole(case)
    (results / "report.html").unlink()
    ended = case.run("report", results, variables={name: place})
    judge_refusal(case, ended, 1, 3)
    if ended.code == 0 or "report: " in ended.out:
        case.broke("silent", f"{ended.told()}: it names a page that nobody drew")

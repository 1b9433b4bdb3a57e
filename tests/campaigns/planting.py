"""What another user may have laid into a folder that somebody works in: nothing of it may be run, or be written through."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path

from bounded_run import Limits
from case import Case
from ordinary import SECONDS_OF_A_RUN
from small_run import write_experiment

WITNESS = "planted_was_run"
MODULES = (
    *("random", "types", "json", "re", "pathlib", "encodings", "sitecustomize", "usercustomize"),
    *("matplotlib", "jinja2", "numpy", "reports"),
)
IMPORTED_EARLY = ("enum", "site", "functools", "importlib", "torch", "lightning", "signal")
WRITTEN = (".csv", ".json", ".html", ".md", ".toml", ".png", ".svg")
# Commands of a shell, as a folder's name; no slash can stand in one.
NAMES = (
    *(f"r$(:>{WITNESS})", f"r`:>{WITNESS}`", f"r;:>{WITNESS};", f"r|:>{WITNESS}", f"r\n:>{WITNESS}\n"),
    *(f"r'$(:>{WITNESS})'", f'r"$(:>{WITNESS})"'),
)
OUR_COMMAND = re.compile(r"(?:^|[$>] ?)((?:\S*/)?ddpbench (?:report|verify|pack|run) .*)$", re.MULTILINE)
MARKUP = re.compile(r"</?(?:code|pre|kbd|span)[^>]*>")
LIBRARY = """#include <stdio.h>
__attribute__((constructor)) static void run(void) { FILE* file = fopen("%s", "w"); if (file) fclose(file); }
"""


def plant_modules(folder: Path, names: list[str], witness: Path) -> None:
    text = f"open({str(witness)!r}, 'w').close()\nraise SystemExit(0)\n"
    for name in names:
        if name == "reports":
            (folder / name / "html").mkdir(parents=True)
            for place in ("__init__.py", "html/__init__.py", "html/__main__.py"):
                (folder / name / place).write_text(text)
        else:
            (folder / f"{name}.py").write_text(text)


def modules_planted(case: Case) -> None:
    """Python modules and a broken matplotlibrc in the working folder, and in the results."""
    results, witness = case.folder / "results", case.folder / WITNESS
    shutil.copytree(case.setting.shared / "undisturbed", results)
    names = case.random.sample(MODULES, case.random.randint(1, 4))
    where = case.random.choice([case.folder, results])
    plant_modules(where, names, witness)
    (where / "matplotlibrc").write_text("axes.grid: nonsense\nbackend: nonsense\n\xff\0" if case.random.random() < 0.5 else "")
    case.tell(f"planted {', '.join(names)} in {where.name}")
    command = case.random.choice([("report", results), ("pack", results, "--out", case.folder / "packed.tar.gz")])
    if command[0] == "report":
        (results / "report.html").unlink()
    ended = case.run(*command, folder=where)
    case.require_code(ended, 0)
    if witness.exists():
        case.broke("wrong", f"{ended.told()}: it ran a planted module")
    if command[0] == "report" and ended.code == 0 and not (results / "report.html").exists():
        case.broke("silent", f"{ended.told()}, and there is no page")


def modules_of_the_working_folder(case: Case) -> None:
    """Where another user can write, too: no Python that this program starts looks there."""
    witness, folder = case.folder / WITNESS, case.folder / "theirs"
    folder.mkdir()
    names = case.random.sample((*IMPORTED_EARLY, *MODULES[:-1]), 4)
    plant_modules(folder, names, witness)
    case.tell(f"planted {', '.join(names)}")
    experiment = write_experiment(case.folder, launches=1, super_blocks=2)
    run = ("run", experiment, "--tables-only", "--out", case.folder / "out", "--launcher", "torchrun")
    ended = case.run(*case.random.choice([("doctor",), run]), folder=folder, limits=Limits(SECONDS_OF_A_RUN))
    case.require_no_orphan()
    case.require_code(ended, 0)
    if witness.exists():
        case.broke("wrong", f"{ended.told()}: it ran a planted module")


def new_links_planted(case: Case) -> None:
    """Links under the names that drafts had, and in the place of what is written, lead to a victim."""
    results, victim = case.folder / "results", case.folder / "victim"
    shutil.copytree(case.setting.shared / "undisturbed", results)
    victim.write_text("precious\n")
    out = case.random.choice([results, case.folder / "out"])
    (out / "tables").mkdir(parents=True, exist_ok=True)
    written = [str(path.relative_to(results)) for path in results.rglob("*") if path.suffix in WRITTEN]
    for name in written:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        draft = out / f"{name}.new"
        draft.symlink_to(victim)
        if out != results and case.random.random() < 0.5:
            (out / name).symlink_to(victim)
    ended = case.run("report", results, "--out", out)
    case.require_code(ended, 0, 1, 2, 3)
    if victim.read_text() != "precious\n":
        case.broke("wrong", f"{ended.told()}: it wrote through a planted link")


def shared_library_planted(case: Case) -> None:
    """A library by the name of the driver's, in the working folder."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        case.tell("no compiler here")
        return
    witness, folder = case.folder / WITNESS, case.folder / "planted"
    folder.mkdir()
    (case.folder / "planted.c").write_text(LIBRARY % witness)
    for name in ("libcuda.so.1", "libnvidia-ml.so.1", "libmpi.so.40"):
        subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / name, case.folder / "planted.c"], check=True)
    # A home of its own: a kept probe would be asked in the place of the machine.
    ended = case.run("doctor", folder=folder, variables={"HOME": str(case.folder)})
    case.require_code(ended, 0)
    if witness.exists():
        case.broke("wrong", f"{ended.told()}: it loaded a planted library")


def names_pasted(case: Case) -> None:
    """What a report prints for pasting holds a folder's name that is a command: a shell must not run it."""
    name = case.random.choice(NAMES)
    case.tell(f"the folder is called {name!r}")
    results = case.folder / name
    shutil.copytree(case.setting.shared / "undisturbed", results)
    ended = case.run("report", results)
    case.require_code(ended, 0)
    texts = [(results / file).read_text() for file in ("summary.md", "report.html") if (results / file).exists()]
    for command in sorted({command for text in [*texts, ended.text] for command in commands_in(text)}):
        # Without a PATH: only what the shell itself does.
        subprocess.run(
            ["/bin/sh", "-c", command], cwd=case.folder, env={"PATH": ""}, capture_output=True, check=False, timeout=20
        )
        if (case.folder / WITNESS).exists():
            case.broke("wrong", f"pasted, it runs the folder's name: {command[:300]}")
            return


def commands_in(text: str) -> list[str]:
    """Lines, or parts of lines, that begin as a command of ours."""
    plain = html.unescape(MARKUP.sub("\n", text)).replace("`ddpbench", "\nddpbench")
    return [found for found in OUR_COMMAND.findall(plain) if WITNESS in found]

"""Commands that end well where nothing is wrong, and what is asked of them where something is."""

from __future__ import annotations

import shutil
from pathlib import Path

from bounded_run import Ended, Limits
from case import Case
from small_run import without_page, write_experiment
from texts import unreadable

SECONDS_OF_A_RUN = 240


def whole(case: Case) -> Path:
    """A copy of a whole results folder, this case's own."""
    folder = case.folder / "results"
    shutil.copytree(case.setting.shared / "undisturbed", folder)
    return folder


def commands(case: Case) -> list[tuple]:
    """Those that end at once where nothing is wrong, and with 0."""
    results = case.setting.shared / "undisturbed"
    experiment = write_experiment(case.folder)
    return [
        ("list",),
        ("list", "arms", "--json"),
        ("plan", experiment),
        ("verify", results),
        ("report", results, "--tables-only", "--out", case.folder / "tables"),
    ]


def judge_refusal(case: Case, ended: Ended, *legal: int) -> None:
    """It did its work, or says in a sentence why not."""
    case.require_code(ended, *legal)
    if ended.code > 0 and (why := unreadable(ended.err or ended.out)):
        case.broke("unclear", f"{ended.told()}: {why}")


def require_page(case: Case, ended: Ended, folder: Path) -> None:
    drawn = (folder / "report.html").exists() and (folder / "report.html").read_text().rstrip().endswith("</html>")
    judge_refusal(case, ended, 0, 1, 3)
    if ended.code == 0 and not drawn:
        case.broke("silent", f"{ended.told()}, and there is no page")


def run_small(case: Case, results: Path, **changes) -> Ended:
    experiment = write_experiment(case.folder, launches=1, super_blocks=2)
    variables = without_page(case) | changes.pop("variables", {})
    limits = changes.pop("limits", Limits(SECONDS_OF_A_RUN))
    ended = case.run("run", experiment, "--out", results, variables=variables, limits=limits, **changes)
    case.require_no_orphan()
    return ended

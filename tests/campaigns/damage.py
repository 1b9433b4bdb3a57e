"""Damages a results folder in one way per case: verify must find it, report must say it before any figure, or refuse."""

from __future__ import annotations

from pathlib import Path

from bounded_run import Ended
from case import Case
from damages import DAMAGES, alter_byte
from small_run import make_undisturbed
from texts import unreadable
from victim import Victim, is_of_the_run

# Bytes behind what runs.csv names are what an interrupted run leaves, and --resume drops: a note, and no damage.
SAMPLES = ("steps.csv.gz", "blocks.csv.gz")
LENGTHENING = ("extended", "sparse giant")
WEIGHTED = [name for name, (_, weight) in DAMAGES.items() for _ in range(weight)]


def prepare(case: Case) -> None:
    out = make_undisturbed(case, with_page=True)
    case.require_code(case.run("verify", out), 0)
    said = report(case, out, "undamaged")
    (case.setting.shared / "undamaged_report").write_text(said.out)


def run_byte(case: Case) -> None:
    """One altered byte of any file."""
    victim = victim_of(case)
    name = case.random.choice([victim.any_name, victim.any_measured])()  # a folder has more files of the report than of the run
    case.tell(alter_byte(victim, name))
    case.sort = name if "/" not in name else name.partition("/")[0] + "/"
    judge_verify(case, victim.folder, tail_is_a_note=False)
    if is_of_the_run(name):
        judge_report(case, victim.folder)


def run_case(case: Case) -> None:
    """Any damage of any kind. The first cases are one of each."""
    kinds = list(DAMAGES)
    case.sort = kinds[case.number] if case.number < len(kinds) else case.random.choice(WEIGHTED)
    victim = victim_of(case)
    said = DAMAGES[case.sort][0](victim)
    case.tell(said)
    if all(is_unchanged(case, victim, name) for name in victim.touched):
        case.tell("which changes nothing")
        return
    is_tail = case.sort in LENGTHENING and victim.touched <= set(SAMPLES)
    judge_verify(case, victim.folder, tail_is_a_note=is_tail)
    if not is_tail:
        judge_report(case, victim.folder)


def victim_of(case: Case) -> Victim:
    folder = case.folder / "victim"
    folder.mkdir()
    return Victim(case.setting.shared / "undisturbed", folder, case.random)


def is_unchanged(case: Case, victim: Victim, name: str) -> bool:
    now, before = victim.path(name), case.setting.shared / "undisturbed" / name
    if now.is_symlink() or not now.is_file() or now.stat().st_size != before.stat().st_size:
        return False
    return now.read_bytes() == before.read_bytes()


def judge_verify(case: Case, folder: Path, *, tail_is_a_note: bool) -> None:
    ended = case.run("verify", folder, limits=case.reader_limits())
    if ended.hung or ended.code < 0:
        return
    if ended.code == 0 and not (tail_is_a_note and "note: " in ended.out):
        case.broke("silent", f"verify: {ended.text.strip()[:200]}")
        return
    case.require_code(ended, *((0, 1) if tail_is_a_note else (1, 2)))
    judge_text(case, ended, ended.text)


def judge_report(case: Case, folder: Path) -> None:
    ended = report(case, folder, "reported")
    if ended.hung or ended.code < 0:
        return
    usual = set((case.setting.shared / "undamaged_report").read_text().splitlines())
    lines = ended.out.splitlines()
    figures = next((index for index, line in enumerate(lines) if is_figure(line)), len(lines))
    warned = any(line.strip() and line not in usual for line in lines[:figures])
    if not warned:
        case.broke("silent", f"report: exit {ended.code}, and no word before its {len(lines) - figures} lines of figures")
    case.require_code(ended, 0, 1, 2)
    judge_text(case, ended, "\n".join(lines[:figures]))


def report(case: Case, folder: Path, name: str) -> Ended:
    words = ("report", folder, "--tables-only", "--out", case.folder / name)
    return case.run(*words, limits=case.reader_limits(), one_stream=True)


def is_figure(line: str) -> bool:
    """The tables' heads, and the lines that other programs read."""
    return line.startswith(("FOM ", "cell ", "arm "))


def judge_text(case: Case, ended: Ended, message: str) -> None:
    if (why := unreadable(message)) and message.strip():
        case.broke("unclear", f"{ended.told()}: {why}")

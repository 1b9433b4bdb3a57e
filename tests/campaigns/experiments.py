"""Gives hostile experiments, settings, constraints and flags to commands that start nothing: they must answer, or refuse in a
sentence."""

from __future__ import annotations

import os

from bounded_run import Ended
from case import Case
from hostile_experiments import ATTACKS, Attack, plant
from texts import unreadable

LEGAL = (0, 2, 77)
# `verify` and `report` of what is no results folder, `run` where nothing can be written.
LEGAL_OF_FLAGS = (0, 1, 2, 3, 77)
WEIGHTED = [name for name, (_, weight) in ATTACKS.items() for _ in range(weight)]
# With the NUL that ends it an argument has at most 128 KiB, on any Linux.
LONGEST_WORD = (128 << 10) - 1


def prepare(case: Case) -> None:
    """The probe of this machine, once, where it can be made: `plan` needs none."""
    case.run("doctor")


def run_case(case: Case) -> None:
    kinds = list(ATTACKS)
    case.sort = kinds[case.number] if case.number < len(kinds) else case.random.choice(WEIGHTED)
    attack = ATTACKS[case.sort][0](case.random)
    plant(str(case.folder))
    ended = case.run(*words_of(case, attack), limits=case.reader_limits(seconds=60))
    judge(case, attack, ended)
    case.require_no_orphan(seconds=10)


def words_of(case: Case, attack: Attack) -> list[bytes]:
    words = attack.command
    if words is None:
        (case.folder / "experiment.toml").write_bytes(attack.toml)
        words = ["plan", "experiment.toml", *attack.words]
    encoded = [word.encode("utf-8", errors="surrogateescape").replace(b"\0", b"") for word in words]
    return [word[:LONGEST_WORD] for word in encoded]


def judge(case: Case, attack: Attack, ended: Ended) -> None:
    if ended.hung or ended.code < 0:
        return
    case.require_code(ended, *(LEGAL_OF_FLAGS if case.sort == "flags" else LEGAL))
    if attack.must_refuse and ended.code in (0, 77):
        case.broke("silent", f"{ended.told()}, and it must be refused")
    if ended.code in (0, 77):
        return
    said = ended.err if ended.code == 2 else ended.text
    if why := unreadable(said):
        case.broke("unclear", f"{ended.told()}: {why}")
    elif attack.subject not in said:
        case.broke("unclear", f"{ended.told()}: '{attack.subject}' is not named: {said.strip()[:300]}")
    if os.path.exists(case.folder / "made"):
        case.broke("wrong", f"{ended.told()}, and what was refused was made")

#!/usr/bin/env python3
"""Runs the proofs, which hold on a quiet host, and prints their table.

usage: run.py [--program build/bin/ddpbench] [PROOF…]

A proof is a claim with a measured figure and a bound. Exit codes: 0 all held, 1 one did not, 2 the caller's mistake.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def arguments_of(words: list[str]) -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw, usage=argparse.SUPPRESS)
    parser.add_argument("--program", type=Path, default=TESTS.parent / "build" / "bin" / "ddpbench")
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help="which; all where none is named")
    arguments = parser.parse_args(words)
    if not Path(arguments.program).is_file():
        parser.error(f"no program at {arguments.program}: build it, or give --program")
    return arguments


def table_of_proofs() -> dict[str, Callable]:
    """The proofs by name. Imported here, for conftest reads the program's place when it is."""
    import answers  # noqa: PLC0415
    import awaited  # noqa: PLC0415
    import bottlenecks  # noqa: PLC0415
    import collectives  # noqa: PLC0415
    import ending  # noqa: PLC0415
    import frameworks  # noqa: PLC0415
    import many_arms  # noqa: PLC0415
    import nodes  # noqa: PLC0415
    import ordinary_user  # noqa: PLC0415
    import regression  # noqa: PLC0415
    import resolution  # noqa: PLC0415
    import slow_node  # noqa: PLC0415
    import speed  # noqa: PLC0415
    import trainings  # noqa: PLC0415

    return {
        "awaited": awaited.awaited_time,
        "known_delays": resolution.known_delays,
        "periodic_delay": resolution.periodic_delay,
        "neighbour": resolution.beside_a_neighbour,
        "empty_rungs": resolution.empty_rungs,
        "one_rank": answers.delay_on_one_rank,
        "every_tenth_step": answers.delay_in_every_tenth_step,
        "demo": answers.demo_beside_a_busy_process,
        "frameworks": frameworks.costs_are_resolved,
        "stepped": frameworks.step_wise_is_the_frameworks_own,
        "hosts": frameworks.hosts_cost_the_same,
        "one_or_many": many_arms.one_subject_or_many,
        "long_launch": many_arms.ten_thousand_super_blocks,
        "bottlenecks": bottlenecks.planted_bottlenecks,
        "trainings": trainings.planted_in_trainings,
        "slow_link": nodes.slow_link,
        "delayed_link": collectives.delayed_link,
        "kills_on_nodes": nodes.kills_on_nodes,
        "sizes": nodes.sizes,
        "held_out_sizes": nodes.held_out_sizes,
        "regression_replays": regression.regression_replays,
        "slow_node": slow_node.slow_node_is_named,
        "ordinary_user": ordinary_user.installs_and_runs,
        "deaths": ending.signals_and_deaths,
        "hangs": ending.hangs,
        "damaged_data": ending.damaged_data,
        "death_of_the_driver": ending.death_of_the_driver,
        "commands": speed.commands_start_at_once,
        "marks": speed.marks_of_a_step,
    }


def findings_of(name: str, prove: Callable) -> list:
    """A proof that breaks is one that did not hold."""
    from conftest import Ddpbench  # noqa: PLC0415
    from finding import Finding  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="ddpbench-proof-") as folder:
        try:
            return prove(Ddpbench(Path(folder)))
        except Exception as error:
            traceback.print_exc()
            told = str(error).strip().partition("\n")[0] or type(error).__name__
            return [Finding(f"{name} runs", told, "no error", held=False)]


def text_of(findings: list[tuple[str, object]]) -> str:
    head = ("proof", "claim", "figure", "bound", "held")
    lines = [head] + [(name, f.claim, f.figure, f.bound, "yes" if f.held else "NO") for name, f in findings]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def main(words: list[str]) -> int:
    arguments = arguments_of(words)
    os.environ["DDPBENCH_PROGRAM"] = str(Path(arguments.program).resolve())
    sys.path.insert(0, str(TESTS / "e2e"))
    proofs = table_of_proofs()
    unknown = [name for name in arguments.proofs if name not in proofs]
    if unknown:
        print(f"run.py: unknown proof '{unknown[0]}' (known: {', '.join(proofs)})", file=sys.stderr)
        return 2
    findings = []
    for name in arguments.proofs or proofs:
        print(f"== {name}", flush=True)
        findings += [(name, finding) for finding in findings_of(name, proofs[name])]
    broken = [finding for _, finding in findings if not finding.held]
    print(f"\n{text_of(findings)}\n\n{len(findings) - len(broken)} held, {len(broken)} did not; load {os.getloadavg()[0]:.1f}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What others who have an account on the machine can do to a run: nothing (docs/security.md)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import LONG_ENOUGH, ranks_of, rows

ATTACK = Path(__file__).with_name("attack_store.py")
AGREEMENTS = "max_super_blocks = 60\nmin_super_blocks = 60"


@pytest.mark.parametrize("who", ["same", "other"])
def test_strangers_at_the_ranks_store_change_nothing(ddpbench, who, launcher):
    if who == "other" and os.geteuid() != 0:
        pytest.skip("only root can be another user")
    over, out = Path(f"/tmp/ddpbench-attack-{os.getpid()}-{who}-{launcher}"), ddpbench.folder / "out"
    attacker = subprocess.Popen([sys.executable, ATTACK, who, over], stdout=subprocess.PIPE, text=True)
    assert attacker.stdout.readline() == "ready\n"
    try:
        done = ddpbench.run("run", ddpbench.experiment(protocol=AGREEMENTS), "--out", out, "--launcher", launcher)
    finally:
        over.touch()
        told, _ = attacker.communicate(timeout=LONG_ENOUGH)
        over.unlink()
    assert done.returncode == 0, done.stderr
    assert "owned" not in done.stdout + done.stderr
    assert {(run["status"], run["super_blocks"]) for run in rows(out, "runs.csv")} == {("ok", "60")}
    assert re.fullmatch(r"[1-9]\d* b''\n", told), told


def test_a_library_in_the_working_directory_is_not_loaded(ddpbench):
    """A folder of somebody else's, with names that the loader looks for: it would stop at what is no library."""
    for name in ["libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libcuda.so.1", "libddpbench_cuda.so"]:
        (ddpbench.folder / name).write_text("planted")
    assert ddpbench.run("doctor").returncode == 0
    done = ddpbench.run("run", ddpbench.experiment(), "--out", ddpbench.folder / "out")
    assert done.returncode == 0, done.stderr


def test_a_launchs_secret_stands_in_its_ranks_environment_alone(ddpbench):
    out = ddpbench.folder / "out"
    environments, command_lines = [], []

    def look_at_ranks(process):
        for rank in ranks_of(process.pid):
            environments.append(Path(f"/proc/{rank}/environ").read_bytes())
            command_lines.append(Path(f"/proc/{rank}/cmdline").read_bytes())
        process.terminate()

    done, _ = ddpbench.interrupt(look_at_ranks, out)
    found = {re.search(rb"\0DDPBENCH_STORE=[^:]+:(\w+)", b"\0" + environment)[1] for environment in environments}
    assert len(found) == 1, "one for both ranks"
    (secret,) = found
    kept = [path.read_bytes() for path in out.rglob("*") if path.is_file()]
    assert not any(secret in text for text in [*command_lines, *kept, done.stdout.encode(), done.stderr.encode()])

"""The process of a rank, before it has imported anything large."""

import os
import subprocess
import sys
from pathlib import Path

from ddpbench_arms import process
from ddpbench_arms.process import newest


def test_the_newer_libstdcxx_is_taken(tmp_path):
    for release in ("6.0.30", "6.0.9"):
        (tmp_path / release).mkdir()
        (tmp_path / release / f"libstdc++.so.{release}").touch()
        (tmp_path / release / "libstdc++.so.6").symlink_to(f"libstdc++.so.{release}")
    newer, older, missing = (tmp_path / release / "libstdc++.so.6" for release in ("6.0.30", "6.0.9", "none"))
    assert newest([older, newer, missing]) == newer
    assert newest([missing, older]) == older
    assert newest([missing]) is None


WAITS = """
import os
from ddpbench_arms.process import say_where_when_asked

def wait_alone(pipe):
    print("waits", flush=True)
    os.read(pipe, 1)

say_where_when_asked()
wait_alone(0)
"""


def test_a_rank_that_waits_says_where_and_goes_on(tmp_path):
    (tmp_path / "waits.py").write_text(WAITS, encoding="utf-8")
    below = os.environ | {"PYTHONPATH": str(Path(process.__file__).parents[1])}
    command = [sys.executable, "-B", str(tmp_path / "waits.py")]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True, env=below) as waiting:
        assert waiting.stdout.readline() == "waits\n"
        waiting.send_signal(process.STACK_SIGNAL)
        told = [waiting.stderr.readline() for _ in range(3)]
        waiting.stdin.close()
    assert waiting.returncode == 0
    assert any("in wait_alone" in line for line in told), told

"""A training loop of the user's own, beside the loop by hand; docs/examples has the loops."""

from pathlib import Path

import pytest
from conftest import rows
from python_launches import ENDLESS, SHORT, experiment, run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LOOPS = '\n[loops]\nmine = "my_loop.py:train"\nhalf = "my_loop.py:train_in_half_precision"\n'
PLAIN = """
import os, sys
import torch

def train(model, loader, optimizer, report):
    for number, (images, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        report(loss)
"""


def put_loop(ddpbench, text):
    (ddpbench.folder / "my_loop.py").write_text(text, encoding="utf-8")


def test_a_loop_is_an_arm_as_every_other(ddpbench):
    put_loop(ddpbench, (EXAMPLES / "my_loop.py").read_text(encoding="utf-8"))
    arms = ["raw", "py_raw", "py_raw_again", "py_injected", "py_loop=mine", "py_loop=half", "py_loop=mine+ideal"]
    text = 'memory_where = "ranks_per_node == 2"' + experiment(arms, workload="convnet_cifar10", protocol=SHORT) + LOOPS
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 0, done.stderr
    assert "checking loop mine: the same steps as py_raw" in done.stderr
    runs = {row["arm"]: row for row in rows(out, "runs.csv")}
    assert {row["status"] for row in runs.values()} == {"ok"}
    assert "mine=sha256:" in runs["py_loop=mine"]["versions"] and "greenlet=" in runs["py_loop=mine"]["versions"]
    compared = {(row["arm"], row["reference"]) for row in rows(out, "overhead.csv")}
    assert {("py_loop=mine", "py_raw"), ("py_loop=half", "py_raw")} <= compared
    counted = {row["arm"]: row for row in rows(out, "tables/counts.csv")}
    assert counted["py_loop=half"]["extra_collectives"] == "0"
    assert int(counted["py_loop=mine"]["extra_host_reads"]) == 1, "loss.item()"
    assert float(counted["py_loop=mine"]["tensors_mib"]) > 0


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (PLAIN.replace("loss.backward()", "raise KeyError('mine')"), ["my_loop.py:9: KeyError: 'mine'"]),
        (PLAIN.replace("report(loss)", "break"), ["my_loop.py:5: train() has ended by itself: must fetch on"]),
        (PLAIN.replace("report(loss)", "pass"), ["train() has told no loss of 65 of its batches: must call report(loss)"]),
        (PLAIN.replace("loss.backward()", "(2 * loss).backward()"),
         ["my_loop.py:train: equal-work check: arm 'py_loop=mine': rank 0: the loss", "where py_raw has", "usual causes"]),
        (PLAIN.replace("optimizer.step()", "optimizer.step() if number % 2 else None"),
         ["my_loop.py:5: in 7 steps the loop called backward() 7 times and step() of its optimizer 3 times"]),
        (PLAIN.replace("optimizer, report", "net, report"), ["my_loop.py:5: train() asks for net: must be some of model"]),
        (PLAIN.replace("def train", "def other"), ["no 'train' in", "functions there: other"]),
        ("import no_such_package\n", ["my_loop.py:1: ModuleNotFoundError"]),
        ("def train(model, loader, optimizer, report):\n    os._exit(9)\n", ["my_loop.py:2: NameError"]),
        (PLAIN.replace("optimizer.zero_grad()", "os._exit(9)"), ["my_loop.py:train: the check ended with exit code 9"]),
        (PLAIN.replace("report(loss)", "report(loss)\n        torch.set_num_threads(2)"),
         ["the loop has the number of threads at 2 while it fetches"]),
    ],
    ids=["raises", "ends early", "tells no loss", "does other work", "skips updates", "asks for another thing",
         "another function", "no such package", "a name that is not there", "leaves at once", "leaves something changed"],
)  # fmt: skip
def test_a_mistake_is_told_before_anything_starts(ddpbench, file, words):
    put_loop(ddpbench, file)
    done, out = run(ddpbench, experiment(["py_raw", "py_loop=mine"], protocol=SHORT) + LOOPS, protocol="")
    assert done.returncode == 2, done.stderr
    assert not out.exists()
    assert all(word in done.stderr for word in ["[loops] mine: ", *words]), done.stderr
    assert "Traceback" not in done.stderr


# The check before a launch is one process and takes fewer steps: what is done here happens in a launch only.
LATER = "report(loss)\n        if number == 60 and os.environ.get('WORLD_SIZE') == '2': "


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("raise ValueError('what the user wrote')", "my_loop.py:12: ValueError: what the user wrote"),
        ("sys.exit(3)", "my_loop.py:12: SystemExit: 3"),
        ("os.environ['RANK'] == '1' and os.kill(os.getpid(), 9)", "signal 9"),
        ("return", "my_loop.py:5: train() has ended by itself: must fetch on"),
    ],
    ids=["raises", "leaves", "is killed", "ends early"],
)
def test_what_goes_wrong_in_a_launch_is_named(ddpbench, action, reason):
    put_loop(ddpbench, PLAIN.replace("report(loss)", LATER + action))
    done, out = run(ddpbench, experiment(["py_raw", "py_loop=mine"], protocol=ENDLESS) + LOOPS, protocol="")
    assert done.returncode == 1, done.stderr
    assert reason in rows(out, "runs.csv")[0]["reason"]


def test_a_loop_that_stops_fetching_is_a_hang_that_is_named(ddpbench):
    put_loop(ddpbench, PLAIN.replace("report(loss)", LATER + "\n            while True: pass"))
    protocol = f"hang_timeout_seconds = 6\nfirst_step_timeout_seconds = 30\n{ENDLESS}"
    done, out = run(ddpbench, experiment(["py_raw", "py_loop=mine"], protocol=protocol) + LOOPS, protocol="")
    assert done.returncode == 1, done.stderr
    assert "comes no further: it is in phase wrapper of py_loop=mine after" in rows(out, "runs.csv")[0]["reason"]

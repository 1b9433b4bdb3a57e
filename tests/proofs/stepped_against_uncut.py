"""stepped_against_uncut.py ROUNDS: is the step-wise figure the framework's own?

In one process, in turn: an uncut fit of 400 steps, stamped where Lightning calls the user's forward; the loop by hand, stamped
there too; and both stepped in blocks of four behind a discarded step, as a launch does. Prints a line of JSON a round: what
Lightning adds to a step, on the main thread's CPU clock, in microseconds, uncut and stepped.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [os.environ["DDPBENCH_PYTHON_ARMS"], str(Path(__file__).resolve().parents[1] / "harness" / "python")]

import torch  # noqa: E402
from conftest import SGD, Session, make_initial_weights  # noqa: E402

from ddpbench_arms import output, trainer  # noqa: E402
from ddpbench_arms.modules import Module  # noqa: E402
from ddpbench_arms.precisions import PRECISIONS  # noqa: E402
from ddpbench_arms.ranks import Ranks  # noqa: E402
from ddpbench_arms.raw import Raw  # noqa: E402
from ddpbench_arms.replica import Replica, Request  # noqa: E402
from ddpbench_arms.strategies import Single  # noqa: E402
from ddpbench_arms.whole_fit import Loader  # noqa: E402

STEPS = 400
FIRST = 40  # of them, left out: what a fit's first steps do once
BLOCK = 4
ALONE = Ranks(0, 0, 1, 1, 1, "cpu", None, None, "", False)


def request(name, folder):
    options = {"matmuls": "0", "channels_last": "false"}
    torch.manual_seed(1)
    weights = make_initial_weights("null", options)
    features = ["sigterm=1"] if name == "py_lightning" else []
    formats = Single({}, torch.device("cpu")), PRECISIONS["fp32"]
    return Request(name, name, features, Session(), "null", 10, options, *formats, "cpu", folder, "sgd", SGD, {}, weights)


def stamped(module):
    """Notes the thread's CPU clock at each forward of the user's."""
    stamps = []
    module.register_forward_pre_hook(lambda module, inputs: stamps.append(time.thread_time_ns()))
    return stamps


def us_between(stamps):
    """Of a step, the median: from forward to forward, which is a whole step wherever it is cut."""
    steps = [end - begin for begin, end in zip(stamps[FIRST:], stamps[FIRST + 1 :], strict=False)]
    return statistics.median(steps) / 1e3


def uncut_fit(folder):
    arm_request = request("py_lightning", folder)
    replica = Replica(arm_request)
    stamps = stamped(replica.model)
    module = Module(replica, lightning.marks)
    settings = {"max_epochs": 1, "num_sanity_val_steps": 0, "log_every_n_steps": trainer.NEVER}
    fit = lightning._trainer(**settings, **trainer.EVERYTHING_OFF)
    fit.fit(module, Loader(STEPS, arm_request.session.next_batch))
    return us_between(stamps)


def by_hand(folder):
    arm = Raw(request("py_raw", folder), ALONE)
    stamps = stamped(arm.replica.model)
    for _ in range(STEPS):
        arm.step()
    return us_between(stamps)


def in_blocks(arms):
    """Median step of each arm in blocks that alternate."""
    steps = {name: [] for name in arms}
    for _ in range(STEPS // BLOCK):
        for name, arm in arms.items():
            arm.step()
            for _ in range(BLOCK):
                begin = time.thread_time_ns()
                arm.step()
                steps[name].append((time.thread_time_ns() - begin) / 1e3)
    return {name: statistics.median(found) for name, found in steps.items()}


torch.set_num_threads(1)
output.tell_whose(lambda: "")
scratch = tempfile.mkdtemp()
lightning = trainer.LightningArm(request("py_lightning", scratch), ALONE)
raw = Raw(request("py_raw", scratch), ALONE)
for round_number in range(int(sys.argv[1])):
    parts = {"uncut": lambda: uncut_fit(scratch), "by_hand": lambda: by_hand(scratch)}
    parts["blocks"] = lambda: in_blocks({"lightning": lightning, "raw": raw})
    order = list(parts) if round_number % 2 else list(reversed(parts))
    found = {name: parts[name]() for name in order}
    blocks = found["blocks"]
    line = {"uncut": found["uncut"] - found["by_hand"], "stepped": blocks["lightning"] - blocks["raw"], "raw": found["by_hand"]}
    sys.__stdout__.write(json.dumps(line) + "\n")
    sys.__stdout__.flush()
lightning.close()

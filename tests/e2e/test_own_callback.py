"""Callbacks of the user's own: in the steps of an arm, and around them in whole trainings."""

import re
from pathlib import Path

import pytest
from conftest import rows
from python_launches import SHORT, experiment, run
from test_own_module import OWN_MODULE

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_callback.py"
CALLBACKS = '\n[callbacks]\nmine = "my_callback.py:MyCallback"\n'
WORDS = EXAMPLE.read_text(encoding="utf-8")
ASLEEP = WORDS.replace("        self.norms.append", "        import time\n\n        time.sleep(0.2)\n        self.norms.append")


def put(ddpbench, name, text):
    (ddpbench.folder / name).write_text(text, encoding="utf-8")


def test_a_callback_is_part_of_its_arms_steps_and_trainings(ddpbench):
    put(ddpbench, "my_callback.py", ASLEEP)
    arms = ["py_raw", "py_raw+dataloader=0", "py_lightning", "py_lightning+callback=mine"]
    arms += ["py_lightning+typical+callback=mine+dataloader=0"]
    protocol = f"{SHORT}\nepochs = 2\nepoch_steps = 3\nvalidation_batches = 1"
    text = 'training_where = "true"' + experiment(arms, workload="convnet_cifar10", protocol=protocol) + CALLBACKS
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 0, done.stderr
    assert "checking callback mine: the same steps as py_raw" in done.stderr
    runs = {row["arm"]: row for row in rows(out, "runs.csv")}
    assert {row["status"] for row in runs.values()} == {"ok"}
    assert "mine=sha256:" in runs["py_lightning+callback=mine"]["versions"]
    counted = {row["arm"]: int(row["extra_host_reads"] or 0) for row in rows(out, "tables/counts.csv")}
    assert counted["py_lightning+callback=mine"] == counted["py_lightning"] + 1, "the callback's loss.item()"
    called = {}
    for row in rows(out, "metrics.csv"):
        if row["metric"].endswith(".MyCallback.on_train_epoch_end"):
            called[row["arm"], row["metric"].split(".")[2], row["rank"]] = float(row["value"])
    assert {key for key, seconds in called.items() if seconds >= 0.2} == {
        (arm, epoch, rank) for arm in arms if "callback" in arm for epoch in "12" for rank in "01"
    }


def test_a_callback_goes_with_a_module_of_the_users_own(ddpbench):
    put(ddpbench, "my_callback.py", WORDS)
    put(ddpbench, "net.py", OWN_MODULE)
    arms = ["py_raw=net", "py_lightning=net+callback=mine"]
    text = experiment(arms, workload="module", protocol=SHORT) + CALLBACKS + '[modules]\nnet = "net.py:Net"\n'
    done, out = run(ddpbench, text, protocol="")
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in rows(out, "runs.csv")} == {"ok"}


def test_with_a_module_it_is_made_before_anything_starts(ddpbench):
    put(ddpbench, "my_callback.py", WORDS.replace("self.losses = []", "self.losses = {}['no']"))
    put(ddpbench, "net.py", OWN_MODULE)
    text = experiment(["py_raw=net", "py_lightning=net+callback=mine"], workload="module", protocol=SHORT) + CALLBACKS
    done, out = run(ddpbench, text + '[modules]\nnet = "net.py:Net"\n', protocol="")
    assert done.returncode == 2, done.stderr
    assert not out.exists()
    assert "[callbacks] mine: " in done.stderr and "my_callback.py:10: KeyError: 'no'" in done.stderr


def test_a_collective_under_rank_zero_alone_ends_as_a_named_hang(ddpbench):
    line = "        self.losses.append("
    alone = WORDS.replace(line, f"        if trainer.is_global_zero:\n            dist.all_reduce(x)\n{line}")
    put(ddpbench, "my_callback.py", "import torch\nimport torch.distributed as dist\n\nx = torch.ones(3)\n\n" + alone)
    arms = ["py_raw", "py_lightning+callback=mine"]
    protocol = f"{SHORT}\nhang_timeout_seconds = 20"
    done, out = run(ddpbench, experiment(arms, workload="convnet_cifar10", protocol=protocol) + CALLBACKS, protocol="")
    assert done.returncode == 1, done.stderr
    reason = rows(out, "runs.csv")[0]["reason"]
    assert " of py_lightning+callback=mine after 0 super-blocks" in reason
    assert re.search(r"; collective \d+ of rank 0 is an allreduce of 12 bytes, that of rank 1 ", reason)
    assert reason.count("not every rank calls the same collectives") == 1


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (WORDS.replace("(Callback)", ""), ["my_callback.py:6: MyCallback() gave MyCallback: must be a Callback of Lightning"]),
        (WORDS.replace("(self)", "(self, every)"), ["my_callback.py:6: MyCallback() asks for every: must be nothing"]),
        (WORDS.replace('outputs["loss"]', 'outputs["los"]'), ["my_callback.py:14: KeyError: 'los'"]),
        (WORDS.replace("self.losses.append(", "trainer.should_stop = True; ("), ["MyCallback: a callback has set should_stop"]),
        (WORDS.replace("self.losses.append(", "pl_module.zero_grad(); next(pl_module.parameters()).data.mul_(1.01); ("),
         ["my_callback.py:MyCallback: equal-work check", "py_lightning+callback=mine", "must leave the loss, parameters"]),
    ],
    ids=["no callback", "asks for something", "raises in a step", "ends the training", "does other work"],
)  # fmt: skip
def test_a_mistake_is_told_before_anything_starts(ddpbench, file, words):
    put(ddpbench, "my_callback.py", file)
    arms = ["py_raw", "py_lightning+callback=mine"]
    done, out = run(ddpbench, experiment(arms, workload="convnet_cifar10", protocol=SHORT) + CALLBACKS, protocol="")
    assert done.returncode == 2, done.stderr
    assert not out.exists()
    assert all(word in done.stderr for word in ["[callbacks] mine: ", *words]), done.stderr
    assert "Traceback" not in done.stderr

"""Callbacks of the user's own in an arm's Trainer."""

import pytest

from ddpbench_arms.output import ToldError

HEAD = "from lightning.pytorch import Callback\n\nSEEN = []\n"
MINE = """
class Mine(Callback):
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        SEEN.append((id(self), batch_idx))
"""


@pytest.fixture
def with_callback(make_arm, tmp_path):
    """with_callback(TEXT, NAME): py_lightning with that of the file."""

    def make(text, name):
        path = tmp_path / f"mine_{len(list(tmp_path.iterdir()))}.py"  # a file is loaded once a process
        path.write_text(HEAD + text, encoding="utf-8")
        return make_arm("py_lightning+callback=mine", own_code={"callback": {"mine": f"{path}:{name}"}})

    return make


def seen_by(callback):
    return [step for who, step in __import__(type(callback).__module__).SEEN if who == id(callback)]


def test_its_hooks_are_called_at_every_step(with_callback):
    arm = with_callback(MINE, "Mine")
    (mine,) = (callback for callback in arm.trainer.callbacks if type(callback).__name__ == "Mine")
    for _ in range(3):
        arm.step()
    assert seen_by(mine) == [0, 1, 2]


def test_a_function_gives_several_anew_for_each_trainer(with_callback):
    text = MINE + "\n\ndef make():\n    return [Mine(), Mine()]\n"
    arm = with_callback(text, "make")
    callbacks = [callback for callback in arm.trainer.callbacks if type(callback).__name__ == "Mine"]
    assert len(callbacks) == 2
    other = arm.surroundings(arm.folder, lambda **_: None)["callbacks"]
    assert len(other) == 2 and not {id(callback) for callback in other} & {id(callback) for callback in callbacks}


def test_what_a_hook_raises_is_told_with_its_line(with_callback):
    arm = with_callback(MINE.replace("SEEN.append((id(self), batch_idx))", "batch_idx == 1 and {}['los']"), "Mine")
    arm.step()
    with pytest.raises(ToldError, match=r"mine_\d+.py:7: KeyError: 'los'"):
        arm.step()


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("def make():\n    return 1\n", "make", r"mine_\d+.py:4: make\(\) gave int: must be a Callback of Lightning"),
        ("def make():\n    return [print]\n", "make", r"make\(\) gave builtin_function_or_method: must be a Callback"),
        ("def make(rank):\n    return 1\n", "make", r"make\(\) asks for rank: must be nothing, as in make_callbacks\(\)"),
        ("instance = Callback()\n", "instance", r"mine_\d+.py:instance is Callback: must be a class, or a function"),
        ("def make():\n    return {}['no']\n", "make", r"mine_\d+.py:5: KeyError: 'no'"),
        (MINE, "Other", r"no 'Other' in .*functions and Callbacks there: Callback, Mine"),
    ],
)
def test_what_is_no_callback_is_told(with_callback, text, name, words):
    with pytest.raises(Exception, match=words):
        with_callback(text, name)

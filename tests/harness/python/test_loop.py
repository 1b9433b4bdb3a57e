"""A training loop of the user's own: stepped, marked, equal to the loop by hand; refused with its line where it is a mistake."""

import contextlib
import gc
import signal
import subprocess
import sys
import textwrap

import pytest
import torch
from conftest import EVERYTHING_BY_NAME, Session

PLAIN = """
import torch

def train(model, loader, optimizer, report):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        report(loss)
"""
YIELDING = PLAIN.replace("report(loss)", "yield loss").replace(", report", "")
AHEAD = """
import itertools
import torch

def train(model, loader, optimizer, report, accumulate):
    for number, ((images, labels), _) in enumerate(itertools.pairwise(loader), start=1):
        if number % accumulate == 1 % accumulate:
            optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels) / accumulate
        loss.backward()
        if number % accumulate == 0:
            optimizer.step()
        report(loss)
"""
OF_ITS_OWN = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3 * 32 * 32, 10)

    def forward(self, images):
        return self.linear(images.flatten(1))

def train(loader, report):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
    report.trains(net, optimizer)
    wrapped = torch.nn.parallel.DistributedDataParallel(net)
    for images, labels in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(wrapped(images), labels)
        loss.backward()
        optimizer.step()
        report(loss.item())
"""


@pytest.fixture
def make_loop(make_arm, tmp_path):
    """make_loop(text, …): the arm whose loop is `train` of a file with this text."""
    count = iter(range(100))

    def make(text, name="py_loop=mine", function="train", **arguments):
        path = tmp_path / f"loop{next(count)}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return make_arm(name, own_code={"loop": {"mine": f"{path}:{function}"}}, **arguments)

    return make


def work_of(arm, steps=4):
    return [arm.step().item() for _ in range(steps)], [tensor.detach().clone() for tensor in arm.state()]


def assert_equal(work, reference):
    assert work[0] == reference[0]
    assert len(work[1]) == len(reference[1]) and all(map(torch.equal, work[1], reference[1]))


@pytest.mark.parametrize("text", [PLAIN, YIELDING, AHEAD, OF_ITS_OWN, EVERYTHING_BY_NAME])
def test_a_loop_does_the_work_of_the_loop_by_hand(make_arm, make_loop, text):
    assert_equal(work_of(make_loop(text)), work_of(make_arm("py_raw")))


@pytest.mark.parametrize("strategy", ["single", "ddp"])
@pytest.mark.parametrize("precision", ["fp32", "amp_bf16"])
@pytest.mark.parametrize(("accumulate", "clip_norm"), [(1, 0.05), (3, 0.0), (2, 0.05)])
def test_what_it_asks_for_by_name_is_the_launchs(make_arm, make_loop, strategy, precision, accumulate, clip_norm):
    launch = {"network": "convnet", "strategy": strategy, "precision": precision}
    reference = work_of(make_arm("py_raw", session=Session(accumulate, clip_norm), **launch))
    assert_equal(work_of(make_loop(EVERYTHING_BY_NAME, session=Session(accumulate, clip_norm), **launch)), reference)


@pytest.mark.parametrize("accumulate", [1, 2])
def test_a_loop_that_looks_ahead_goes_on_with_the_batches_of_its_new_place(make_arm, make_loop, accumulate):
    ahead, raw = make_loop(AHEAD, session=Session(accumulate)), make_arm("py_raw", session=Session(accumulate))
    start = [tensor.detach().clone() for tensor in [*ahead.state()]]
    works = []
    for arm in (ahead, raw):
        work_of(arm, steps=3)
        arm.session.drawn = 1  # as the harness puts the data back, before it puts back the state
        with torch.no_grad():  # so does the harness
            arm.take_state([*start, *[torch.zeros_like(tensor) for tensor in arm.state()[len(start) :]]])
        works.append(work_of(arm))
    assert_equal(*works)


class TracedSession(Session):
    """Notes the phases that are open, outermost first."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def phase(self, name):
        @contextlib.contextmanager
        def mark():
            self.open.append(name)
            self.seen.append("/".join(self.open))
            yield
            assert self.open.pop() == name

        class Mark:
            def __enter__(self):
                self.begun = [*getattr(self, "begun", []), mark()]
                self.begun[-1].__enter__()

            def __exit__(self, *_):
                self.begun.pop().__exit__(None, None, None)

        return Mark()


@pytest.mark.parametrize("text", [PLAIN, OF_ITS_OWN, EVERYTHING_BY_NAME])
def test_its_phases_are_marked_and_closed(make_loop, text):
    session = TracedSession()
    arm = make_loop(text, session=session)
    arm.step()
    session.seen.clear()
    arm.step()
    assert session.seen == [f"wrapper{part}" for part in ("", "/h2d", "/zero_grad", "/forward", "/backward", "/optimizer")]
    assert session.open == []
    backward = torch.autograd.backward
    arm.step()
    assert torch.autograd.backward is backward


def test_what_would_make_another_work_is_told_before_tensors_are_compared(make_loop):
    from ddpbench_arms.output import ToldError

    falls = PLAIN.replace("for images", "schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)\n    for images")
    cases = {
        falls.replace(
            "report(loss)", "schedule.step()\n        report(loss)"
        ): "a learning rate of 0.0005, its reference with 0.001",
    }
    for text, words in cases.items():
        arm = make_loop(text)
        arm.step()
        with pytest.raises(ToldError, match=words):
            arm.state()
    with pytest.raises(ToldError, match="must take clip_norm, which this launch asks for"):
        make_loop(PLAIN, session=Session(clip_norm=1.0))
    with pytest.raises(ToldError, match="takes no_sync without model"):
        make_loop(PLAIN.replace("model, loader", "network, no_sync, loader"))


@pytest.mark.parametrize("left_out", ["optimizer.step()", "loss.backward()"])
def test_work_that_a_loop_leaves_out_later_is_told_at_the_blocks_end(make_loop, left_out):
    from ddpbench_arms.output import ToldError

    text = PLAIN.replace("images, labels in loader", "number, (images, labels) in enumerate(loader)")
    arm = make_loop(text.replace(left_out, f"if number < 5: {left_out}"))
    for steps in (2, 3):
        work_of(arm, steps)
        arm.quiesce()
    work_of(arm, 2)
    counts = {
        "optimizer.step()": "2 times and step.. of its optimizer 0",
        "loss.backward()": "0 times and step.. of its optimizer 2",
    }
    with pytest.raises(ToldError, match=rf"in 2 steps the loop called backward.. {counts[left_out]} times"):
        arm.quiesce()


def test_a_hook_of_the_optimizer_is_called_once_a_step(make_loop):
    text = PLAIN.replace("for images", "optimizer.load_state_dict(optimizer.state_dict())\n    calls = model.calls = []\n"
                         "    optimizer.register_step_post_hook(lambda *_: calls.append(1))\n    for images")  # fmt: skip
    arm = make_loop(text)
    work_of(arm, steps=3)
    assert len(arm.given["model"].calls) == 3


def test_a_copy_of_the_model_is_a_copy(make_loop):
    text = PLAIN.replace("for images", "import copy\n    kept = copy.deepcopy(model.module)\n    for images").replace(
        "report(loss)", "report(loss)\n        assert not torch.equal(kept(images), model.module(images))"
    )
    work_of(make_loop(text), steps=2)


MISTAKES = {
    "raises": (PLAIN.replace("loss.backward()", "raise KeyError('mine')"), ["loop0.py:8: KeyError: 'mine'"]),
    "ends early": (PLAIN.replace("report(loss)", "report(loss)\n        break"), ["loop0.py:4: train() has ended by itself"]),
    "never fetches": ("def train(model, loader, optimizer, report):\n    pass\n", ["train() has ended by itself"]),
    "tells nothing": (PLAIN.replace("report(loss)", "pass"), ["train() has told no loss of 65 of its batches", "report(loss)"]),
    "tells twice": (PLAIN.replace("report(loss)", "report(loss)\n        report(loss)"), ["told 2 losses of 1 batches"]),
    "tells no loss": (PLAIN.replace("report(loss)", "report('x')"), ["loop0.py:10: str was told as a loss"]),
    "tells many numbers": (PLAIN.replace("report(loss)", "report(images)"), ["a tensor of 12288 numbers was told as a loss"]),
    "asks for another thing": (PLAIN.replace("optimizer, report", "sched, report"),
                               ["loop0.py:4: train() asks for sched: must be some of model"]),
    "no function": ("train = 3\n", ["is int: must be a function, train(model, loader, optimizer, report)"]),
    "not there": (PLAIN.replace("def train", "def other"), ["no 'train' in", "functions there: other"]),
    "cannot be loaded": ("import no_such_package\n", ["loop0.py:1: ModuleNotFoundError"]),
    "leaves": ("import sys\n\ndef train(loader, report):\n    sys.exit(7)\n", ["loop0.py:4: SystemExit: 7"]),
    "says not what it trains": ("def train(loader, report):\n    next(loader)\n",
                                ["takes neither model nor network", "report.trains"]),
    "trains something else": (OF_ITS_OWN.replace("* 32, 10", "* 32, 11"),
                              ["loop0.py:15: report.trains", "has [11, 3072] where null of this workload has linear.weight"]),
    "is no Python": ("def train(:\n", ["loop0.py:1: SyntaxError: invalid syntax"]),
    "tells what it trains twice": (
        OF_ITS_OWN.replace("report.trains(net, optimizer)", "report.trains(net, optimizer)\n    report.trains(net, optimizer)"),
        ["loop0.py:16: report.trains(model, optimizer): must be called once"],
    ),
    "makes a scheduler first": (
        OF_ITS_OWN.replace("report.t", "torch.optim.lr_scheduler.StepLR(optimizer, 1)\n    report.t"),
        ["loop0.py:16: report.trains(model, optimizer): must come before a scheduler"],
    ),
    "fetches elsewhere": (
        PLAIN.replace("import torch", "import torch\nfrom concurrent.futures import ThreadPoolExecutor").replace(
            "for images, labels in loader:",
            "pool = ThreadPoolExecutor(1)\n    while True:\n        images, labels = pool.submit(next, loader).result()"),
        ["a batch is fetched on another thread"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_its_line(make_loop, mistake):
    from ddpbench_arms.output import words_of

    text, words = MISTAKES[mistake]
    with pytest.raises(Exception) as raised:  # noqa: B017, PT011  # of any type: what counts is what is told
        arm = make_loop(text)
        for _ in range(3):
            arm.step()
        arm.state()
    told = words_of(raised.value)
    assert all(word in told for word in words), told
    assert "ToldError" not in told


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("torch.autograd.set_detect_anomaly(True)", "anomaly mode"),
        ("torch.set_default_dtype(torch.float64)", "the default dtype"),
        ("torch.use_deterministic_algorithms(True)", "deterministic algorithms"),
        ("torch.set_float32_matmul_precision('high')", "float32 matmul precision"),
        ("import gc; gc.disable()", "garbage collection"),
    ],
)
def test_what_would_change_the_arms_beside_it_is_refused(make_loop, line, what):
    from ddpbench_arms.output import ToldError

    arm = make_loop(
        PLAIN.replace("optimizer.zero_grad()", f"optimizer.zero_grad()\n        {line}").replace(
            "model(images)", "model(images.float()).float()"
        )
    )
    try:
        with pytest.raises(ToldError, match=f"the loop has {what} at"):
            arm.step()
            arm.quiesce()
    finally:
        torch.autograd.set_detect_anomaly(False)
        torch.set_default_dtype(torch.float32)
        torch.use_deterministic_algorithms(False)
        torch.set_float32_matmul_precision("highest")
        gc.enable()


def test_what_the_harness_changes_between_two_blocks_is_no_fault_of_the_loop(make_loop):
    arm = make_loop(PLAIN)
    torch.use_deterministic_algorithms(True)  # as its check of equal work does on a GPU
    try:
        arm.step()
        arm.quiesce()
    finally:
        torch.use_deterministic_algorithms(False)
    arm.step()
    arm.quiesce()


def test_a_loop_that_changes_its_model_is_told(make_loop):
    from ddpbench_arms.output import ToldError

    arm = make_loop(PLAIN.replace("report(loss)", "report(loss)\n        model.module.extra = torch.nn.Linear(2, 2)"))
    arm.step()
    with pytest.raises(ToldError, match="the loop has changed the model: it had 2 tensors, and has 4"):
        arm.state()


CATCHES_EVERYTHING = """    while True:
        try:
            next(loader)
        except BaseException:
            pass"""


@pytest.mark.parametrize(
    "behind",
    ["    print('behind the loop')", CATCHES_EVERYTHING],
    ids=["does more", "catches everything"],
)  # fmt: skip
def test_its_end_harms_nothing(make_loop, behind, capsys):
    arm = make_loop(PLAIN + behind + "\n")
    work_of(arm, steps=2)
    arm.close()
    assert capsys.readouterr().out == "", "what stands behind the loop is not run"
    assert arm.loop.greenlet.dead or arm.loop.is_left


def test_what_it_raises_at_its_end_is_shown(make_loop, capsys):
    text = PLAIN.replace("    for images", "    try:\n     for images").replace("        ", "         ")
    arm = make_loop(text + "    finally:\n        raise KeyError('at the end')\n")
    arm.step()
    arm.close()
    assert "behind its last batch: " in capsys.readouterr().err


def test_a_loop_that_stays_behind_its_data_is_made_to_leave(make_loop, monkeypatch):
    from ddpbench_arms import loop

    monkeypatch.setattr(loop, "MOST_SECONDS_AT_ITS_END", 1)
    stays = CATCHES_EVERYTHING.replace("next(loader)", "while True: pass").replace("BaseException", "Exception")
    arm = make_loop(
        PLAIN.replace("    for images", "    try:\n     for images").replace("        ", "         ")
        + "    finally:\n    "
        + stays.replace("\n", "\n    ")
        + "\n"
    )
    arm.step()
    arm.close()
    assert arm.loop.greenlet.dead


def test_a_loop_that_never_fetches_is_refused_in_a_check(make_loop, monkeypatch):
    from ddpbench_arms import loop

    monkeypatch.setattr(loop.LoopArm, "seconds_to_first_fetch", 1)
    with pytest.raises(Exception, match=r"loop0.py:[23]: LoopTimeoutError: the loop fetched no batch for 1 s"):
        make_loop("def train(model, loader, optimizer, report):\n    while True:\n        pass\n")
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_handlers_of_signals_are_put_back(make_loop):
    session = Session()
    arm = make_loop(PLAIN, session=session)
    assert session.watched == 1, "behind the loop's head"
    arm.step()
    arm.quiesce()
    assert session.watched == 2


FORKING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from ddpbench_arms.stepped import SteppedLoop

def loop(batches):
    for batch in batches:
        if batch == 1:
            child = os.fork()
            if child:
                print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        if sys.argv[2] == "ends" and batch == 1 and not child:
            return

stepped = SteppedLoop(loop, iter(range(100)).__next__)
for _ in range(3):
    stepped.advance()
print("the rank", flush=True)
"""


@pytest.mark.parametrize("how", ["fetches", "ends"])
def test_a_process_that_it_forks_never_comes_back_as_the_rank(how):
    import os

    command = [sys.executable, "-c", FORKING, os.environ["DDPBENCH_PYTHON_ARMS"], how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout == "child 1\nthe rank\n"
    assert "came back into the loop" in done.stderr

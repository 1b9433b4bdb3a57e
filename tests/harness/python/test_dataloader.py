"""Batches by PyTorch's DataLoader: those of the launch, by workers that rest between blocks and end with their rank."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from conftest import Session

from ddpbench_arms.dataloader import RecordSet

BASES = ["py_raw", "py_fabric", "py_accelerate", "py_lightning", "py_hf_trainer", "py_loop=by_name"]


def work_of(arm, steps):
    return [arm.step().item() for _ in range(steps)]


@pytest.mark.parametrize("workers", [0, 2])
def test_every_arm_trains_on_the_launchs_batches(make_arm, workers):
    reference = make_arm("py_raw", network="convnet", session=Session(accumulate=2))
    losses = work_of(reference, 6)
    for base in BASES:
        arm = make_arm(f"{base}+dataloader={workers}", network="convnet", session=Session(accumulate=2))
        begun = work_of(arm, 3)
        arm.quiesce()  # a block ends; what was made ahead is thrown away
        assert begun + work_of(arm, 3) == losses, base
        assert arm.session.drawn == 12, base
        (seconds,) = (seconds for name, seconds in arm.once_rows(0.0) if name == "loader_start")
        assert seconds > 0, base


def test_a_state_that_is_put_back_begins_where_the_data_stand(make_arm):
    arm, reference = make_arm("py_raw+dataloader=2", network="convnet"), make_arm("py_raw", network="convnet")
    for one in (arm, reference):
        one.step()
        kept = [tensor.detach().clone() for tensor in one.state()]
        one.step()
        one.session.drawn = 3  # as the harness puts the data back before it puts back the state
        one.take_state(kept)
    assert work_of(arm, 3) == work_of(reference, 3)


def test_an_arm_keeps_its_workers_from_block_to_block_and_ends_them(make_arm):
    def children():
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split())

    before = children()
    arm = make_arm("py_raw+dataloader=2")
    arm.step()
    workers = children() - before
    assert len(workers) == 2
    arm.quiesce()
    arm.step()
    assert children() - before == workers
    arm.close()
    assert children() & workers == set()


def test_calls_in_python_are_of_ordinary_steps(make_arm):
    """Not of one in which workers that rested begin anew."""

    class Counter:
        """Stands in for the harness's; tells which batch of its epoch each counted step took."""

        def __init__(self, arm):
            self.arm, self.calls = arm, 0

        def reset(self):
            self.calls = 0

        def begin(self):
            self.was_running = self.arm.loaded.epoch is not None

        def end(self):
            pass

    for base in BASES:
        arm = make_arm(f"{base}+dataloader=1")
        counter = Counter(arm)
        arm.step()
        arm.quiesce()
        arm.function_calls(counter, 2)
        assert counter.was_running, base


def test_bytes_become_what_the_launch_makes_of_them():
    images = torch.arange(2 * 3 * 4, dtype=torch.uint8).view(2, 3, 2, 2) * 10
    mean, deviation = torch.tensor([0.1, 0.2, 0.3]).view(3, 1, 1), torch.tensor([0.4, 0.5, 0.6]).view(3, 1, 1)
    image, label = RecordSet(images, torch.tensor([7, 8]), mean, deviation)[1]
    assert label == 8 and torch.equal(image, (images[1].float() / 255 - mean) / deviation)


OF_A_RANK = """
import os, sys
sys.path.insert(0, os.environ["DDPBENCH_PYTHON_ARMS"])
from ddpbench_arms.dataloader import end_with_the_rank
worker = os.fork()
if worker == 0:
    end_with_the_rank(0)
    os.write(1, b"%d" % os.getpid())
    while True:
        pass
os.waitpid(worker, 0)
"""


def test_a_worker_ends_with_its_rank():
    rank = subprocess.Popen([sys.executable, "-B", "-c", OF_A_RANK], stdout=subprocess.PIPE)
    worker = os.pidfd_open(int(os.read(rank.stdout.fileno(), 32)))
    try:
        rank.kill()
        rank.wait()
        ended, _, _ = select.select([worker], [], [], 60)  # readable when the process has ended
        assert ended
    finally:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(worker, signal.SIGKILL)
        os.close(worker)
        rank.stdout.close()

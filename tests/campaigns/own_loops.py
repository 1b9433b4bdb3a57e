"""Training loops as people write them, and some that nobody should: some steps of each are tried before any launch begins."""

from __future__ import annotations

from case import Case
from own_modules import DAEMON, try_own_code

LOOP = """import os, subprocess, sys
import torch


def train(model, loader, optimizer, report, loss_function):
    {head}
    for number, (inputs, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = loss_function(model(inputs), labels)
        {middle}
        loss.backward()
        optimizer.step()
        report(loss)
        {end}
"""
# What stands in the loop, by its place.
RUNS = {
    "head": ("schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)", "model.train()", DAEMON, "len(loader)"),
    "middle": ("loss.item()", "float(loss.detach().mean())", "torch.cuda.is_available()", "with torch.no_grad(): model(inputs)"),
    "end": (
        *("print('step')", "print('\\x1b[31mred')", "print('x' * 100_000)", "os.waitpid(os.fork() or os._exit(0), 0)"),
        *("number == 2 and os.fork()", "loader.sampler.set_epoch(number)"),
    ),
}
REFUSED = {
    "head": ("import no_such_package", "raise KeyError('k')", "return", "sys.exit(0)", "torch.set_num_threads(3)"),
    "middle": ("raise ValueError('no')", "loss = loss.detach()", "loss = 2 * loss", "inputs.missing", "1 / 0", "continue"),
    "end": (
        *("return", "break", "sys.exit(0)", "os._exit(0)", "os.kill(os.getpid(), 9)", "report(loss)", "report('a loss')"),
        *("torch.set_default_dtype(torch.float64)", "model.extra = torch.nn.Linear(2, 2)"),
        "optimizer.param_groups[0]['lr'] = 1.0",
    ),
}  # fmt: skip
EXPERIMENT = """name = "own"
arms = ["py_raw", "py_loop=mine"]
[axes]
workload = ["null"]
ranks_per_node = [1]
strategy = ["single"]
[loops]
mine = "loop.py:train"
[protocol]
launches = 1
max_super_blocks = 1
min_super_blocks = 1
"""


def own_loop(case: Case) -> None:
    """It is stepped beside the loop by hand, or refused before any launch with the file's name."""
    try_own_code(case, "loop.py", LOOP, EXPERIMENT, (RUNS, REFUSED))

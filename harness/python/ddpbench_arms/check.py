"""Whether the user's own code of a launch does what it must, asked once before any launch begins, in this process alone.

Of a module one step by hand: its data, its optimizers, forward, backward and update. Of a loop, or of callbacks, a launch of one
rank, with `--purpose check`: the same steps as its reference. Of a loader such a launch, too, of one arm. What a launch would
meet on every rank is met here, with the line of the user's file.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from ddpbench_arms.own_file import asked_by, line_of, path_of
from ddpbench_arms.process import load_harness
from ddpbench_arms.releases import put_first, wanted_by

OF_THE_CALLER = 2
CHECK = "check"  # the purpose of a launch whose steps are taken
MOST_SECONDS_TO_FIRST_FETCH = 60


def own_code_in(tokens: list[str], flag: str) -> list[str]:
    """Returns the FILE.py:NAME of each `--module NAME=FILE.py:NAME`."""
    return [value.partition("=")[2] for name, value in zip(tokens, tokens[1:], strict=False) if name == flag]


def value_of(flag: str, tokens: list[str]) -> str:
    return next((value for name, value in zip(tokens, tokens[1:], strict=False) if name == flag), "")


def meet_alone() -> None:
    """Makes a group of one rank: a module may ask torch.distributed for its rank."""
    import torch.distributed as dist

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def device_of(tokens: list[str]) -> Any:
    """Returns the launch's device; None where this machine does not have it and nothing can be tried."""
    import torch

    if value_of("--backend", tokens) != "nccl":
        return torch.device("cpu")
    return torch.device("cuda") if torch.cuda.is_available() else None


def first_batch_of(loader: str, tokens: list[str]) -> Any:
    from ddpbench_arms import own_loader

    batch_size = int(value_of("--batch-size-per-rank", tokens))
    for batch in own_loader.make(loader, batch_size=batch_size, rank=0, world_size=1):
        return batch
    raise ValueError("the loader gives no batch")


def take_one_step(where: str, device: Any, given: Any = None) -> None:
    """Trains on the batch that is given, else on the first one of the module's own loader."""
    from ddpbench_arms import own_module
    from ddpbench_arms.stand_in import StandInTrainer

    made = own_module.make(where)
    module = made.module
    own_module.require_drivable(module)
    if device is None:
        return
    trainer = StandInTrainer(device)
    data = own_module.attached(made.data, trainer)
    batch = own_module.to_device(next(iter(own_module.loader_of(data))) if given is None else given, device)
    optimizers = own_module.begin_training(module, trainer, lambda: module.to(device), own_module.optimizers_of)
    loss = own_module.loss_of(own_module.Step(module)(batch, 0))
    if not loss.requires_grad:
        raise ValueError("training_step gave a loss without gradient: is it detached, or is no parameter trained?")
    loss.backward()
    optimizers.optimizer.step()


def check_module(where: str, loaders: list[str], tokens: list[str]) -> str:
    """Returns what is wrong with a step of the module, or with the loader that gives its batches."""
    checked, device, batch = where, device_of(tokens), None
    try:
        if loaders and device is not None:
            checked = loaders[0]
            batch = first_batch_of(checked, tokens)
        checked = where
        take_one_step(where, device, batch)
    except (Exception, SystemExit) as error:
        return line_of(error, path_of(checked))
    return ""


def why_unequal(tokens: list[str]) -> str:
    """Runs the launch's arms in this process, as a rank does; returns why it did not end well, "" where it did."""
    harness = load_harness()
    from ddpbench_arms.loop import LoopArm
    from ddpbench_arms.runtime import Runtime

    LoopArm.seconds_to_first_fetch = MOST_SECONDS_TO_FIRST_FETCH
    with tempfile.TemporaryDirectory(prefix="ddpbench-check-") as folder:
        code = harness.run([*tokens, "--part-dir", folder], Runtime())
        outcome = Path(folder, "outcome.0.json")
        if not outcome.exists():
            return f"the check ended with exit code {code}"
        return json.loads(outcome.read_text(encoding="utf-8"))["reason"].removeprefix("rank 0: ")


LOOP_HINT = (
    " (usual causes: a learning rate that changes, gradients that are clipped without +clip, a loss that is not loss_function,"
    " a step without zero_grad(), a loss that is told one batch late, a batch that is not trained on, a compiled model)"
)
CALLBACK_HINT = " (a callback must leave the loss, parameters, gradients and learning rate as they are)"


def look_at_loop(where: str) -> None:
    from ddpbench_arms.loop import NAMES, PLAIN_FORM, function_of

    asked_by(function_of(where), where, NAMES, PLAIN_FORM)


def look_at_loader(where: str) -> None:
    from ddpbench_arms.own_loader import NAMES, PLAIN_FORM, maker_of

    asked_by(maker_of(where), where, NAMES, PLAIN_FORM)


def look_at_callback(where: str) -> None:
    from ddpbench_arms import own_callback

    own_callback.make(where)


def check_steps(where: str, look: Callable[[str], None], tokens: list[str], hint: str = "") -> str:
    """Returns what is wrong with the file, or with its steps, where the launch takes some and its device is here."""
    try:
        look(where)
    except (Exception, SystemExit) as error:
        return line_of(error, path_of(where))
    if device_of(tokens) is None or value_of("--purpose", tokens) != CHECK:
        return ""
    import torch

    # As the driver gives them to a rank.
    os.environ.update(
        {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "1", "GROUP_RANK": "0", "NODE_RANK": "0"}
    )
    os.environ.update({"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0", "OMP_NUM_THREADS": str(torch.get_num_threads())})
    why = why_unequal(tokens)
    return f"{where}: {why}{hint}" if why.startswith("equal-work check") else why


def main(tokens: list[str]) -> NoReturn:
    """Checks the code and leaves as a rank does: a thread that the user's file began keeps nothing from ending."""
    mistakes: list[str] = []
    put_first(wanted_by(tokens))
    flags = ("--loop", "--loader", "--module", "--callback")
    loops, loaders, modules, callbacks = (own_code_in(tokens, flag) for flag in flags)
    if modules:
        meet_alone()
        mistakes += [check_module(where, loaders, tokens) for where in modules]
    elif loops:
        mistakes += [check_steps(where, look_at_loop, tokens, LOOP_HINT) for where in loops]
    elif callbacks:
        mistakes += [check_steps(where, look_at_callback, tokens, CALLBACK_HINT) for where in callbacks]
    else:
        mistakes += [check_steps(where, look_at_loader, tokens) for where in loaders]
    mistakes = [mistake for mistake in mistakes if mistake]
    said = [f"ddpbench_arms: {mistake}\n" for mistake in mistakes] or ["ddpbench_arms: checked\n"]
    sys.stderr.write("".join(said))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(OF_THE_CALLER if mistakes else 0)

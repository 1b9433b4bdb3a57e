"""Whether the user's own modules of a launch can be made and driven, asked once before any launch begins.

One step of each by hand, in this process alone: its data, its optimizers, forward, backward and update. What a launch would meet
on every rank is met here, with the line of the user's file.
"""

import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from ddpbench_arms.releases import put_first, wanted_by

OF_THE_CALLER = 2


def modules_in(tokens: list[str]) -> list[str]:
    """Returns the FILE.py:Class of each `--module NAME=FILE.py:Class`."""
    return [value.partition("=")[2] for flag, value in zip(tokens, tokens[1:], strict=False) if flag == "--module"]


def value_of(flag: str, tokens: list[str]) -> str:
    return next((value for name, value in zip(tokens, tokens[1:], strict=False) if name == flag), "")


def line_of(error: BaseException, path: Path) -> str:
    """Returns the error in one line, with the line of the user's file that it came through."""
    from ddpbench_arms.output import met_by_worker, words_of
    from ddpbench_arms.own_module import place_in

    place, words = place_in(path, error), " ".join(str(error).split())
    if not met_by_worker(error) and words.startswith(str(path)):
        return words
    is_ours = isinstance(error, ValueError) and place == str(path)  # own_module's: a sentence, met outside the file
    return f"{place}: {words if is_ours else ' '.join(words_of(error).split())}"


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


def take_one_step(where: str, device: Any) -> None:
    from ddpbench_arms import own_module
    from ddpbench_arms.stand_in import StandInTrainer, attach

    made = own_module.make(where)
    module = made.module
    own_module.require_drivable(module)
    if device is None:
        return
    trainer = StandInTrainer(device)
    attach(made.data, trainer)
    batch = own_module.to_device(next(iter(own_module.loader_of(made.data))), device)
    optimizers = own_module.begin_training(module, trainer, lambda: module.to(device), own_module.optimizers_of)
    loss = own_module.loss_of(own_module.Step(module)(batch, 0))
    if not loss.requires_grad:
        raise ValueError("training_step gave a loss without gradient: is it detached, or is no parameter trained?")
    loss.backward()
    optimizers.optimizer.step()


def main(tokens: list[str]) -> NoReturn:
    """Checks the modules and leaves as a rank does: a thread that the user's file began keeps nothing from ending."""
    code = 0
    put_first(wanted_by(tokens))
    meet_alone()
    for where in modules_in(tokens):
        try:
            take_one_step(where, device_of(tokens))
        except (Exception, SystemExit) as error:
            sys.stderr.write(f"ddpbench_arms: {line_of(error, Path(where.rpartition(':')[0]))}\n")
            code = OF_THE_CALLER
    if code == 0:
        sys.stderr.write("ddpbench_arms: checked\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)

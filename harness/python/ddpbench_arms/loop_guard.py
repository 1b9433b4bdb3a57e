"""What a loop of the user's own must leave as it was, and for how long it may stay where it is asked to go on."""

import contextlib
import gc
import signal
import sys
from collections.abc import Iterator
from typing import Any

import torch


def surroundings() -> dict[str, Any]:
    """Returns what a loop could change for the arms that run beside it in its thread and process."""
    return {
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "autocast": (torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled("cuda")),
        "anomaly mode": torch.is_anomaly_enabled(),
        "the default dtype": torch.get_default_dtype(),
        "the default device": torch.get_default_device(),
        "deterministic algorithms": (torch.are_deterministic_algorithms_enabled(), torch.backends.cudnn.deterministic),
        "cudnn.benchmark": torch.backends.cudnn.benchmark,
        "float32 matmul precision": torch.get_float32_matmul_precision(),
        "TF32 of cudnn": torch.backends.cudnn.allow_tf32,
        "the number of threads": torch.get_num_threads(),
        "a profiler": torch.autograd._profiler_enabled(),
        "modes of torch's functions": (torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack()),
        "garbage collection": (gc.isenabled(), gc.get_threshold()),
        "sys.settrace": sys.gettrace(),
        "sys.setprofile": sys.getprofile(),
    }


class LoopTimeoutError(BaseException):
    """Passes an `except Exception` of the loop's."""


@contextlib.contextmanager
def alarm(seconds: int, what: str) -> Iterator[None]:
    """Raises LoopTimeoutError in the loop that stays inside so long (0: any), and again each second."""

    def ring(*_: Any) -> None:
        raise LoopTimeoutError(f"the loop {what} for {seconds} s")

    if seconds == 0:
        yield
        return
    kept = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept or signal.SIG_DFL)

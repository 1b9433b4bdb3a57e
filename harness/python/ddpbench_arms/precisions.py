"""The number formats of a step, and what frameworks call them."""

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Precision:
    lightning: str  # the word of Trainer and Fabric
    accelerate: str
    autocast_dtype: torch.dtype | None = None
    scales_loss: bool = False

    def autocast(self, device: torch.device) -> Callable[[], contextlib.AbstractContextManager]:
        """Returns what gives the context around forward and loss."""
        if self.autocast_dtype is None:
            return contextlib.nullcontext
        return functools.partial(torch.autocast, device.type, dtype=self.autocast_dtype)

    def scaler(self, device: torch.device) -> torch.amp.GradScaler | None:
        """Makes the loss scaler of a hand-written loop."""
        return torch.amp.GradScaler(device.type) if self.scales_loss else None


# By the names of the launch's axis.
PRECISIONS = {
    "fp32": Precision("32-true", "no"),
    "amp_bf16": Precision("bf16-mixed", "bf16", torch.bfloat16),
    "amp_fp16": Precision("16-mixed", "fp16", torch.float16, scales_loss=True),
}

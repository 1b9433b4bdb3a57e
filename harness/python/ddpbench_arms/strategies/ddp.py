"""DistributedDataParallel: gradients are averaged in buckets during backward."""

import contextlib
import math
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from ddpbench_arms.strategies.strategy import Strategy

MIB = 1024 * 1024


class Ddp(Strategy):
    name = "ddp"

    def arguments(self) -> dict[str, Any]:
        """Returns the options as DistributedDataParallel's arguments."""
        options = self.options
        cap = options["bucket_cap_mb"]
        if cap != "default" and options["first_bucket_mb"] != "default":
            raise ValueError("first_bucket_mb beside bucket_cap_mb: PyTorch's DistributedDataParallel takes one of the two")
        return {
            "bucket_cap_mb": None if cap == "default" else float(cap),
            "gradient_as_bucket_view": options["gradient_as_bucket_view"] == "true",
            "broadcast_buffers": options["broadcast_buffers"] == "true",
            "find_unused_parameters": options["find_unused_parameters"] == "true",
            "static_graph": options["static_graph"] == "true",
        }

    @contextlib.contextmanager
    def setting_up(self) -> Iterator[None]:
        """Sets the first bucket's size, a constant of PyTorch's module and not an argument of DistributedDataParallel."""
        given = self.options["first_bucket_mb"]
        kept = dist._DEFAULT_FIRST_BUCKET_BYTES
        if given != "default":
            dist._DEFAULT_FIRST_BUCKET_BYTES = int(float(given) * MIB)
        try:
            yield
        finally:
            dist._DEFAULT_FIRST_BUCKET_BYTES = kept

    def prepare(self, model: nn.Module) -> nn.Module:
        if self.options["sync_batchnorm"] != "true":
            return model
        if self.device.type == "cpu":
            raise ValueError("sync_batchnorm = true: PyTorch's SyncBatchNorm runs on GPUs only")
        return nn.SyncBatchNorm.convert_sync_batchnorm(model)

    def wrap(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> nn.Module:
        device_ids = [self.device.index] if self.device.type == "cuda" else None
        return DistributedDataParallel(model, device_ids=device_ids, **self.arguments())

    def no_sync_of(self, model: nn.Module) -> Callable[[], contextlib.AbstractContextManager]:
        return model.no_sync

    def lightning(self, strategies: ModuleType) -> Any:
        return strategies.DDPStrategy(**self.arguments())

    def accelerate(self) -> dict[str, Any]:
        from accelerate import DistributedDataParallelKwargs

        arguments = self.arguments()
        cap = arguments["bucket_cap_mb"]
        if cap is None:
            del arguments["bucket_cap_mb"]  # its own default is PyTorch's
        else:
            # It leaves out a value that is its default, 25, and PyTorch then limits the first bucket. The next number is as many
            # bytes.
            arguments["bucket_cap_mb"] = math.nextafter(cap, math.inf)
        return {"kwargs_handlers": [DistributedDataParallelKwargs(**arguments)]}

    def is_wrapped(self, given: nn.Module, made: nn.Module) -> bool:
        return isinstance(made, DistributedDataParallel)

"""An arm by itself: a session that stands in for the harness's, and requests as the harness makes them."""

import contextlib
import dataclasses
import datetime
import json
import os
import sys
from pathlib import Path

import pytest

# As the driver gives it to a rank; without it Lightning's launcher would take a thread for each core.
os.environ["OMP_NUM_THREADS"] = "1"

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

sys.path.insert(0, os.environ["DDPBENCH_PYTHON_ARMS"])

from ddpbench_arms.ranks import Ranks, join  # noqa: E402

VOCABULARY = json.loads(Path(os.environ["DDPBENCH_VOCABULARY"]).read_text(encoding="utf-8"))
BUNDLES = {feature["name"]: feature["bundle"] for feature in VOCABULARY["features"] if "bundle" in feature}
OWN_BUNDLES = {arm["name"]: arm["bundles"] for arm in VOCABULARY["arms"] if "bundles" in arm}
DDP_OPTIONS = {
    "bucket_cap_mb": "default",
    "first_bucket_mb": "default",
    "gradient_as_bucket_view": "false",
    "broadcast_buffers": "true",
    "find_unused_parameters": "false",
    "static_graph": "false",
    "sync_batchnorm": "false",
}
SGD = {"lr": 1e-3, "momentum": 0.9, "dampening": 0.0, "weight_decay": 0.0, "nesterov": 0.0, "label_smoothing": 0.0}

# A loop that takes all that it may ask for (ddpbench_arms.loop.NAMES), and does what the launch says.
EVERYTHING_BY_NAME = """
import contextlib

import torch

def train(network, model, loader, optimizer, report, loss_function, device, autocast, scaler, accumulate, no_sync, clip_norm,
          extra=3, **more):
    for number, (images, labels) in enumerate(loader, start=1):
        is_last = number % accumulate == 0
        with contextlib.nullcontext() if is_last else no_sync():
            if number % accumulate == 1 or accumulate == 1:
                optimizer.zero_grad()
            with autocast():
                loss = loss_function(model(images), labels) / accumulate
            scaler.scale(loss).backward()
        if is_last:
            scaler.unscale_(optimizer)
            if clip_norm > 0:
                torch.nn.utils.clip_grad_norm_(network.parameters(), clip_norm)
            scaler.step(optimizer)
            scaler.update()
        report(loss)
"""


class Session:
    """The same batches for whoever asks, from the first one on."""

    def __init__(self, accumulate: int = 1, clip_norm: float = 0.0) -> None:
        generator = torch.Generator().manual_seed(1)
        self.batches = [
            (torch.randn(4, 3, 32, 32, generator=generator), torch.randint(10, (4,), generator=generator)) for _ in range(4)
        ]
        self.drawn = 0
        self.accumulate = accumulate
        self.clip_norm = clip_norm
        self.skipped = 0
        self.watched = 0  # so often stop signals were taken again

    def records(self):
        images, labels = (torch.cat(parts) for parts in zip(*self.batches, strict=True))
        return images, labels, None, None

    def records_at(self, position):
        begin = position % len(self.batches) * 4
        return list(range(begin, begin + 4))

    def held_out(self):
        generator = torch.Generator().manual_seed(2)
        images = torch.randint(256, (24, 3, 32, 32), generator=generator, dtype=torch.uint8)
        mean, deviation = torch.full((3, 1, 1), 0.5), torch.full((3, 1, 1), 0.25)
        return images, torch.randint(10, (24,), generator=generator), mean, deviation

    def skip_batch(self):
        self.drawn += 1
        return self.drawn - 1

    def seek(self, position):
        self.drawn = position

    def next_batch(self):
        self.drawn += 1
        return self.batches[(self.drawn - 1) % len(self.batches)]

    def stop_requested(self):
        return False

    def watch_stop_signals(self):
        self.watched += 1

    def note_skipped_step(self):
        self.skipped += 1

    def phase(self, name):
        return contextlib.nullcontext()


@pytest.fixture(scope="session")
def ranks():
    """One rank, with a process group of its own for arms that want DistributedDataParallel."""
    store = dist.HashStore()
    gloo = dist.ProcessGroupGloo(dist.PrefixStore("gloo", store), 0, 1, datetime.timedelta(seconds=60))
    ranks = Ranks(0, 0, 1, 1, 1, "cpu", store, gloo, "gloo", True)
    join(ranks)
    yield ranks
    dist.destroy_process_group()


@pytest.fixture
def runtime(ranks):
    """The runtime of a launch whose ranks have met; its arms are closed at the end of the test."""
    from ddpbench_arms.runtime import Runtime

    runtime = Runtime()
    runtime.ranks = ranks
    yield runtime
    for arm in runtime.arms:
        arm.close()
    forget_accelerates_state()


@pytest.fixture
def make_arm(runtime, request_of):
    """make_arm(name, …) as the runtime makes it."""

    def make(name, strategy="ddp", **options):
        runtime.ranks = dataclasses.replace(runtime.ranks, has_group=strategy != "single")
        return runtime.make_arm(request_of(name, strategy=strategy, **options))

    return make


@pytest.fixture
def request_of(tmp_path):
    """request_of(name, …): what the harness asks of an arm."""
    loop = tmp_path / "everything_by_name.py"
    loop.write_text(EVERYTHING_BY_NAME, encoding="utf-8")

    def make(name, network="null", strategy="ddp", precision="fp32", session=None, own_code=None, compiled=False):
        base, *added = name.removesuffix("-sigterm").split("+")
        base, _, own = base.partition("=")
        added += [f"{'loop' if base == 'py_loop' else 'module'}={own}"] if own else []
        bundles = BUNDLES | OWN_BUNDLES.get(base, {})
        features = [part for feature in added for part in bundles.get(feature, [feature])]
        if base == "py_lightning" and not name.endswith("-sigterm"):
            features.append("sigterm=1")
        options = {"stem": "imagenet", "matmuls": "0", "channels_last": "false", "compiled": str(compiled).lower()}
        torch.manual_seed(1)
        weights = make_initial_weights(network, options)
        return {
            "name": name,
            "base": base,
            "features": features,
            "session": session or Session(),
            "network": network,
            "classes": 10,
            "workload_options": options,
            "strategy": strategy,
            "strategy_options": DDP_OPTIONS if strategy == "ddp" else {},
            "precision": precision,
            "device": "cpu",
            "batch_size": 4,
            "scratch": str(tmp_path),
            "optimizer": "sgd",
            "hyperparameters": SGD,
            "own_code": own_code or {"loop": {"by_name": f"{loop}:train"}},
            "weights": weights,
        }

    return make


def forget_accelerates_state():
    """Accelerate keeps one state per process, as a launch does; here a process is many launches."""
    from accelerate.state import AcceleratorState

    AcceleratorState._reset_state(reset_partial_state=True)


def make_initial_weights(network, options):
    from ddpbench_arms.models import MODELS

    if network == "module":
        return []
    model = MODELS[network](10, options)
    return [*model.named_parameters(), *model.named_buffers()]

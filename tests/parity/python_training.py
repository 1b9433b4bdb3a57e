"""What parity_program does with a request, done with PyTorch and torchvision: the judge's side.

A request is a dictionary (JSON): the model, the options of workload and strategy as the worker takes them, files, and a plan, a
letter a turn: t an optimizer step, e a forward in evaluation mode, n one in training mode without gradients, b forward and
backward whose buckets are written out. Results are tensors by name.
"""

import contextlib
import unittest.mock

import torch
import torch.distributed as dist
import torchvision
from torch import nn

MIB = 1024 * 1024


class Twin(nn.Module):
    """twin.hpp's model: `spare` has a part in batches of odd size only."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 12, 3, stride=2, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(12)
        self.spare = nn.Linear(12, 12)
        self.fc1 = nn.Linear(12, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        size = x.size(0)
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.relu(self.bn2(self.conv2(x))).mean((2, 3))
        if size % 2 == 1:
            x = x + self.spare(x)
        return self.fc2(torch.relu(self.fc1(x)))


class Null(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3 * 32 * 32, 10)

    def forward(self, x):
        return self.linear(x.flatten(1))


class MnistNet(nn.Module):
    """That of PyTorch's MNIST example without its dropout; the loss takes its logarithm of the softmax."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, 1)
        self.conv2 = nn.Conv2d(32, 64, 3, 1)
        self.fc1 = nn.Linear(9216, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = nn.functional.relu(self.conv1(x))
        x = nn.functional.relu(self.conv2(x))
        x = torch.flatten(nn.functional.max_pool2d(x, 2), 1)
        return self.fc2(nn.functional.relu(self.fc1(x)))


def resnet(name, classes, stem):
    """torchvision's; the CIFAR stem is the usual exchange of its first two modules."""
    model = getattr(torchvision.models, name)(num_classes=classes)
    if stem == "cifar":
        model.conv1 = nn.Conv2d(3, 64, 3, stride=1, padding=1, bias=False)
        model.maxpool = nn.Identity()
    return model


def make_model(name, options):
    if name == "twin":
        return Twin()
    if name == "null":
        return Null()
    if name == "mnist_convnet":
        return MnistNet()
    return resnet(name.removesuffix("_cifar10"), 10, options.get("stem", "cifar"))


def is_on(options, name):
    return options.get(name, "false") == "true"


def number(options, name, default=0.0):
    return float(options.get(name, default))


def make_optimizer(model, options):
    return torch.optim.SGD(
        model.parameters(),
        lr=number(options, "learning_rate"),
        momentum=number(options, "momentum", 0.9),
        dampening=number(options, "dampening"),
        weight_decay=number(options, "weight_decay"),
        nesterov=is_on(options, "nesterov"),
    )


def replicate(model, options):
    """DistributedDataParallel by our options. The first bucket's size is a constant of PyTorch's module, not an argument."""
    cap = options.get("bucket_cap_mb", "default")
    first = options.get("first_bucket_mb", "default")
    patch = contextlib.nullcontext()
    if first != "default":
        patch = unittest.mock.patch.object(dist, "_DEFAULT_FIRST_BUCKET_BYTES", int(float(first) * MIB))
    with patch:
        return nn.parallel.DistributedDataParallel(
            model,
            bucket_cap_mb=None if cap == "default" else float(cap),
            gradient_as_bucket_view=is_on(options, "gradient_as_bucket_view"),
            broadcast_buffers=options.get("broadcast_buffers", "true") == "true",
            find_unused_parameters=is_on(options, "find_unused_parameters"),
            static_graph=is_on(options, "static_graph"),
        )


def record_buckets(buckets, bucket):
    """A communication hook: keeps what DDP hands to the backend where there is none, and does with it what DDP does then."""
    share = bucket.buffer().mul_(1.0 / dist.get_world_size())
    buckets.append(share.clone())
    work = dist.all_reduce(share, async_op=True)
    return work.get_future().then(lambda future: future.value()[0])


class Training:
    """One training by a request."""

    def __init__(self, request, rank=0):
        self.request = request
        self.results = {}
        self.turn = 0
        self.path = {key: request[key].format(rank=rank) for key in ("weights", "batches")}
        self.bare = make_model(request["model"], request["options"])
        self.bare.load_state_dict(torch.load(self.path["weights"]))
        self.optimizer = make_optimizer(self.bare, request["options"])
        self.loss = nn.CrossEntropyLoss(label_smoothing=number(request["options"], "label_smoothing"))
        self.model = replicate(self.bare, request["strategy_options"]) if request["strategy"] == "ddp" else self.bare
        self.scaler = torch.amp.GradScaler("cpu", **request["scaler"]) if "scaler" in request else None
        batches = list(torch.load(self.path["batches"]).values())
        self.batches = zip(batches[::2], batches[1::2], strict=True)
        self.skipped = 0
        self.laid_out_anew = {}  # by turn: whether this step's buckets were

    def run(self):
        turns = {"t": self.step, "e": self.forward_without_gradients, "n": self.forward_without_gradients}
        turns["b"] = self.write_buckets
        for letter in self.request["plan"]:
            self.model.train(letter != "e")
            turns[letter]()
            self.turn += 1
        for name, tensor in self.bare.state_dict(keep_vars=True).items():
            self.results["state." + name] = tensor.detach().clone()
            if tensor.grad is not None:
                self.results["gradient." + name] = tensor.grad.clone()
        if self.laid_out_anew:
            self.note_bucket_bytes()
        self.results["skipped"] = torch.tensor(self.skipped)
        return self.results

    def keep(self, name, tensor):
        self.results[f"{name}.{self.turn}"] = tensor.detach().clone()

    def micro_batch(self, share):
        inputs, labels = next(self.batches)
        loss = self.loss(self.model(inputs), labels)
        if share > 1:
            loss = loss / share
        (self.scaler.scale(loss) if self.scaler else loss).backward()
        return loss

    def step(self):
        options = self.request["strategy_options"]
        accumulate = int(options.get("accumulate", 1))
        self.optimizer.zero_grad()
        unsynchronised = self.model.no_sync if hasattr(self.model, "no_sync") else contextlib.nullcontext
        with unsynchronised():
            for _ in range(accumulate - 1):
                self.micro_batch(accumulate)
        loss = self.micro_batch(accumulate)
        if self.scaler:
            self.scaler.unscale_(self.optimizer)
        if number(options, "clip_norm") > 0:
            nn.utils.clip_grad_norm_(self.bare.parameters(), number(options, "clip_norm"))
        self.update()
        self.keep("loss", loss)
        if self.model is not self.bare:
            self.laid_out_anew[self.turn] = self.model._has_rebuilt_buckets

    def update(self):
        if not self.scaler:
            self.optimizer.step()
            return
        before = self.scaler.get_scale()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.skipped += self.scaler.get_scale() < before
        self.keep("scaler1", self.scaler._scale)
        self.keep("scaler0", self.scaler._growth_tracker)

    def forward_without_gradients(self):
        with torch.no_grad():
            self.keep("output", self.model(next(self.batches)[0]))

    def note_bucket_bytes(self):
        """The sizes of every step's buckets. PyTorch tells them after some steps only."""
        data = self.model._get_ddp_logging_data()
        for turn, anew in self.laid_out_anew.items():
            sizes = data["rebuilt_bucket_sizes" if anew else "bucket_sizes"].split(",")
            self.results[f"bucket_bytes.{turn}"] = torch.tensor([int(size) for size in sizes])

    def write_buckets(self):
        buckets = []
        self.model.register_comm_hook(buckets, record_buckets)
        self.optimizer.zero_grad()
        inputs, labels = next(self.batches)
        self.loss(self.model(inputs), labels).backward()
        for place, bucket in enumerate(buckets):
            self.results[f"bucket.{place}"] = bucket


def train(request, rank=0):
    return Training(request, rank).run()

"""The twins of the workloads' models: the same modules under the same names, so that the launch's weights fit."""

from collections.abc import Callable

import torch
from torch import nn


class NullModel(nn.Module):
    """Has one linear layer, and multiplies matrices to lengthen the step."""

    def __init__(self, classes: int, matmuls: int) -> None:
        super().__init__()
        self.linear = nn.Linear(3 * 32 * 32, classes)
        self.matmuls = matmuls
        self.factor: torch.Tensor | None = None
        self.product: torch.Tensor | None = None

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        if self.matmuls:
            self.compute(images.device)
        return self.linear(images.flatten(1))

    @torch.no_grad()
    def compute(self, device: torch.device) -> None:
        side = 128
        if self.product is None:
            self.factor = torch.full((side, side), 1.0 / side, device=device)
            self.product = torch.empty_like(self.factor)
        for _ in range(self.matmuls):
            torch.mm(self.factor, self.factor, out=self.product)


class ConvNet(nn.Module):
    """Is the network of PyTorch's CIFAR tutorial."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = torch.max_pool2d(torch.relu(self.conv1(images)), 2)
        x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = torch.relu(self.fc1(x.flatten(1)))
        return self.fc3(torch.relu(self.fc2(x)))


class MnistConvNet(nn.Module):
    """Is the network of PyTorch's MNIST example, without dropout."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3)
        self.conv2 = nn.Conv2d(32, 64, 3)
        self.fc1 = nn.Linear(64 * 12 * 12, 128)
        self.fc2 = nn.Linear(128, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.conv2(torch.relu(self.conv1(images))))
        return self.fc2(torch.relu(self.fc1(torch.max_pool2d(x, 2).flatten(1))))


class DecoderBlock(nn.Module):
    """Normalises before each of its two branches."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, length, width = x.shape
        parts = self.attention(self.norm1(x)).view(n, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(parts[0], parts[1], parts[2], is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(n, length, width))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Decoder(nn.Module):
    """Maps tokens [N, length] to logits [N length, classes]."""

    def __init__(self, classes: int, length: int, width: int = 64, heads: int = 4, blocks: int = 2) -> None:
        super().__init__()
        self.tokens = nn.Embedding(classes, width)
        self.places = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(DecoderBlock(width, heads) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


def resnet(name: str) -> Callable[[int, dict[str, str]], nn.Module]:
    """Makes torchvision's network; the CIFAR stem is the usual exchange of its first two modules."""

    def make(classes: int, options: dict[str, str]) -> nn.Module:
        import torchvision

        model = getattr(torchvision.models, name)(num_classes=classes)
        if options["stem"] == "cifar":
            model.conv1 = nn.Conv2d(3, 64, 3, stride=1, padding=1, bias=False)
            model.maxpool = nn.Identity()
        return model

    return make


MOST_COMPILED = 256  # of one function: by device, precision and framework, should no two arms share it

# By the name of the workload's network (Recipe::network, harness/api/workload.hpp).
MODELS: dict[str, Callable[[int, dict[str, str]], nn.Module]] = {
    "null": lambda classes, options: NullModel(classes, int(options["matmuls"])),
    "transformer": lambda classes, options: Decoder(classes, int(options["sequence_length"])),
    "convnet": lambda classes, options: ConvNet(classes),
    "mnist_convnet": lambda classes, options: MnistConvNet(classes),
    "resnet18": resnet("resnet18"),
    "resnet50": resnet("resnet50"),
    "resnet101": resnet("resnet101"),
}


def compile_in_place(model: nn.Module) -> None:
    """Makes calls of the model run what torch.compile makes of it; its names, its state and its class stay as they were.

    Arms of a launch share what is compiled as far as it holds for each. One that would go on without is an error.
    """
    import torch._dynamo

    torch._dynamo.config.recompile_limit = MOST_COMPILED
    torch._dynamo.config.fail_on_recompile_limit_hit = True
    model.compile()


def make_model(network: str, classes: int, options: dict[str, str], weights: list[tuple[str, torch.Tensor]]) -> nn.Module:
    """Makes the model with these weights, which are all that it has; those that the launch froze are frozen here."""
    model = MODELS[network](classes, options)
    given = dict(weights)
    model.load_state_dict(given)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(given[name].requires_grad)
    if options.get("channels_last") == "true":
        model = model.to(memory_format=torch.channels_last)
    return model

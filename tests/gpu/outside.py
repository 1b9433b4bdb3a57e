"""The same step without ddpbench: what CUDA events say of ResNet50 on CIFAR under PyTorch's own loop. Milliseconds per step.

python3 tests/gpu/outside.py [BATCH]: DistributedDataParallel over NCCL, one rank, amp_bf16, both memory formats.
"""

import os
import statistics
import sys

import torch
import torchvision
from torch import nn

BLOCK, BLOCKS, WARM_UP = 4, 40, 40


def cifar_resnet50() -> nn.Module:
    model = torchvision.models.resnet50(num_classes=10)
    model.conv1 = nn.Conv2d(3, 64, 3, padding=1, bias=False)
    model.maxpool = nn.Identity()
    return model


def median_step_ms(batch: int, layout: torch.memory_format) -> float:
    model = nn.parallel.DistributedDataParallel(cifar_resnet50().cuda().to(memory_format=layout), device_ids=[0])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    images = torch.randn(batch, 3, 32, 32).contiguous(memory_format=layout).pin_memory()
    labels = torch.arange(batch).remainder(10).pin_memory()

    def step() -> None:
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.bfloat16):
            loss = nn.functional.cross_entropy(model(images.cuda(non_blocking=True)), labels.cuda(non_blocking=True))
        loss.backward()
        optimizer.step()

    for _ in range(WARM_UP):
        step()
    blocks = []
    for _ in range(BLOCKS):
        step()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(BLOCK):
            step()
        end.record()
        end.synchronize()
        blocks.append(begin.elapsed_time(end) / BLOCK)
    return statistics.median(blocks)


if __name__ == "__main__":
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29555", RANK="0", WORLD_SIZE="1")
    torch.distributed.init_process_group("nccl", device_id=torch.device("cuda:0"))
    torch.backends.cudnn.allow_tf32 = False
    batch = int(sys.argv[1]) if len(sys.argv) > 1 else 128
    for layout in (torch.contiguous_format, torch.channels_last):
        print(f"batch {batch}, {layout}: {median_step_ms(batch, layout):.3f} ms", flush=True)
    torch.distributed.destroy_process_group()

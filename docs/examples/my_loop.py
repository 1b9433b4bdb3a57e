"""Training loops as you may have them: put your own in their place."""

import torch


def plain(model, loader, optimizer, report):
    """The loop that py_raw is: what it costs over py_raw is the stepping, which every loop here pays."""
    for images, labels in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        report(loss)


def train(model, loader, optimizer, report):
    """The same with what many have in it: a scheduler, a mean of the loss, a line now and then."""
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)  # keeps the rate: all arms do the same work
    total = 0.0
    for number, (images, labels) in enumerate(loader, start=1):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        schedule.step()
        report(loss)
        total += loss.item()
        if number % 1000 == 0:
            print(f"step {number}: mean loss {total / number:.3f}")


def train_in_half_precision(model, loader, optimizer, report, autocast, scaler):
    """The loop of PyTorch's recipe for automatic mixed precision; with precision = ["amp_bf16"] or ["amp_fp16"]."""
    for images, labels in loader:
        optimizer.zero_grad()
        with autocast():
            loss = torch.nn.functional.cross_entropy(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        report(loss)

"""Lightning Fabric: the user's loop, with Fabric's wrappers around model, optimizer and backward."""

import torch
from lightning.fabric import Fabric, strategies

from ddpbench_arms.arm import Arm
from ddpbench_arms.cluster import layout
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request


class FabricArm(Arm):
    def __init__(self, request: Request, ranks: Ranks) -> None:
        super().__init__(request, ranks)
        self.gathers = request.has("gather")
        self.fabric = Fabric(**layout(request, ranks, strategies))
        self.fabric.launch()
        self.model, self.optimizer = self.fabric.setup(self.replica.model, self.replica.optimizer)
        self.strategy.require_wrapped(self.replica.model, self.model._forward_module)
        self.take_scaler(getattr(self.fabric.strategy.precision, "scaler", None))

    def micro_batch(self) -> torch.Tensor:
        batch = self.next_batch()
        with self.marks.h2d:
            inputs, labels = self.fabric.to_device(batch)
        with self.marks.forward:
            logits = self.model(inputs)
            loss = self.replica.loss(logits, labels)
            if self.accumulate > 1:
                loss = loss / self.accumulate
        with self.marks.backward:
            self.fabric.backward(loss)
        if self.gathers:
            self.gathered = self.fabric.all_gather((logits.detach().argmax(dim=1), labels))
        return loss

    def step(self) -> torch.Tensor:
        with self.marks.other:
            with self.marks.zero_grad:
                self.optimizer.zero_grad()
            for _ in range(self.accumulate - 1):
                with self.fabric.no_backward_sync(self.model):
                    self.micro_batch()
            loss = self.micro_batch()
            with self.marks.optimizer:
                if self.clip_norm > 0:
                    self.fabric.clip_gradients(self.model, self.optimizer, max_norm=self.clip_norm)
                self.optimizer.step()
            self.end_step()
            return loss

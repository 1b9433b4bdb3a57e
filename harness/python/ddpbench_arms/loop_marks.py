"""Marks of a step's phases around what somebody else's loop calls, whatever it calls between."""

import copyreg
from typing import Any

import torch
from torch import nn

from ddpbench_arms.replica import Marks

BACKWARD = torch.autograd.backward


def class_like(thing: Any, methods: dict[str, Any]) -> type:
    """Returns a class below that of `thing`, by its name, with these methods. What is copied or saved is of the class above."""
    own = type(thing)

    def reduced(self: Any, protocol: Any) -> Any:
        _, arguments, *rest = super(like, self).__reduce_ex__(protocol)
        if arguments != (like,):
            raise TypeError(f"{own.__name__} has arguments of its own for its copies: it cannot be copied or saved here")
        return copyreg._reconstructor, (own, object, None), *rest  # __newobj__ is refused: the object is of `like`

    names = {"__module__": own.__module__, "__qualname__": own.__qualname__, "__reduce_ex__": reduced}
    like = type(own.__name__, (own,), names | methods)
    return like


class TrainingMarks:
    """Marks forward, from the model's call until backward begins, backward, zero_grad and update."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.is_in_forward = False
        self.backwards = self.updates = 0  # so far

    def mark(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Puts marks around what is trained, by its classes: a copy of the model stays a copy.

        The model's stand around its call, where what torch.compile makes of it begins.
        """
        self._mark_model(model)
        self._mark_optimizer(optimizer)

    def _mark_model(self, model: nn.Module) -> None:
        these = self

        def call(self: nn.Module, *arguments: Any, **named_arguments: Any) -> Any:
            if self is model and not these.is_in_forward:
                these.enter_forward()
            return super(marked, self).__call__(*arguments, **named_arguments)

        marked = class_like(model, {"__call__": call})
        model.__class__ = marked

    def _mark_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        these = self

        def zero_grad(optimizer: torch.optim.Optimizer, *arguments: Any, **named_arguments: Any) -> None:
            these.leave_forward()
            with these.marks.zero_grad:
                super(marked, optimizer).zero_grad(*arguments, **named_arguments)

        def step(optimizer: torch.optim.Optimizer, *arguments: Any, **named_arguments: Any) -> Any:
            these.leave_forward()
            these.updates += 1
            with these.marks.optimizer:
                return super(marked, optimizer).step(*arguments, **named_arguments)

        step.hooked = True  # by torch.optim.Optimizer, in the class below
        marked = class_like(optimizer, {"zero_grad": zero_grad, "step": step})
        optimizer.__class__ = marked

    def enter_forward(self) -> None:
        self.marks.forward.__enter__()
        self.is_in_forward = True

    def leave_forward(self) -> None:
        if self.is_in_forward:
            self.marks.forward.__exit__()
            self.is_in_forward = False

    def backward(self, *arguments: Any, **named_arguments: Any) -> None:
        self.leave_forward()
        self.backwards += 1
        with self.marks.backward:
            BACKWARD(*arguments, **named_arguments)

    def begin(self) -> None:
        """Stands in the place of Tensor.backward()'s work from here on."""
        torch.autograd.backward = self.backward

    def end(self) -> None:
        torch.autograd.backward = BACKWARD
        self.leave_forward()

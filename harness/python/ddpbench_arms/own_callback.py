"""Callbacks of the user's own for Lightning's Trainer ([callbacks] of an experiment)."""

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from lightning.pytorch import Callback, Trainer

from ddpbench_arms.output import ToldError
from ddpbench_arms.own_file import asked_by, line_of, line_of_code, named, path_of, place_in, telling_its_line
from ddpbench_arms.replica import Request

PLAIN_FORM = "make_callbacks()"


def is_maker(value: Any) -> bool:
    return inspect.isfunction(value) or (inspect.isclass(value) and issubclass(value, Callback))


def make(where: str) -> list[Callback]:
    """Returns new ones: what the class or the function gives, one Callback or a list of them."""
    maker = named(where, is_maker, "functions and Callbacks")
    if not inspect.isfunction(maker) and not inspect.isclass(maker):
        raise ToldError(f"{where} is {type(maker).__name__}: must be a class, or a function that makes callbacks")
    asked_by(maker, where, (), PLAIN_FORM)
    with telling_its_line(where):
        made = maker()
    callbacks = list(made) if isinstance(made, list | tuple) else [made]
    for callback in callbacks:
        if not isinstance(callback, Callback):
            raise ToldError(
                f"{line_of_code(maker, where)}: {maker.__name__}() gave {type(callback).__name__}: must be a Callback of"
                " Lightning, or a list of them"
            )
    return callbacks


def where_of(request: Request) -> str:
    return request.own_code["callback"][request.value_of("callback")]


def wanted_by(request: Request) -> list[Callback]:
    """Returns the arm's, made anew for each Trainer; none where it takes none."""
    return make(where_of(request)) if request.has("callback") else []


@contextlib.contextmanager
def telling_their_line(request: Request) -> Iterator[None]:
    """Tells what the arm's callbacks raise with the line of their file."""
    try:
        yield
    except Exception as error:
        path = path_of(where_of(request)) if request.has("callback") else None
        if path is None or place_in(path, error) == str(path):
            raise  # met elsewhere
        raise ToldError(line_of(error, path)) from error


def require_no_stop(request: Request, trainer: Trainer) -> None:
    """Raises where the arm's callbacks have ended a training that is stepped, or timed: its reference goes on."""
    if request.has("callback") and trainer.should_stop:
        raise ToldError(f"{where_of(request)}: a callback has set should_stop: must let the training go on")

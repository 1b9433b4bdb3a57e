"""A file of the user's own, of which an experiment names a class or a function ([modules], [loops], [loaders], [callbacks])."""

import contextlib
import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from ddpbench_arms.output import ToldError, met_by_worker, words_of

OPEN_KINDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
NAME, OLDER_NAME = "lightning.pytorch", "pytorch_lightning"


def path_of(where: str) -> Path:
    """Returns the file of "FILE.py:NAME"."""
    return Path(where.rpartition(":")[0])


def place_in(path: Path, error: BaseException) -> str:
    """Returns the FILE:LINE that `error` came through, or FILE."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}:{error.lineno}"
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    own += re.findall(f'File "{re.escape(str(path))}", line ([0-9]+)', str(error))  # as a worker of a loader hands it on
    return f"{path}:{own[-1]}" if own else str(path)


def line_of(error: BaseException, path: Path) -> str:
    """Returns the error in one line, with the line of the user's file that it came through."""
    place, words = place_in(path, error), " ".join(str(error).split())
    if not met_by_worker(error) and words.startswith(str(path)):
        return words
    is_ours = isinstance(error, ToldError) or (isinstance(error, ValueError) and place == str(path))  # met outside the file
    return f"{place}: {words if is_ours else ' '.join(words_of(error).split())}"


@contextlib.contextmanager
def telling_its_line(where: str) -> Iterator[None]:
    """Tells what the user's code raises with the line of its file, "FILE.py:NAME"."""
    try:
        yield
    except Exception as error:
        raise ToldError(line_of(error, path_of(where))) from error


def take_older_name() -> None:
    """Lets `import pytorch_lightning` give lightning.pytorch: a class of the other package would be none of Lightning's here."""
    for name, module in list(sys.modules.items()):
        if name == NAME or name.startswith(f"{NAME}."):
            sys.modules[OLDER_NAME + name.removeprefix(NAME)] = module


def name_of(path: Path) -> str:
    """Returns the file's name as a module: that by which another process imports it, where `import` finds this file by it."""
    loaded = sys.modules.get(path.stem)
    try:
        found = getattr(loaded, "__file__", None) if loaded else importlib.util.find_spec(path.stem).origin
    except (AttributeError, ImportError, ValueError):
        found = None
    return path.stem if found == str(path) else f"ddpbench_own_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"


def load(where: str) -> ModuleType:
    """Loads the user's file as a module of Python, once a process; what lies beside it can be imported."""
    path = path_of(where)
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    name = name_of(path)
    if name not in sys.modules:
        take_older_name()
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            words = error.msg if isinstance(error, SyntaxError) else error
            raise ImportError(f"{place_in(path, error)}: {type(error).__name__}: {words}") from error
    return sys.modules[name]


def named(where: str, is_meant: Any, what: str) -> Any:
    """Returns what "FILE.py:NAME" names. Raises where it is not there, with those in the file that `is_meant` calls such."""
    file, name = load(where), where.rpartition(":")[2]
    if not hasattr(file, name):
        there = [key for key, value in vars(file).items() if is_meant(value)]
        raise ValueError(f"no '{name}' in {path_of(where)} ({what} there: {', '.join(there) or 'none'})")
    return getattr(file, name)


def line_of_code(code: Any, where: str) -> str:
    """Returns FILE:LINE of a function or class."""
    line = code.__code__.co_firstlineno if inspect.isfunction(code) else inspect.getsourcelines(code)[1]
    return f"{path_of(where)}:{line}"


def asked_by(code: Any, where: str, names: Iterable[str], form: str) -> list[str]:
    """Returns those of `names` that a function or class takes. Raises where another parameter has no default."""
    parameters = inspect.signature(code).parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty and one.kind not in OPEN_KINDS]
    unknown = [name for name in needed if name not in names]
    if unknown:
        raise ToldError(
            f"{line_of_code(code, where)}: {code.__name__}() asks for {', '.join(unknown)}: must be"
            f" {'some of ' + ', '.join(names) if names else 'nothing'}, as in {form}"
        )
    return [one.name for one in parameters if one.name in names]


def digest_of(where: str) -> str:
    """Returns a digest of the file: it tells which of its versions an arm ran."""
    return hashlib.sha256(path_of(where).read_bytes()).hexdigest()[:12]

"""The modules of a folder, so that a new file in it needs no line elsewhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType


def modules_in(package: str, path: Iterable[str]) -> list[ModuleType]:
    """Imports every module of the package, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(path))
    return [importlib.import_module(f"{package}.{name}") for name in names]

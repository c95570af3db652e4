"""From a dotted path to the module or the thing that it names.

A module that is missing is told apart from one that fails inside.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType
from typing import Any


class NotLoadedError(Exception):
    """A dotted path leads to nothing; the message says how far it got."""


def exists(dotted: str) -> bool:
    """Whether such a module is there, be it one that fails when it is imported."""
    try:
        return find_spec(dotted) is not None
    except (ModuleNotFoundError, ValueError):
        return False
    except Exception:  # noqa: BLE001  the package around it fails; whoever imports it is told how
        return True


def find(dotted: str) -> Any:
    """A module, or a thing inside one; raises NotLoadedError."""
    if exists(dotted):
        return _module(dotted)
    module_name, _, name = dotted.rpartition(".")
    if not module_name or not exists(module_name):
        raise NotLoadedError(f"there is no module '{module_name or dotted}'")
    module = _module(module_name)
    if not hasattr(module, name):
        raise NotLoadedError(f"'{module_name}' has no '{name}'")
    return getattr(module, name)


def _module(dotted: str) -> ModuleType:
    try:
        return importlib.import_module(dotted)
    except Exception as error:
        raise NotLoadedError(f"'{dotted}' fails when it is imported: {words(error)}") from error


def words(error: Exception) -> str:
    """An error as one part of a fault's line."""
    return f"{type(error).__name__}: {error}"

"""A fault of the configuration as one line for the person who will mend it, and a schema's complaints as such lines."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Where = Callable[[tuple[str, ...]], str]
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, whose it is, where it stands, and what was probably meant."""

    owner: str
    text: str
    place: str
    nearest: str | None = None

    def __str__(self) -> str:
        hint = f"; did you mean '{self.nearest}'?" if self.nearest else ""
        return f"{self.owner}: {self.text} ({self.place}){hint}"


def report(faults: Iterable[Fault]) -> str:
    """All faults as one message."""
    lines = sorted({str(fault) for fault in faults})
    return f"the configuration has {len(lines)} fault(s); mend each and start again:\n" + "\n".join(
        f"  - {line}" for line in lines
    )


def nearest(word: object, known: Iterable[str]) -> str | None:
    found = difflib.get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def validate(model: type[M], data: Any, *, owner: str, where: Where) -> tuple[M | None, list[Fault]]:
    """``data`` as a ``model``, or every fault in it with its place and the nearest key that would be right."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=True)
        return None, [_fault(model, detail, owner=owner, where=where) for detail in details]


def _fault(model: type[BaseModel], detail: ErrorDetails, *, owner: str, where: Where) -> Fault:
    path = tuple(str(part) for part in detail["loc"])
    name = ".".join(path) or "the file"
    if detail["type"] == "extra_forbidden":
        known = keys(model, path[:-1])
        return Fault(owner, f"unknown key '{name}'", where(path), nearest(path[-1], known) or _all(known))
    if detail["type"] == "missing":
        return Fault(owner, f"missing key '{name}'", where(path[:-1]))
    text = detail["msg"][:1].lower() + detail["msg"][1:]
    return Fault(owner, f"'{name}' {text.replace('input should', 'should')}", where(path))


def keys(model: type[BaseModel], path: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that may stand at ``path`` inside ``model``."""
    current: type[BaseModel] | None = model
    for part in path:
        if current is None:
            return ()
        inner = current.model_fields[part].annotation if part in current.model_fields else None
        current = next(
            (kind for kind in (inner, *get_args(inner)) if isinstance(kind, type) and issubclass(kind, BaseModel)), current
        )
    return tuple(current.model_fields) if current else ()


def _all(known: tuple[str, ...]) -> str | None:
    return None if not known else " | ".join(known)

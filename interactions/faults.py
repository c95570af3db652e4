"""A fault of the configuration as one line for the person who will mend it, and a schema's complaints as such lines."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Where = Callable[[tuple[str, ...]], str]
M = TypeVar("M", bound=BaseModel)

NO_MAPPING = ("model_type", "model_attributes_type", "dict_type")
SHORTEST_BEGINNING = 4  # letters; fewer begin too much to be a hint

# What a key is called elsewhere, or was called before: too far from its name here to be found by its letters.
CALLED: Mapping[str, str] = {
    "triggers": "phrases",
    "trigger": "phrases",
    "aliases": "phrases",
    "wake_words": "names",
    "wake_word": "names",
    "module": "app",
    "package": "app",
    "class": "app",
    "subscriptions": "events",
    "subscribe": "events",
    "when": "condition",
    "order": "priority",
    "llm": "fast_llm",
    "timezone": "time_zone",
    "segmentation": "live_segmentation",
    "base_url": "url",
    "api_key": "key",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, whose it is, where it stands, and what was probably meant.

    ``unread``: nothing could be made of the value, so that whatever else is found wrong at the place follows from this.
    """

    owner: str
    text: str
    place: str
    nearest: str | None = None
    unread: bool = False

    def __str__(self) -> str:
        hint = f"; did you mean '{self.nearest}'?" if self.nearest else ""
        return f"{self.owner}: {self.text} ({self.place}){hint}"


def report(faults: Iterable[Fault]) -> str:
    """All faults as one message."""
    lines = sorted({str(fault) for fault in faults})
    return f"the configuration has {len(lines)} fault(s); mend each and start again:\n" + "\n".join(
        f"  - {line}" for line in lines
    )


def causes(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Those that are there by themselves, and do not follow from a value that could not be read."""
    faults = tuple(faults)
    unread = {fault.place for fault in faults if fault.unread}
    return tuple(fault for fault in faults if fault.unread or fault.place not in unread)


def nearest(word: object, known: Iterable[str]) -> str | None:
    known = list(known)
    begun = [one for one in known if one.startswith(str(word))] if len(str(word)) >= SHORTEST_BEGINNING else []
    found = begun if len(begun) == 1 else difflib.get_close_matches(str(word), known, n=1, cutoff=0.6)
    return found[0] if found else None


def unknown_key(owner: str, name: str, place: str, known: Iterable[str]) -> Fault:
    """A key that nobody knows, with the one that was meant, or with all that there are."""
    known = tuple(known)
    last = name.rpartition(".")[2]
    near = nearest(last, (*known, *(other for other, key in CALLED.items() if key in known)))
    if near is not None:
        return Fault(owner, f"unknown key '{name}'", place, near if near in known else CALLED[near])
    there = f"known keys: {', '.join(known)}" if known else "no key may stand there"
    return Fault(owner, f"unknown key '{name}'; {there}", place)


def validate(model: type[M], data: Any, *, owner: str, where: Where) -> tuple[M | None, list[Fault]]:
    """``data`` as a ``model``, or every fault in it with its place and the nearest key that would be right."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=True)
        return None, [_fault(model, detail, owner=owner, where=where) for detail in details]


def _fault(model: type[BaseModel], detail: ErrorDetails, *, owner: str, where: Where) -> Fault:
    path = tuple(str(part) for part in detail["loc"])
    name = ".".join(path)
    if detail["type"] == "extra_forbidden":
        return unknown_key(owner, name, where(path), keys(model, path[:-1]))
    if detail["type"] == "missing":
        return Fault(owner, f"missing key '{name}'", where(path[:-1]))
    text = "must hold 'key: value' lines" if detail["type"] in NO_MAPPING else detail["msg"].removeprefix("Value error, ")
    text = (text[:1].lower() + text[1:]).replace("input should", "should")
    meant = None
    if detail["type"] == "literal_error":
        text = text.replace("True", "true").replace("False", "false")  # as YAML writes them
        meant = nearest(detail["input"], re.findall(r"'([^']*)'", detail.get("ctx", {}).get("expected", "")))
    return Fault(owner, f"'{name}' {text}" if name else text, where(path), meant)


def keys(model: type[BaseModel], path: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that may stand at ``path`` inside ``model``."""
    current: type[BaseModel] | None = model
    for part in path:
        current = inside(current, part)
    return tuple(current.model_fields) if current else ()


def inside(model: type[BaseModel] | None, part: str) -> type[BaseModel] | None:
    """The schema of what stands at ``part`` of ``model``: of a list or mapping, of each of its entries."""
    if model is None or part not in model.model_fields:
        return model
    kind = model.model_fields[part].annotation
    return next((one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, BaseModel)), model)

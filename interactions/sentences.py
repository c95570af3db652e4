"""Sentences by name, in the language of whoever is to hear them. Pure once loaded.

A language is a module (or a package) of the package that holds the languages, and is found by standing there: ``MESSAGES``
are its sentences with named places, ``form`` tells which form of a word follows a number. What a language does not say yet
is said in English.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType

DEFAULT = "en"


@dataclass(frozen=True, slots=True)
class Sentences:
    """What one language says. Called with the name of a sentence and what stands in its places."""

    lang: str
    messages: Mapping[str, str] = field(repr=False)
    form: Callable[[int], str]

    def __call__(self, name: str, /, **values: object) -> str:
        return self.messages[name].format(**values)

    def either(self, group: str, code: str, otherwise: str = "", /, **values: object) -> str:
        """The sentence of ``group`` for this code; without one, that of the code ``otherwise``, or nothing."""
        known = next((name for name in (f"{group}.{code}", f"{group}.{otherwise}") if name in self.messages), None)
        return self(known, **values) if known else ""

    def many(self, name: str, count: int, /, **values: object) -> str:
        """The sentence in the form that follows ``count``; where a language has no such form of it, that of many."""
        exact = f"{name}.{self.form(count)}"
        return self(exact if exact in self.messages else f"{name}.many", count=count, **values)


def modules(package: ModuleType) -> dict[str, ModuleType]:
    """Every language that stands in ``package``, by its name."""
    names = [found.name for found in pkgutil.iter_modules(package.__path__)]
    return {name: import_module(f"{package.__name__}.{name}") for name in sorted(names)}


def load(package: ModuleType) -> dict[str, Sentences]:
    found = modules(package)
    english = found[DEFAULT].MESSAGES
    return {name: Sentences(name, {**english, **module.MESSAGES}, module.form) for name, module in found.items()}


def pick(languages: Mapping[str, Sentences], lang: str) -> Sentences:
    """The sentences of ``lang``, whatever its region; those of English where it is not spoken here."""
    return languages.get(lang.replace("_", "-").partition("-")[0].lower(), languages[DEFAULT])

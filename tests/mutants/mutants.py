"""The guards of money and recovery, each with a way to remove it and the test that must notice.

``original`` stands exactly once in ``file``; with ``replacement`` in its place, ``test`` must fail. ``test_mutants.py`` tries
them one by one in a copy of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    promise: str
    file: str
    original: str
    replacement: str
    test: str  # a node id: tests/flows/test_x.py::test_y


# The promises whose guards must each be removed by a mutant, as soon as they are kept at all.
GUARDED: tuple[str, ...] = (
    *("P101", "P105", "P106", "P120", "P124", "P127", "P129", "P130", "P131", "P132"),
    *("P133", "P134", "P135", "P136", "P137", "P138", "P146", "P147", "P230", "P240"),
)

MUTANTS: tuple[Mutant, ...] = ()

"""Which test names which promise or field case, read from the source, so that a test that was not run is still seen.

The terminal summary uses the same list: a promise is kept in a run when tests that name it ran, and none of them failed.
"""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

from tests import promises

TESTS = Path(__file__).resolve().parent.parent


MARKERS = ("promise", "case")


@cache
def _markers() -> list[tuple[str, str, ast.Call]]:
    """Marker, place and call of everything that names an id."""
    return [
        (node.func.attr, f"{path.relative_to(TESTS.parent)}:{node.lineno}", node)
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(), filename=str(path)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MARKERS
    ]


def named(marker: str) -> dict[str, list[str]]:
    """Id -> the places that name it with this marker."""
    found: dict[str, list[str]] = {}
    for name, place, call in _markers():
        for argument in call.args if name == marker else ():
            if isinstance(argument, ast.Constant):
                found.setdefault(str(argument.value), []).append(place)
    return found


def unreadable() -> list[str]:
    return [place for _, place, call in _markers() if call.keywords or not call.args or not all(map(_is_text, call.args))]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Tally:
    """What one run showed of the promises."""

    def __init__(self) -> None:
        self.ids_of: dict[str, tuple[str, ...]] = {}
        self.passed: set[str] = set()
        self.failed: set[str] = set()

    def expect(self, nodeid: str, ids: tuple[str, ...]) -> None:
        if ids:
            self.ids_of[nodeid] = ids

    def record(self, nodeid: str, *, passed: bool, failed: bool) -> None:
        ids = self.ids_of.get(nodeid, ())
        if failed:
            self.failed.update(ids)
        elif passed:
            self.passed.update(ids)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"passed": sorted(self.passed), "failed": sorted(self.failed)}))

    def add(self, path: Path) -> None:
        kept = json.loads(path.read_text())
        self.passed.update(kept["passed"])
        self.failed.update(kept["failed"])

    def line(self) -> str:
        kept = len((self.passed - self.failed - promises.PARTLY.keys()) & promises.PROMISES.keys())
        waiting = f"{len(promises.PARTLY)} partly, {len(promises.NOT_YET)} not yet, each with a reason"
        return f"promises kept: {kept} of {len(promises.PROMISES)} ({waiting})"

"""Sorts the words of a refusal by the table in ``refusals.yml``.

A message on the table is a refusal that left nothing done; any other no is an answer that cannot be read.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from interactions.contracts import EffectError, SignInNeededError, StrangeAnswerError, TurnedDownError

TABLE = Path(__file__).with_name("refusals.yml")
LONGEST_MESSAGE = 600


@dataclass(frozen=True, slots=True)
class Refusal:
    code: str
    patterns: tuple[re.Pattern[str], ...]
    tool_error: bool = False

    def matches(self, message: str) -> bool:
        return any(pattern.search(message) for pattern in self.patterns)


def sort(message: str) -> EffectError:
    """The error for ``success: false`` with these words."""
    refusal = find(message)
    return _error(refusal, message) if refusal else StrangeAnswerError("shop_error", message[:LONGEST_MESSAGE])


def sort_tool_error(message: str) -> EffectError:
    """The error for ``isError``: a tool that broke may have acted first, so only a missing sign-in is believed."""
    refusal = find(message)
    if refusal is not None and refusal.tool_error:
        return _error(refusal, message)
    return StrangeAnswerError("tool_error", message[:LONGEST_MESSAGE])


def find(message: str) -> Refusal | None:
    """The refusal that these words are known to be."""
    words = " ".join(message[:LONGEST_MESSAGE].split()).lstrip("\"'*#-: ")
    never, table = _table()
    if any(pattern.search(words) for pattern in never):
        return None
    return next((refusal for refusal in table if refusal.matches(words)), None)


def _error(refusal: Refusal, message: str) -> EffectError:
    if refusal.code == SignInNeededError.code:
        return SignInNeededError(message=message[:LONGEST_MESSAGE])
    return TurnedDownError(refusal.code, message[:LONGEST_MESSAGE])


@functools.cache
def _table() -> tuple[tuple[re.Pattern[str], ...], tuple[Refusal, ...]]:
    raw = yaml.safe_load(TABLE.read_text("utf-8"))
    rows = tuple(
        Refusal(row["code"], _compiled(row["patterns"]), tool_error=row.get("tool_error", False)) for row in raw["refusals"]
    )
    return _compiled(raw["never"]), rows


def _compiled(patterns: list[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)

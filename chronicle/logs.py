"""How a line of the log is written: of an exception its class and where it was raised, and never what it says.

What others raise may quote whatever they were given: spoken words, an address with its token, a row with a payment link.
"""

from __future__ import annotations

import logging
import traceback
from types import TracebackType
from typing import Any

DEEPEST = 12  # places of one exception, the innermost last


class Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # as another formatter may have written it
        return super().format(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802  the name that logging calls
        error = ei[1]
        return "\n".join(_told(error)) if isinstance(error, BaseException) else ""


def _told(error: BaseException | None) -> list[str]:
    """The exception and what it came of, the first cause first."""
    lines: list[str] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        lines = [*_places(error.__traceback__), f"  {type(error).__module__}.{type(error).__qualname__}", *lines]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return lines


def _places(trace: TracebackType | None) -> list[str]:
    return [f"  at {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(trace)[-DEEPEST:]]

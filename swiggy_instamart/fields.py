"""Reading one field of an answer: tolerant of what is absent or written as a string, never inventive.

Pure. A field that is not what it should be reads as empty or ``None``; the parsers decide whether that is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from interactions.contracts import Json

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no database holds them, and no id has them
YEARS = range(2000, 2100)  # a time outside means "never", and cannot be told in every zone
INDIA = timezone(timedelta(hours=5, minutes=30))


def maps(rows: Any) -> Iterable[Json]:
    """The objects of a list; whatever else stands in it is left out."""
    listed = rows if isinstance(rows, Iterable) and not isinstance(rows, str | bytes | Mapping) else ()
    return (row for row in listed if isinstance(row, Mapping))


def text(row: Json, *names: str) -> str:
    """The first of these fields that says something. Ids come as numbers or strings and are compared as strings."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and (said := UNSTORABLE.sub("", value).strip()):
            return said
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""


def whole(value: Any) -> int | None:
    """A count; ``2``, ``2.0`` and ``"2"`` are one, ``true`` and ``"two"`` are none."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 16:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None


def link(value: Any) -> str:
    """An https address, or one of this machine (the sandbox); anything else is no link."""
    found = value.strip() if isinstance(value, str) and not UNSTORABLE.search(value) else ""
    return found if re.match(r"(https://|http://(localhost|127\.0\.0\.1|\[::1\])[:/])[^\s]", found, re.IGNORECASE) else ""


def values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def moment(value: Any) -> datetime | None:
    """A time as ISO text, as the shop's local "2026-09-16 18:30", or as epoch seconds or milliseconds."""
    try:
        found = _moment(value)
    except (ValueError, OverflowError, OSError):
        return None
    return found if found is not None and found.year in YEARS else None


def _moment(value: Any) -> datetime | None:
    if isinstance(value, str) and not value.strip().isdigit():
        found = datetime.fromisoformat(value.strip())
        return found if found.tzinfo else found.replace(tzinfo=INDIA)
    number = whole(value)
    if number is None:
        return None
    return datetime.fromtimestamp(number / 1000 if number > 10**11 else number, UTC)

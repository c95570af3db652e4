"""How any sentence is put together: prices, lists, counted lines, and the cleaning of words that are not ours. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from interactions import text
from interactions.contracts import Choice, Reply
from swiggy_instamart.carts import LONGEST_TITLE, Line

ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)\S*", re.IGNORECASE)
QUOTES = '"“”‘`'
READ_OUT = 3  # options and cart lines; a screen shows the rest


def clean(title: str, *, most: int = 60) -> str:
    """A peer's words on one short line: no control or format characters, no quotes of their own, no link."""
    kept = "".join(c for c in text.visible(title) if c not in QUOTES)
    line = " ".join(ADDRESS.sub("(a link)", kept).split()) or "unnamed"
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def titled(title: str) -> str:
    """The title of a cart line: its name may be cut short, its size never is."""
    return clean(title, most=LONGEST_TITLE)


def rupees(paise: int | None) -> str:
    if paise is None:
        return "a price I could not read"
    return f"₹{paise // 100}" if paise % 100 == 0 else f"₹{paise // 100}.{paise % 100:02d}"


def listed(parts: Sequence[str], *, last: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def ask(text: str, *says: str | Choice, key: str | None = None, **data: Any) -> Reply:
    choices = tuple(Choice(say) if isinstance(say, str) else say for say in says)
    return Reply(text, choices=choices, key=key, data=data)


def tell(text: str, **data: Any) -> Reply:
    return Reply(text, expects_reply=False, data=data)


def counted(line: Line, quantity: int | None = None) -> str:
    return f"{line.quantity if quantity is None else quantity} x {titled(line.title)}"


def some(lines: Sequence[Line]) -> str:
    """The first lines by name, the rest as a number."""
    parts = [counted(line) for line in lines[:READ_OUT]]
    rest = len(lines) - READ_OUT
    return listed([*parts, f"{rest} more"] if rest > 0 else parts)

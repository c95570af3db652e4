"""Rupees as Swiggy writes them, as whole paise.

A bill line may say a word, a price may be a number or a string; what cannot be read is ``None`` and is never guessed.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

WORDS_FOR_NOTHING = frozenset({"free", "nil"})
LIMIT_PAISE = 10**12  # beyond this a number is no price; it also keeps the value inside a database integer

_AMOUNT = re.compile(
    r"""\s*(?P<sign>[-+\u2212]?)\s*
        (?:(?:₹|rs\.?|inr)\s*)?
        (?P<inner>[-\u2212]?)\s*
        (?P<number>[0-9]{1,3}(?:,[0-9]{2,3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)
        \s*(?:/-)?\s*""",
    re.IGNORECASE | re.VERBOSE,
)


def paise(value: Any) -> int | None:
    """``30``, ``28.5``, ``"₹1,234.50"``, ``"-₹20"`` and ``"FREE"``; anything else is ``None``."""
    if isinstance(value, str) and value.strip().casefold() in WORDS_FOR_NOTHING:
        return 0
    return amount(value)


def amount(value: Any) -> int | None:
    """As ``paise``, but a number must stand there: a total in words is no total."""
    if isinstance(value, str):
        found = _AMOUNT.fullmatch(value)
        if found is None or (found["sign"] and found["inner"]):
            return None
        number = Decimal(found["number"].replace(",", ""))
        return _whole(-number if found["sign"] in ("-", "\u2212") or found["inner"] else number)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        return _whole(Decimal(str(value)))
    except InvalidOperation:
        return None


def total(value: Any) -> int | None:
    """What is to be paid: a number that is not negative."""
    found = amount(value)
    return found if found is not None and found >= 0 else None


def _whole(rupees: Decimal) -> int | None:
    if not rupees.is_finite() or abs(rupees) * 100 >= LIMIT_PAISE:
        return None
    exact = rupees * 100
    nearest = exact.to_integral_value()
    if abs(exact - nearest) > Decimal("0.0001"):  # more than the noise of a float: a third decimal is not ours to round
        return None
    return int(nearest)

"""Paise to the forms Swiggy shows: plain numbers in a search, strings in a bill. All sums are made in whole paise."""

from __future__ import annotations

from decimal import Decimal


def paise(rupees: str) -> int:
    """``"27.50"`` is 2750."""
    return int(Decimal(rupees) * 100)


def number(amount: int) -> int | float:
    """Rupees as JSON has them: ``28`` or ``27.5``."""
    return amount // 100 if amount % 100 == 0 else amount / 100


def text(amount: int, *, decimals: bool = False) -> str:
    """Rupees as a bill shows them: ``"₹1,234"``, or ``"₹1,234.50"``."""
    sign, amount = ("-", -amount) if amount < 0 else ("", amount)
    whole, part = divmod(amount, 100)
    return f"{sign}₹{whole:,}.{part:02d}" if decimals or part else f"{sign}₹{whole:,}"


def round_up(amount: int) -> int:
    """To the next whole rupee: bills never round down."""
    return -(-amount // 100) * 100

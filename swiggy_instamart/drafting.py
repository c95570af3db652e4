"""Items as they are named one after the other, and where an amount belongs among them. Pure.

An amount belongs to the item being named, to the next one, or to the name itself; one that has no place makes no wish.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from swiggy_instamart import goods, quantities
from swiggy_instamart.words import Tokens


@dataclass(slots=True)
class Draft:
    name: list[str] = field(default_factory=list)
    count: int | None = None
    amount: Fraction | None = None
    unit: str | None = None
    joined: bool = False  # to the one before it, by an "and"

    @property
    def numbered(self) -> bool:
        return self.count is not None or self.amount is not None

    def take(self, amount: quantities.Amount) -> bool:
        """Fill in the amount where it has a place; nothing at all and a second number of one kind have none."""
        if not amount.value:
            return False
        if amount.unit in quantities.MEASURES or amount.unit == "dozen":
            if self.amount is not None:
                return False
            self.amount, self.unit = amount.value, amount.unit
            return True
        if self.count is not None or amount.value.denominator != 1:
            return False
        self.count, self.unit = int(amount.value), self.unit or amount.unit
        return True


class Next(NamedTuple):
    """What is named behind an amount, up to the next joint or amount; and whether an amount comes there."""

    name: Tokens = ()
    counted: bool = False


def place(drafts: list[Draft], amount: quantities.Amount, *, last: bool, words_of: Tokens, behind: Next) -> bool:
    """Give an amount to the item being named, to the next one, or to the name itself."""
    draft = drafts[-1]
    if not draft.name:
        return draft.take(amount)
    if last:
        if amount.value == 0:  # "coke zero"
            draft.name += words_of
            return True
        return draft.take(amount)
    if draft.numbered and not (amount.unit in quantities.MEASURES and draft.amount is None):
        return _begin(drafts, amount)
    apart = behind.name and goods.known(goods.called(draft.name)) and not goods.one_thing(tuple(draft.name), behind.name)
    if apart:
        if goods.known(goods.called(behind.name)):
            return _between(drafts, amount, counted=behind.counted)
        if draft.numbered:
            return False  # "four maggi two kilo aashirvaad": the size of what was named, or so much of the next
    if amount.unit is not None:
        return draft.take(amount)
    draft.name += words_of
    return draft.numbered or not behind.counted  # "kurkure 2 lays 3": two things, or a name with a number in it


def _begin(drafts: list[Draft], amount: quantities.Amount) -> bool:
    drafts.append(Draft())
    return drafts[-1].take(amount)


def _between(drafts: list[Draft], amount: quantities.Amount, *, counted: bool) -> bool:
    """Two things of a list without commas. Where each begins with its number it is that of the second ("four maggi two kilo
    atta"), where each ends with it of the first ("milk one litre bread two"); in "maggi two kilo atta" it is of either.
    """
    if drafts[-1].numbered:
        return _begin(drafts, amount)
    if not counted or not drafts[-1].take(amount):
        return False
    drafts.append(Draft())
    return True


def close(drafts: list[Draft], *, joined: bool) -> bool:
    """A comma or an "and" ends the item. A bare number is the next one's; one with a unit is that of the item before."""
    if drafts[-1].name:
        drafts.append(Draft(joined=joined))
    elif drafts[-1].unit is not None and len(drafts) > 1:
        if not attach(drafts):
            return False
        drafts.append(Draft())
    return True


def attach(drafts: list[Draft]) -> bool:
    """Give a number without a name to the item before it: "milk, two packets"."""
    late = drafts.pop()
    if not late.numbered:
        return bool(drafts)
    if not drafts or (late.count is not None and drafts[-1].count is not None):
        return False
    if late.amount is not None and drafts[-1].amount is not None:
        return False
    drafts[-1].count = late.count if drafts[-1].count is None else drafts[-1].count
    drafts[-1].amount = late.amount if drafts[-1].amount is None else drafts[-1].amount
    drafts[-1].unit = drafts[-1].unit or late.unit
    return True

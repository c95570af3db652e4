"""Items as they are named one after the other, and where an amount belongs among them. Pure.

An amount belongs to the item being named, to the next one, or to the name itself; one that has no place makes no wish.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from swiggy_instamart import quantities
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


def place(drafts: list[Draft], amount: quantities.Amount, *, last: bool, words_of: Tokens) -> bool:
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
        drafts.append(Draft())
        return drafts[-1].take(amount)
    if amount.unit is not None:
        return draft.take(amount)
    draft.name += words_of
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

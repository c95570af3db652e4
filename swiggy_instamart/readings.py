"""The values that understanding hands on: which question is open, what was said, what was wanted. No rules of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction


class Said(StrEnum):
    """What was said, in one word."""

    YES = "yes"
    NO = "no"
    KEEP = "keep"
    CLEAR = "clear"
    PUT_BACK = "put_back"
    CHANGE_ADDRESS = "change_address"
    WANTED = "wanted"
    SELECT = "select"
    QUANTITY = "quantity"
    REMOVE = "remove"
    MORE = "more"
    FEWER = "fewer"
    REPLACE = "replace"
    SHOW_CART = "show_cart"
    COMPLETE = "complete"
    CONFIRM = "confirm"
    ALMOST = "almost"  # near the phrase that spends, and not it
    CANCEL = "cancel"
    RESEND = "resend"
    SKIP = "skip"
    TAKE_OVER = "take_over"
    SEVERAL = "several"
    UNFINISHED = "unfinished"
    ASKED = "asked"
    UNDO = "undo"
    OTHER = "other"
    ANY = "any"
    SAME = "same"
    WHERE_IS_ORDER = "where_is_order"
    WHAT_WAS_ORDERED = "what_was_ordered"
    STOP = "stop"
    HELP = "help"
    REPEAT = "repeat"
    NOTHING = "nothing"


class Waiting(StrEnum):
    """The question that is open."""

    NOTHING = "nothing"
    ADDRESS_YES = "address_yes"
    ADDRESS_LABEL = "address_label"
    CART_DECISION = "cart_decision"
    PICK = "pick"
    COUNT = "count"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Wanted:
    """``two milk``: count 2. ``half a kilo onions``: amount 1/2, unit kg. Both: that many packs of that size.

    ``parts``: two names joined by "and" that may be one product or two things; only a search can tell.
    """

    query: str
    count: int | None = None
    amount: Fraction | None = None
    unit: str | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """QUANTITY: ``number`` is the new count, of ``query`` or ``line`` or, where both are empty, of the last line.
    REMOVE: ``number`` is the line, else ``query``; both empty is the last line. MORE and FEWER: by ``number``, of ``query`` or
    of the last line. REPLACE: ``items`` in the place of ``number``, or all, of ``query``, ``line`` or the last
    line. SELECT: ``number``, from 1; else the one option
    that has the words of ``query``, the size of ``items`` and, of those, most of ``trait``. CHANGE_ADDRESS may name the label
    in ``query``. WANTED with ``too_many`` carries no items, so that none can be searched; with ``also`` it comes beside what is
    open; ``open_ended``: it broke off where more was to come. ASKED: whether there are such ``items``. SEVERAL: ``parts``, in
    their order. UNFINISHED: an amount of nothing yet. SAME: as ordered before, all of it or what ``query`` names. ``if_there``:
    the cart decides; WANTED counts anew what it holds already, and REPLACE is a wish where it does not hold what shall go.
    """

    said: Said
    items: tuple[Wanted, ...] = ()
    number: int | None = None
    query: str = ""
    line: int | None = None
    too_many: bool = False
    trait: str = ""
    also: bool = False
    open_ended: bool = False
    parts: tuple[Reading, ...] = ()
    if_there: bool = False
    bare: bool = field(default=False, compare=False)  # nothing but a number was said: it counts what was asked

    @property
    def understood(self) -> bool:
        """Whether the words were; what cannot be had where they were said is then told every time."""
        return self.said is not Said.NOTHING


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """``index`` of the one label meant; None with ``ambiguous`` where several could be."""

    index: int | None = None
    ambiguous: bool = False


NOT_UNDERSTOOD = Reading(Said.NOTHING)
CONFIRMING = frozenset({Said.CONFIRM, Said.ALMOST})
COUNTING = frozenset({Said.QUANTITY, Said.REMOVE, Said.MORE, Said.FEWER, Said.REPLACE})
EDITS = frozenset(
    {
        *(Said.WANTED, Said.QUANTITY, Said.REMOVE, Said.MORE, Said.FEWER, Said.REPLACE, Said.SEVERAL),
        *(Said.UNDO, Said.OTHER, Said.SAME),
        *(Said.SHOW_CART, Said.COMPLETE, Said.CHANGE_ADDRESS, Said.CANCEL, Said.STOP),
    }
)

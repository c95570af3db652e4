"""What is said when nothing was understood, and what can be said here. Pure: facts in, sentences out.

``Asked`` names the open question; each has its own first remark, and its own list of what works right now. Labels are the only
words of others in here.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from interactions.sentences import Sentences
from swiggy_instamart.wording import listed, plain


class Asked(StrEnum):
    """Which question is open, as far as its answers differ. The values name the sentences."""

    OPENING = "opening"
    TAKE_OVER = "take_over"
    ADDRESS = "address"
    LABEL = "label"
    OLD_CART = "old_cart"
    ITEM = "item"
    OPTION = "option"
    COUNT = "count"
    ONE_OR_TWO = "one_or_two"  # two names with an "and" between them
    OF_WHAT = "of_what"  # an amount, and nothing that it is of
    AS_BEFORE = "as_before"
    PUT_BACK = "put_back"
    PUT_HERE = "put_here"  # the cart is for another address
    REVIEW = "review"
    BUSY = "busy"
    PAYMENT = "payment"
    UNKNOWN = "unknown"


def can_be_said(
    say: Sentences, asked: Asked, *, label: str = "", labels: Sequence[str] = (), options: int = 0, lines: int = 0
) -> str:
    """What works right now, with an example that does."""
    match asked:
        case Asked.ADDRESS:
            return say("help.address", label=plain(say, label, most=40))
        case Asked.LABEL:
            named = next((plain(say, one, most=40) for one in labels if one), None)
            return say("help.label", example=named) if named else say("help.label.none")
        case Asked.OPTION if options == 1:
            return say("help.option.one")
        case Asked.OPTION:
            numbers = [str(number) for number in range(1, options + 1)]
            return say("help.option", numbers=listed(say, numbers, last="or"))
        case Asked.ITEM if lines:
            return say("help.more")
    return say(f"help.{asked}")


def missed(say: Sentences, asked: Asked) -> str:
    """The first remark, before the question comes again."""
    return say.either("missed", asked) or say("missed")


def quiet(say: Sentences, asked: Asked) -> str:
    """The one line before waiting without a word."""
    return say.either("missed.quiet", asked) or say("missed.quiet")


def no_words(say: Sentences, *, twice: bool) -> str:
    """Nothing but a breath or a filler came."""
    return say("no_words.again" if twice else "no_words")

"""Asking for the order to be placed, with answers around it: "yes, place the order", "nahi bas, order kar do". Pure.

Nothing of this spends: before a review it asks for one, and at a review it is told which words place the order.
"""

from __future__ import annotations

from collections.abc import Iterator

from swiggy_instamart import wishes, words
from swiggy_instamart.readings import Said
from swiggy_instamart.words import Phrases, Tokens

FIRST = frozenset(phrase[0] for phrase in words.PLACE)
COMPLETING = dict(words.WHOLE)["complete"]
ENDS = COMPLETING | words.TAILS - words.CART_PLACES
AROUND: Phrases = words.NEUTRAL | words.WRAPPERS | {(word,) for word in words.PLACE_AROUND | words.AGREEING}
# "Don't place the order" denies what follows, and answers nothing.
ANSWERS: tuple[tuple[Phrases, Said], ...] = (
    (COMPLETING, Said.COMPLETE),
    (frozenset(no for no in words.NO if not set(no) & words.DENYING_WHAT_FOLLOWS), Said.NO),
    (words.YES, Said.YES),
    (AROUND, Said.NOTHING),
)


def around(said: Tokens) -> frozenset[Said] | None:
    """The answers that stand around a wish to place the order; None where ``said`` is no such wish, or contradicts itself."""
    if not set(said) & FIRST or set(said) & words.CONFIRM_VERB:  # that comes near the phrase that spends
        return None
    answers: set[Said] = set()
    while said:
        if any(_places(core, answers) for core in _cores(said)):
            return None if {Said.YES, Said.NO} <= answers else frozenset(answers)
        taken, answer = max(
            ((wishes.starting(said, 0, ways), answer) for ways, answer in ANSWERS), key=lambda found: len(found[0])
        )
        if not taken:
            return None
        answers.add(answer)
        said = said[len(taken) :]
    return None


def agreed(said: Tokens) -> bool:
    """Whether it is a yes as well, which may answer what is open."""
    return Said.YES in (around(said) or ())


def _cores(said: Tokens) -> Iterator[Tokens]:
    """Without the small words, and without what completes behind it: "order it, that's all"."""
    while said:
        yield tuple(word for word in said if word not in words.PLACE_AROUND)
        said = said[: -len(wishes.ending(said, ENDS)) or -len(said)]


def _places(core: Tokens, answers: set[Said]) -> bool:
    """ "No order" wants none; "no, order it" does."""
    refused = Said.NO in answers and Said.COMPLETE not in answers
    return core in words.PLACE and not (refused and len(core) == 1)

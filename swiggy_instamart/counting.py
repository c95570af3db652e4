"""A number or an ordinal that is the whole turn: one of the options, or how many of what was just put in. Pure.

Which of the two it is, is told by the question that is open; a number inside a longer sentence selects nothing by itself.
"""

from __future__ import annotations

from interactions import text
from swiggy_instamart import grammar, quantities, wishes, words
from swiggy_instamart.readings import Reading, Said, Waiting
from swiggy_instamart.utterances import Spoken
from swiggy_instamart.words import Tokens

RETHINKING = words.CORRECTION | words.RETHINKING


def alone(turn: Spoken) -> Reading | None:
    """A number or an ordinal that is the whole turn (P112)."""
    plain = text.strip_farewell(turn.plain)
    option = plain[len(wishes.starting(plain, 0, words.ADD)) :]  # "I'll take option two"
    option = option[1:] if len(option) > 2 and set(option[:2]) <= words.OPTION else option  # "option number two"
    if set(option[:1]) & words.OPTION and (number := grammar.number(option[1:], expected=True)):
        return Reading(Said.SELECT, number=number)
    counted = plain[:-1] if turn.waiting is Waiting.PICK and set(plain[-1:]) & words.OPTION else ()
    if counted and (number := grammar.number(counted, expected=True)):
        return Reading(Said.SELECT, number=number)  # "do number"
    one = tuple(word for word in plain if word not in words.AROUND_ORDINAL)
    if len(one) == 1 and (number := quantities.ordinal(one[0])) is not None:
        return Reading(Said.SELECT, number=number)
    expected = turn.waiting in {Waiting.PICK, Waiting.COUNT}
    if turn.waiting is Waiting.COUNT:
        plain = _of_packs(plain)
        plain = plain[1:] if len(plain) > 1 and plain[0] in words.ONLY else plain
    number = grammar.number(plain, expected=expected)
    if number is None or (number == 0 and turn.waiting is not Waiting.COUNT):
        return None
    return Reading(Said.QUANTITY if turn.waiting is Waiting.COUNT else Said.SELECT, number=number, bare=True)


def anew(turn: Spoken) -> Reading | None:
    """ "Actually three", "sorry, two", "matlab teen": of what was just put in."""
    said = text.strip_farewell(turn.whole)
    cue = wishes.starting(said, 0, RETHINKING)
    behind = wishes.ending(said, RETHINKING) if not cue else ()
    rest = text.strip_courtesy(said[len(cue) : len(said) - len(behind)]) if cue or behind else ()
    count = (
        grammar.number(_of_packs(rest), expected=True) if rest and turn.waiting in (Waiting.NOTHING, Waiting.COUNT) else None
    )
    return Reading(Said.QUANTITY, number=count, bare=True) if count else None


def _of_packs(said: Tokens) -> Tokens:
    return said[:-1] if len(said) > 1 and quantities.UNITS.get(said[-1]) in quantities.COUNTED else said

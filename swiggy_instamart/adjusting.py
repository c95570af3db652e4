"""So many more or fewer than there are: "one more", "ek aur doodh", "two less of those", "increase the milk by one".

Pure. Only a number makes it one of these; "more milk" is a wish, and "make it two" sets a count. Of what is named nowhere, the
order decides which line is meant, or asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interactions import text
from swiggy_instamart import grammar, quantities, verbs, wishes, words
from swiggy_instamart.readings import NOT_UNDERSTOOD, Reading, Said, Waiting
from swiggy_instamart.words import Tokens

FIRST = words.ADD | words.MAKE_IT
LAST = words.ADD_VERBS | words.SET_VERBS
WAYS = ((words.MORE, Said.MORE), (words.FEWER, Said.FEWER))
CHANGES = ((words.RAISING, Said.MORE), (words.LOWERING, Said.FEWER))
MOST_WORDS = 4  # of a number


def by_a_number(marked: Tokens, waiting: Waiting) -> Reading | None:
    """ "One more", "two more of those", "ek aur doodh daal do", "doodh ek kam karo", "remove one of them"."""
    said = wishes.bare(marked)
    if waiting in grammar.ASKED_ADDRESS:
        return None
    telling = bool(set(said) & (words.MORE | words.FEWER | words.ONE_MORE | words.BY))
    readings = _taken(marked) if not telling else _more_taken(said) or _shifts(said)
    found = next(readings, None)
    return NOT_UNDERSTOOD if found and waiting is Waiting.PICK and not found.query else found  # of the options, or of the cart


def opens(said: Tokens) -> bool:
    """Whether it begins with so many more, which needs no verb: "one more milk", "another", "ek aur doodh"."""
    amount = quantities.at(said, 0, article=True) if said else None
    behind = said[amount.used :] if amount else ()
    return bool(said) and (said[0] in words.ONE_MORE or (bool(behind) and behind[0] in words.MORE))


def _shifts(said: Tokens) -> Iterator[Reading]:
    return (reading for core in _cores(said) if (reading := _counted(core) or _by(core)))


def _more_taken(said: Tokens) -> Iterator[Reading] | None:
    """ "Ek aur doodh hata do" takes one more away; none where the verb is another."""
    rest = next(verbs.closing(_untailed(said), words.REMOVE_VERBS), None)
    counted = _counted(wishes.plainly(rest)) if rest else None
    return None if rest is None else iter([replace(counted, said=Said.FEWER)] if counted else [])


def _taken(marked: Tokens) -> Iterator[Reading]:
    """ "Remove one of those", "inme se ek hata do", "take away two breads": so many, and not the line."""
    for rest in verbs.rests(marked, words.REMOVE, words.REMOVE_VERBS):
        reading = None if set(marked) & words.DENYING else _either_end(Said.FEWER, wishes.bare(rest))
        if reading and (reading.query or not set(rest) & words.BOTH):  # "both of them" may be two lines
            yield reading


def _cores(said: Tokens) -> Iterator[Tokens]:
    """The sentence without its verb and what stands around it, for each way to take them off."""
    said = _untailed(said)
    said = tuple(word for word in said if word not in words.ONLY)  # "only one more"
    said = said[1:] if said[:1] and said[0] in words.AND and opens(said[1:]) else said
    verb = wishes.starting(said, 0, FIRST)
    said = said[len(verb) - bool(verb and verb[-1] in words.ONE_MORE) :]
    for core in (*verbs.closing(said, LAST), said, verb + said):
        yield _untailed(wishes.plainly(core))


def _untailed(said: Tokens) -> Tokens:
    """Without courtesies and places at the end; "more" is none here."""
    said = text.strip_farewell(said)
    while (tail := wishes.ending(said, words.TAILS)) and not set(tail) & words.MORE:
        said = said[: -len(tail)]
    return said


def _counted(core: Tokens) -> Reading | None:
    """A number and the word for more, with the name before, between or behind them."""
    core = tuple(word for at, word in enumerate(core) if not (at and {word, core[at - 1]} <= words.MORE))  # "ek aur badhao"
    if core[:1] and core[0] in words.ONE_MORE:
        amount = None if wishes.starting(core, 1, words.NAMES) else quantities.at(core[1:], 0)
        number, used = (_packs(amount), amount.used) if amount else (1, 0)
        return _of(Said.MORE, number, core[1 + used :]) if number else None
    for ways, said in WAYS:
        for at in (at for at, word in enumerate(core) if word in ways):
            before, behind = core[:at], core[at + 1 :]
            if (number := so_many(before)) and (found := _of(said, number, behind)):
                return found
            if not before and behind not in words.AS_VERBS and (number := so_many(behind)):
                return _of(said, number, ())  # "aur ek"
            if not behind and (found := _either_end(said, before)):
                return found
    return None


def _either_end(said: Said, core: Tokens) -> Reading | None:
    """ "Doodh ek (kam)", "ek doodh (kam)", "one milk (less)". "Seven up" and "five star" are names."""
    first, last = wishes.starting(core, 0, words.NAMES), wishes.ending(("", *core), words.NAMES)
    for size in range(min(MOST_WORDS, len(core) - 1), 0, -1):
        for numbered, number, name in ((last, core[-size:], core[:-size]), (first, core[:size], core[size:])):
            if not numbered and (count := so_many(number)) and (found := _of(said, count, name)):
                return found
    return None


def _by(core: Tokens) -> Reading | None:
    """ "Increase the milk by two", "reduce it by one"."""
    for first, said in CHANGES:
        verb = wishes.starting(core, 0, first)
        for at in (at for at, word in enumerate(core) if verb and word in words.BY):
            if number := so_many(core[at + 1 :]):
                return _of(said, number, core[len(verb) : at])
    return None


def so_many(said: Tokens) -> int | None:
    """So many of a thing that is counted; a kilo more is a wish of its own."""
    amount = quantities.at(said, 0, article=True) if said else None
    if len(said) == 1 and said[0] in words.BOTH:
        return 2
    if amount is None:
        return grammar.number(said, expected=said in words.AS_VERBS) or None
    return _packs(amount) if amount.used == len(said) else None


def _packs(amount: quantities.Amount) -> int | None:
    counted = amount.unit is None or amount.unit in quantities.COUNTED
    return int(amount.value) if counted and amount.value.denominator == 1 and amount.value > 0 else None


def _of(said: Said, number: int, named: Tokens) -> Reading | None:
    """Of the thing that is named, or of that which was last spoken of. A number cut off behind an "and" is of neither."""
    if named and {named[0], named[-1]} & words.AND:
        return None
    while named and (named[0] in words.UNIT_OF or quantities.UNITS.get(named[0]) in quantities.COUNTED):
        named = named[1:]
    if named and (named[0] in quantities.UNITS or named[0] in words.OTHER_UNITS):
        return None  # "remove two litres of milk" counts no lines
    if not named or named in words.OF_THEM | words.THE_LAST or set(named) <= words.ONE:
        return Reading(said, number=number)
    items = wishes.parse(grammar.plain(named))
    bare = items and len(items) == 1 and items[0].count is None and items[0].amount is None and not items[0].parts
    return Reading(said, number=number, query=items[0].query) if items and bare else None

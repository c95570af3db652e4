"""One thing in the place of another: "replace the milk with curd", "curd instead of milk", "doodh ki jagah dahi".

Pure. Both must be told apart without doubt, else it is asked. What is there goes only when something was chosen in its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from swiggy_instamart import grammar, verbs, wishes, words
from swiggy_instamart.readings import Reading, Said, Waiting
from swiggy_instamart.words import Tokens

Pair = tuple[Tokens, Tokens]  # what goes, and what comes


def in_its_place(marked: Tokens, waiting: Waiting) -> Reading | None:
    marked = wishes.trimmed(marked)
    if waiting in grammar.ASKED_ADDRESS or wishes.starting(marked, 0, words.DELIVER):
        return None  # "change the address to office" is about no product
    return next((reading for goes, comes in _pairs(marked) if (reading := _read(goes, comes))), None)


def _pairs(marked: Tokens) -> Iterator[Pair]:
    said = wishes.bare(marked)
    yield from _verb_first(said)
    yield from _verb_last(said)
    for at in range(len(marked)):
        if behind := wishes.starting(marked, at, words.INSTEAD):  # "doodh ki jagah dahi"
            yield marked[:at], _wished(marked[at + len(behind) :])
        if before := wishes.starting(marked, at, words.INSTEAD_OF):
            yield from _around(marked[:at], marked[at + len(before) :])


def _verb_first(said: Tokens) -> Iterator[Pair]:
    """ "Replace X with Y"; "substitute Y for X" has them the other way round."""
    verb = wishes.starting(said, 0, words.REPLACE)
    rest = said[len(verb) :]
    for at, word in enumerate(rest if verb else ()):
        if word in words.REPLACED_WITH:
            turned = verb in words.PUT_FOR and word in words.PUT_FOR_WHAT
            yield (rest[at + 1 :], rest[:at]) if turned else (rest[:at], rest[at + 1 :])


def _verb_last(said: Tokens) -> Iterator[Pair]:
    """ "X ko Y se badal do", "isko Y se badal do"."""
    for rest in verbs.closing(said, words.REPLACE_VERBS):
        it = wishes.starting(rest, 0, words.THE_LAST)
        at = next((at for at, word in enumerate(rest) if word in words.REPLACED_OBJECT), 0)
        if (it or at) and rest[-1] in words.REPLACED_BEHIND:
            yield (it, rest[len(it) : -1]) if it else (rest[:at], rest[at + 1 : -1])


def _around(left: Tokens, right: Tokens) -> Iterator[Pair]:
    """ "Add Y instead of X", and "instead of X add Y", where a comma may stand for the verb."""
    if left:
        yield right, _wished(left)
        return
    for at, word in enumerate(right):
        verb = wishes.starting(right, at, words.ADD)
        if verb or word == wishes.COMMA:
            yield right[:at], _wished(right[at + (not verb) :])


def _wished(said: Tokens) -> Tokens:
    """Without its verb, at either end."""
    said = wishes.bare(said)
    rest = wishes.after(said, len(wishes.starting(said, 0, words.ADD)))
    return wishes.plainly(next(verbs.closing(rest, words.ADD_VERBS | words.SET_VERBS), rest))


def _read(goes: Tokens, comes: Tokens) -> Reading | None:
    goes = grammar.plain(wishes.plainly(wishes.bare(goes)))
    goes = grammar.plain(goes[1:]) if goes[:1] and goes[0] in words.ALL_OF else goes
    wanted = wishes.parse(comes) if goes and comes else None
    if not wanted or len(wanted) != 1 or wanted[0].parts:
        return None
    if goes in words.THE_LAST | words.OF_THEM:
        return Reading(Said.REPLACE, items=wanted)
    if (line := grammar.line_of(goes)) is not None:
        return Reading(Said.REPLACE, items=wanted, line=line)
    there = wishes.parse(goes)
    if not there or len(there) != 1 or there[0].amount is not None or there[0].parts:
        return None
    return Reading(Said.REPLACE, items=wanted, number=there[0].count, query=there[0].query)

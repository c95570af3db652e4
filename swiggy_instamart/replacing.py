"""One thing in the place of another: "replace the milk with curd", "curd instead of milk", "doodh nahi, dahi chahiye".

Pure. Both must be told apart without doubt, else it is asked. What is there goes only when something was chosen in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from swiggy_instamart import goods, grammar, verbs, wishes, words
from swiggy_instamart.readings import Reading, Said, Waiting, Wanted
from swiggy_instamart.words import Tokens

LAST = words.ADD_VERBS | words.SET_VERBS
VERBS_ONLY = words.ADD_VERBS - words.AS_VERBS
ANSWERED = {wishes.COMMA} | words.RATHER | words.SAYING_NO | words.SAYING_YES | words.NOT_BEHIND
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
    return wishes.plainly(next(verbs.closing(rest, LAST), rest))


def _read(goes: Tokens, comes: Tokens) -> Reading | None:
    goes = grammar.plain(wishes.plainly(wishes.bare(goes)))
    goes = grammar.plain(goes[1:]) if goes[:1] and goes[0] in words.ALL_OF else goes
    wanted = wishes.parse(comes) if goes and comes else None
    if wanted and 1 < len(wanted) <= grammar.MOST_ITEMS:
        return _out_and_in(goes, wanted)
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


def _out_and_in(goes: Tokens, wanted: tuple[Wanted, ...]) -> Reading | None:
    """ "Eggs hata ke milk aur bread daal do": nothing stands for the eggs alone, so they go at once."""
    there = wishes.parse(goes)
    if not there or len(there) != 1 or there[0] != Wanted(there[0].query):
        return None
    return Reading(Said.SEVERAL, parts=(Reading(Said.REMOVE, query=there[0].query), Reading(Said.WANTED, items=wanted)))


# ---- the one, and not the other -----------------------------------------------------------------------------------------


def rather(marked: Tokens, waiting: Waiting) -> Reading | None:
    """ "Not milk, curd", "doodh nahi, dahi chahiye", "curd, not milk": a wish, and what is denied goes where it is there."""
    denied = set(marked) & (words.NOT_BEFORE | words.NOT_BEHIND)
    asks = set(marked) & words.ASKING or set(marked[:1]) & words.QUESTION - words.NUMBER_OR_VERB
    if not denied or asks or waiting in grammar.ASKED_ADDRESS:
        return None
    return next((reading for goes, comes in _contrasted(_begun(marked)) if (reading := _rather(goes, comes, waiting))), None)


def _rather(goes: Tokens, comes: Tokens, waiting: Waiting) -> Reading | None:
    wished = _wished(comes)
    if grammar.number(wishes.bare(goes), expected=False) is not None:
        return _so_many_rather(wished, waiting)
    found = _read(goes, wished)
    if found is None or found.said is Said.SEVERAL or found.line is not None or words.ONLY & set(goes):
        return None
    item = found.items[0]
    # "doodh nahi mila" tells that none was found: what comes is a thing that shops have, or is asked for with a verb.
    if not (goods.known(item.query) or _is_asked_for(wishes.bare(comes)) or waiting is Waiting.PICK):
        return None
    if item.query == found.query:  # "not one milk, two milk"
        return Reading(Said.WANTED, items=found.items, if_there=True) if item.count else None
    return replace(found, if_there=True)


def _so_many_rather(wished: Tokens, waiting: Waiting) -> Reading | None:
    """ "Not two, three", "three milk, not two": only the number is denied."""
    count = grammar.number(wished, expected=False) if waiting in (Waiting.NOTHING, Waiting.COUNT) else None
    if count:
        return Reading(Said.QUANTITY, number=count, bare=True)
    items = wishes.parse(wished) if wished else None
    counted = items and len(items) == 1 and items[0].count and items[0].amount is None
    return Reading(Said.WANTED, items=items, if_there=True) if items and counted else None


def _is_asked_for(said: Tokens) -> bool:
    return bool(wishes.starting(said, 0, words.ADD)) or any(verbs.closing(said, LAST))


def _contrasted(marked: Tokens) -> Iterator[Pair]:
    if marked[:1] and marked[0] in words.NOT_BEFORE:
        for at in range(2, len(marked)):
            if marked[at] == wishes.COMMA or marked[at] in words.RATHER:
                yield marked[1:at], _begun(marked[at:])
        return
    for at in range(1, len(marked)):
        before, behind = marked[:at], _begun(marked[at + 1 :])
        if marked[at] in words.NOT_BEFORE:  # "curd, not milk", but not "the milk not boiled yet"
            named = wishes.bare(behind)
            told = before[-1] == wishes.COMMA or goods.known(" ".join(named)) or grammar.number(named, expected=False)
            yield from [(behind, before)] if told else []
        elif marked[at] in words.NOT_BEHIND and behind:
            if not _goes_on(behind):
                yield before, behind
        elif marked[at] in words.NOT_BEHIND:  # "dahi chahiye, doodh nahi"
            for cut in range(1, at):
                if marked[cut] == wishes.COMMA or any(verbs.closing(marked[:cut], words.ADD_VERBS)):
                    yield _begun(marked[cut:at]), marked[:cut]


def _goes_on(behind: Tokens) -> bool:
    """ "Doodh nahi to dahi" is a condition, and in "doodh nahi lao, dahi lao" the denial has a verb of its own."""
    return behind[0] in words.JOINING or bool(wishes.starting(behind, 0, VERBS_ONLY))


def _begun(said: Tokens) -> Tokens:
    """Without an answer, a comma or a "but" in front."""
    while said and (said[0] in ANSWERED or wishes.starting(said, 0, words.WRAPPERS)):
        said = said[len(wishes.starting(said, 0, words.WRAPPERS)) or 1 :]
    return said

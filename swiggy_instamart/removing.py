"""Taking something out of the cart: "remove the milk", "take the bread out", "doodh hata do". Pure.

What says that something goes but not what gives ``NOT_UNDERSTOOD``, so that no later rule makes an item of the sentence.
"""

from __future__ import annotations

from swiggy_instamart import grammar, verbs, wishes, words
from swiggy_instamart.readings import NOT_UNDERSTOOD, Reading, Said, Waiting
from swiggy_instamart.words import Tokens


def taken_out(marked: Tokens, waiting: Waiting) -> Reading | None:
    parted = marked[0] in words.TAKING_OUT
    taken = next((at for at, word in enumerate(marked) if word in {"out", "off", "of", "away"}), 0) if parted else 0
    if taken and ((len(marked) == taken + 1 and marked[taken] != "of") or wishes.trimmed(("it", *marked[taken:])) == ("it",)):
        return _removed(marked[1:taken], waiting)
    found = None
    for rest in verbs.rests(marked, words.REMOVE, words.REMOVE_VERBS):
        found = _removed(rest, waiting)
        if found != NOT_UNDERSTOOD:
            break
    denies = bool(set(marked) & words.DENYING)
    if waiting is Waiting.PICK and denies and found == Reading(Said.REMOVE):
        return Reading(Said.SKIP)  # "I don't want these": what was just read, and not what was put in before
    counted = found is not None and found.said in (Said.FEWER, Said.SEVERAL)
    # "Ek doodh nahi chahiye" wants none, or one less.
    return NOT_UNDERSTOOD if counted and denies else found


def _removed(rest: Tokens, waiting: Waiting) -> Reading:
    rest, whole = wishes.trimmed(rest), rest
    if verbs.denied(rest) or verbs.denied(whole):  # "doodh na hatao": at the end of a sentence "na" would be a courtesy
        return grammar.no(waiting)
    rest = rest[1 + (rest[1:2] == ("of",)) :] if rest[:1] and rest[0] in words.ALL_OF else rest  # "all of the milk"
    if (line := grammar.line_of(wishes.bare(rest))) is not None:
        return Reading(Said.REMOVE, number=line)
    if not rest or grammar.plain(rest) in words.THE_LAST:
        return Reading(Said.REMOVE) if rest else NOT_UNDERSTOOD
    items = wishes.parse(rest)
    adds = verbs.goes_on(rest) or any(wishes.starting(rest, at, words.AGAIN) for at in range(len(rest)))  # "and add bread"
    if not items or len(items) > grammar.MOST_ITEMS or adds or any(item.amount is not None for item in items):
        return NOT_UNDERSTOOD
    if any(item.count is not None for item in items):
        ways = ((Said.FEWER if item.count else Said.REMOVE, item) for item in items)
        parts = tuple(Reading(said, number=item.count, query=item.query) for said, item in ways)
        return parts[0] if len(parts) == 1 else Reading(Said.SEVERAL, parts=parts)
    named = len(items) > 1 or bool(items[0].parts)
    return Reading(Said.REMOVE, query=" and ".join(item.query for item in items), items=items if named else ())

"""The grammar of shopping talk: change, deliver to, add, and bare wishes, in this order, behind ``removing``.

Pure. A verb stands first ("add milk") or last ("doodh daal do"), and a language lists its own. A rule that knows its verb but
not the rest says ``NOT_UNDERSTOOD``, so that no later rule makes an item of the sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from swiggy_instamart import goods, quantities, verbs, wishes, words
from swiggy_instamart.readings import NOT_UNDERSTOOD, Reading, Said, Waiting
from swiggy_instamart.words import Tokens

MOST_ITEMS = 5
MOST_WORDS_BARE = 4
LONGEST_NUMBER = 4  # tokens
ASKED_ADDRESS = frozenset({Waiting.ADDRESS_YES, Waiting.ADDRESS_LABEL})
BARE_NUMBERED = frozenset({Waiting.NOTHING, Waiting.REVIEW, Waiting.PICK, Waiting.COUNT})

Rule = Callable[[Tokens, Waiting], Reading | None]


def number(said: Tokens, *, expected: bool) -> int | None:
    """A whole number that is all of ``said``. "to" is two only where a number is expected; "no" is never nine."""
    exact = quantities.whole(said, asked=expected)
    return int(exact) if exact is not None and exact.denominator == 1 else None


def no(waiting: Waiting) -> Reading:
    """ "doodh mat daalo": not this. Among options it may refuse any of them."""
    return NOT_UNDERSTOOD if waiting is Waiting.PICK else Reading(Said.NO)


# ---- change -------------------------------------------------------------------------------------------------------------


def _make_it(marked: Tokens, _: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    verb = wishes.starting(said, 0, words.MAKE_IT)
    wish = verb or wishes.starting(said, 0, words.ADD)
    rest, of_those = _without_tail(said[len(wish) :])
    if verb:
        rest = next(verbs.closing(rest, words.ADD_VERBS | words.SET_VERBS), rest)  # "sirf teen chahiye"
    count = number(rest, expected=bool(verb))
    if count is not None and (verb or of_those):
        return Reading(Said.QUANTITY, number=count)
    if verb[:1] == ("make",) and (items := wishes.parse(rest)) and len(items) == 1 and items[0].count and not items[0].amount:
        return Reading(Said.WANTED, items=items, if_there=True)  # "make it two milk"
    return NOT_UNDERSTOOD if verb and not set(verb) & words.ONLY else None


def _change(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    if waiting in ASKED_ADDRESS or "address" in said:
        return None
    if verb := wishes.starting(said, 0, words.CHANGE):
        rest, _ = _without_tail(said[len(verb) :])
        for size in range(min(LONGEST_NUMBER, len(rest) - 1), 0, -1):
            count = number(rest[-size:], expected=True)
            named = rest[:-size]
            if count is None:
                continue
            if size == 1 and rest[-1] == "to":
                return NOT_UNDERSTOOD if named[-1:] != ("to",) else _changed(named[:-1], count)
            return _changed(named[:-1] if named[-1:] == ("to",) else named, count)
        return NOT_UNDERSTOOD
    found = None
    said = wishes.trimmed(marked)
    others = [len(rest) for rest in verbs.closing(said, words.ADD_VERBS | words.REMOVE_VERBS)]
    for rest in verbs.closing(said, words.SET_VERBS):
        if others and min(others) < len(rest):
            continue  # "bread add karo" adds
        whole = wishes.plainly(wishes.bare(rest))
        rest, _ = _without_tail(whole)
        found = no(waiting) if verbs.denied(rest) or verbs.denied(whole) else _set(rest)
        if found != NOT_UNDERSTOOD:
            break
    return found


def _set(rest: Tokens) -> Reading:
    """ "doodh teen" and "teen doodh", whose verb said that this is how many there shall be."""
    for size in range(min(LONGEST_NUMBER, len(rest)), 0, -1):
        if (count := number(rest[-size:], expected=True)) is not None:
            return _changed(rest[:-size], count)
        if (count := number(rest[:size], expected=True)) is not None:
            return _changed(rest[size:], count)
    return NOT_UNDERSTOOD


def _changed(named: Tokens, count: int) -> Reading:
    for prefix in (("quantity", "of"), ("number", "of"), ("count", "of"), ("the", "quantity", "of"), ("the", "number", "of")):
        named = named[len(prefix) :] if named[: len(prefix)] == prefix else named
    if named[-1:] in (("quantity",), ("count",)):
        named = named[:-1]
    if (line := line_of(named)) is not None:
        return Reading(Said.QUANTITY, number=count, line=line)
    named = plain(named)
    if named[:1] in (("a",), ("an",)):
        return NOT_UNDERSTOOD  # "make a new one"
    if not named or named in words.THE_LAST:
        return Reading(Said.QUANTITY, number=count)
    if set(named) & (words.FUNCTION | words.OFF_TOPIC) or len(named) > wishes.MOST_WORDS:
        return NOT_UNDERSTOOD
    return Reading(Said.QUANTITY, number=count, query=" ".join(goods.named(named)))


def _deliver(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    verb = wishes.starting(said, 0, words.DELIVER) if waiting not in ASKED_ADDRESS else ()  # there the label is looked for
    if not verb:
        return None
    label = plain(wishes.trimmed(said[len(verb) :]))
    return Reading(Said.CHANGE_ADDRESS, query=" ".join(label)) if label else NOT_UNDERSTOOD


# ---- add ----------------------------------------------------------------------------------------------------------------


def _add(marked: Tokens, waiting: Waiting) -> Reading | None:
    found, asks = None, False
    verb = verbs.opening(wishes.bare(marked), words.ADD_OR_AND, words.ADD_VERBS)
    if waiting in ASKED_ADDRESS and verb and verb[0] != "add":
        return NOT_UNDERSTOOD
    for rest in verbs.rests(marked, words.ADD_OR_AND, words.ADD_VERBS):
        if verbs.denied(rest):
            return no(waiting)
        if rest[:1] == ("to",) and set(verb) & words.WISH:
            return NOT_UNDERSTOOD  # "I want to swim" says no number
        count = number(wishes.bare(rest), expected=True) if waiting is Waiting.COUNT else None
        if count is not None and set(wishes.bare(marked)) & words.WISH:
            return Reading(Said.QUANTITY, number=count, bare=True)  # "teen chahiye", when that is what was asked
        if rest[:1] and not verb and rest[0] in words.NOT_A_WISH | words.QUESTION and not quantities.at(rest, 0):
            return NOT_UNDERSTOOD
        if (items := _wanted(rest, waiting)) is not None:
            return _placed(items, marked)
        found = found or _unfinished(rest, waiting)
        asks = True
    return found or (NOT_UNDERSTOOD if asks else None)


def bare(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    if waiting not in BARE_NUMBERED:
        return None
    counted = wishes.starting(said, 0, words.NAMES) or quantities.at(said, 0, article=True)
    if said[0] in words.NOT_A_WISH | words.QUESTION | words.DENIALS and not counted:
        return None
    reading = _wanted(marked, waiting)
    if reading is None:
        return _unfinished(marked, waiting) if waiting is Waiting.NOTHING else None
    if any(item.count is not None or item.amount is not None for item in reading.items):
        return _placed(reading, marked)
    short = all(len(item.query.split()) <= MOST_WORDS_BARE for item in reading.items)
    return _placed(reading, marked) if waiting is Waiting.NOTHING and short else None


def _wanted(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    if waiting is Waiting.PICK and said[-1:] == ("one",) and "the" in said:
        return None  # "the nandini one" is one of those just read
    items = wishes.parse(marked) if marked else None
    if not items:
        return None
    many = sum(len(item.parts) or 1 for item in items) > MOST_ITEMS
    return Reading(Said.WANTED, too_many=True) if many else Reading(Said.WANTED, items=items)


def _unfinished(marked: Tokens, waiting: Waiting) -> Reading | None:
    """An amount of something that is still to be named: "I need two litres"."""
    said = tuple(word for word in wishes.bare(wishes.trimmed(marked)) if word not in words.HEADS)
    amount = quantities.at(said, 0) if said and waiting in (Waiting.NOTHING, Waiting.COUNT) else None
    if amount is None or amount.used != len(said) or amount.unit is None or amount.value <= 0:
        return None
    return Reading(Said.UNFINISHED)


def _placed(reading: Reading, marked: Tokens) -> Reading:
    """Whether it comes beside what is open already, and whether it broke off."""
    return replace(reading, also=marked[0] in words.ALSO, open_ended=marked[-1] in words.AND)


# ---- lines --------------------------------------------------------------------------------------------------------------


def line_of(said: Tokens) -> int | None:
    """A cart line by its number: "item 2", "the second one"."""
    said = plain(said)
    said = said[1:] if said[:2] == ("item", "number") else said
    if len(said) > 1 and said[0] in {"item", "number", "line"}:
        return number(said[1:], expected=True)
    core = said[:-1] if len(said) == 2 and (said[1] in words.ONE or said[1] in {"item", "line"}) else said
    return quantities.ordinal(core[0]) if len(core) == 1 else None


def plain(said: Tokens) -> Tokens:
    return said[1:] if said[:1] in (("the",), ("my",), ("our",)) else said


def _without_tail(said: Tokens) -> tuple[Tokens, bool]:
    of_those = False
    while tail := wishes.ending(said, words.MAKE_TAILS):
        of_those |= tail[0] == "of" and tail not in words.CART_PLACES
        if tail == ("too",):
            break  # "make it too" is "make it two"
        said = said[: -len(tail)]
    return said, of_those


COMMANDS: tuple[Rule, ...] = (_make_it, _change, _deliver, _add)

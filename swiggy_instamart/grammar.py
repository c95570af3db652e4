"""The grammar of shopping talk: remove, change, deliver to, add, and bare wishes, in this order.

Pure. A rule that knows its verb but not the rest says ``NOT_UNDERSTOOD``, so that no later rule makes an item of the sentence.
"""

from __future__ import annotations

from collections.abc import Callable

from swiggy_instamart import quantities, wishes, words
from swiggy_instamart.readings import NOT_UNDERSTOOD, Reading, Said, Waiting
from swiggy_instamart.words import Tokens

MOST_ITEMS = 5
MOST_WORDS_BARE = 4
LONGEST_NUMBER = 4  # tokens
THE_LAST = frozenset(
    {
        "",
        "it",
        "that",
        "this",
        "last",
        "last one",
        "last item",
        "last line",
        "last thing",
        "that one",
        "this one",
        "them",
        "those",
    }
)
ASKED_ADDRESS = frozenset({Waiting.ADDRESS_YES, Waiting.ADDRESS_LABEL})
BARE_NUMBERED = frozenset({Waiting.NOTHING, Waiting.REVIEW, Waiting.PICK, Waiting.COUNT})


def read(marked: Tokens, *, waiting: Waiting) -> Reading | None:
    if not wishes.bare(marked):
        return None
    return next((reading for rule in RULES if (reading := rule(marked, waiting))), None)


def command(marked: Tokens, *, waiting: Waiting) -> Reading | None:
    """As ``read``, but only what begins with a verb, and only if it was understood."""
    found = next((reading for rule in RULES[:-1] if (reading := rule(marked, waiting))), None)
    return None if found == NOT_UNDERSTOOD else found


def number(said: Tokens, *, expected: bool) -> int | None:
    """A whole number that is all of ``said``. "to" is two only where a number is expected; "no" is never nine."""
    exact = quantities.whole(said, asked=expected)
    return int(exact) if exact is not None and exact.denominator == 1 else None


def _remove(marked: Tokens, _: Waiting) -> Reading | None:
    verb = wishes.starting(marked, 0, words.REMOVE)
    taken = next((at for at, word in enumerate(marked) if word in {"out", "off", "away"}), 0) if marked[0] == "take" else 0
    if not verb and taken and (len(marked) == taken + 1 or wishes.trimmed(("it", *marked[taken:])) == ("it",)):
        verb, marked = ("take",), marked[:taken]
    if not verb:
        return None
    rest = wishes.trimmed(wishes.after(marked, len(verb)))
    rest = rest[1 + (rest[1:2] == ("of",)) :] if rest[:1] == ("all",) else rest  # "all of the milk"
    if (line := _line(wishes.bare(rest))) is not None:
        return Reading(Said.REMOVE, number=line)
    named = _plain(rest)
    if " ".join(named) in THE_LAST and rest:
        return Reading(Said.REMOVE)
    items = wishes.parse(rest) if rest else None
    # "remove two milk" could mean two of it or the line: ask.
    if not items or len(items) > MOST_ITEMS or any(i.amount is not None or (i.count or 1) != 1 for i in items):
        return NOT_UNDERSTOOD
    return Reading(Said.REMOVE, query=" and ".join(item.query for item in items), items=items if len(items) > 1 else ())


def _make_it(marked: Tokens, _: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    verb = wishes.starting(said, 0, words.MAKE_IT)
    wish = verb or wishes.starting(said, 0, words.ADD)
    rest, of_those = _without_tail(said[len(wish) :])
    count = number(rest, expected=bool(verb))
    if count is not None and (verb or of_those):
        return Reading(Said.QUANTITY, number=count)
    return NOT_UNDERSTOOD if verb and verb[0] not in {"only", "just", "i"} else None


def _change(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    verb = wishes.starting(said, 0, words.CHANGE)
    if not verb or waiting in ASKED_ADDRESS or "address" in said:
        return None
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


def _changed(named: Tokens, count: int) -> Reading:
    for prefix in (("quantity", "of"), ("number", "of"), ("count", "of"), ("the", "quantity", "of"), ("the", "number", "of")):
        named = named[len(prefix) :] if named[: len(prefix)] == prefix else named
    if named[-1:] in (("quantity",), ("count",)):
        named = named[:-1]
    if (line := _line(named)) is not None:
        return Reading(Said.QUANTITY, number=count, line=line)
    named = _plain(named)
    query = " ".join(named)
    if named[:1] in (("a",), ("an",)):
        return NOT_UNDERSTOOD  # "make a new one"
    if query in THE_LAST:
        return Reading(Said.QUANTITY, number=count)
    if set(named) & (words.FUNCTION | words.OFF_TOPIC) or len(named) > wishes.MOST_WORDS:
        return NOT_UNDERSTOOD
    return Reading(Said.QUANTITY, number=count, query=query)


def _deliver(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    verb = wishes.starting(said, 0, words.DELIVER) if waiting not in ASKED_ADDRESS else ()  # there the label is looked for
    if not verb:
        return None
    label = _plain(wishes.trimmed(said[len(verb) :]))
    return Reading(Said.CHANGE_ADDRESS, query=" ".join(label)) if label else NOT_UNDERSTOOD


def _add(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    verb = wishes.starting(said, 0, words.ADD_OR_AND)
    if not verb:
        return None
    if waiting in ASKED_ADDRESS and verb[0] != "add":
        return NOT_UNDERSTOOD
    rest = wishes.after(marked, len(verb))
    if rest[:1] == ("to",) and set(verb) & {"want", "need", "like"}:
        return NOT_UNDERSTOOD  # "I want to swim" says no number
    return _wanted(rest, waiting) or NOT_UNDERSTOOD


def _bare(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    if waiting not in BARE_NUMBERED:
        return None
    counted = wishes.starting(said, 0, words.NAMES) or quantities.at(said, 0, article=True)
    if said[0] in words.NOT_A_WISH | words.QUESTION | words.DENIALS and not counted:
        return None
    reading = _wanted(marked, waiting)
    if reading is None or any(item.count is not None or item.amount is not None for item in reading.items):
        return reading
    short = all(len(item.query.split()) <= MOST_WORDS_BARE for item in reading.items)
    return reading if waiting is Waiting.NOTHING and short else None


def _wanted(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(marked)
    if waiting is Waiting.PICK and said[-1:] == ("one",) and "the" in said:
        return None  # "the nandini one" is one of those just read
    items = wishes.parse(marked) if marked else None
    if not items:
        return None
    return Reading(Said.WANTED, items=items) if len(items) <= MOST_ITEMS else Reading(Said.WANTED, too_many=True)


def _line(said: Tokens) -> int | None:
    """A cart line by its number: "item 2", "the second one"."""
    said = _plain(said)
    said = said[1:] if said[:2] == ("item", "number") else said
    if len(said) > 1 and said[0] in {"item", "number", "line"}:
        return number(said[1:], expected=True)
    core = said[:-1] if len(said) == 2 and said[1] in {"item", "one", "line"} else said
    return quantities.ordinal(core[0]) if len(core) == 1 else None


def _plain(said: Tokens) -> Tokens:
    return said[1:] if said[:1] in (("the",), ("my",), ("our",)) else said


def _without_tail(said: Tokens) -> tuple[Tokens, bool]:
    of_those = False
    while tail := wishes.ending(said, words.MAKE_TAILS):
        of_those |= tail[0] == "of" and tail not in words.CART_PLACES
        if tail == ("too",):
            break  # "make it too" is "make it two"
        said = said[: -len(tail)]
    return said, of_those


RULES: tuple[Callable[[Tokens, Waiting], Reading | None], ...] = (_remove, _make_it, _change, _deliver, _add, _bare)

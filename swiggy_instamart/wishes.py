"""What a person wants from the shop: "add two milk and a bread" into items with counts and amounts.

Pure. Works on tokens between which commas are kept, since a comma may part two items and may as well be the recogniser's whim.
Anything that could be about something else gives ``None``, and the caller asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interactions import text
from swiggy_instamart import ambiguity, drafting, goods, lexicon, quantities, words
from swiggy_instamart.drafting import Draft
from swiggy_instamart.readings import Wanted
from swiggy_instamart.words import Phrases, Tokens

COMMA = ","
MOST_WORDS = 8  # of one product; longer is a story
# The end of a wish cut short, or of none.
DANGLING = frozenset({"for", "from", "with", "of", "the", "in", "on", "until", "a", "an"})
_NEGATIVE = re.compile(r"[-\u2212]\d.*")
_PRICE = re.compile(r"[$\u20ac\u00a3\u20b9]\s*(\d[\d.]*)")  # money is no count
_PARTING = re.compile(r"[;\n]|,(?!\d)|(?<!\d),(?=\d)")  # a comma between digits is part of the number


def mark(spoken: str) -> Tokens:
    """The tokens of ``spoken`` with its commas between them."""
    out: list[str] = []
    for part in _PARTING.split(_PRICE.sub(r"\1 rs", spoken)):
        out += [*quantities.split(text.tokens(part)), COMMA]
    return tuple(out[:-1])


def bare(marked: Iterable[str]) -> Tokens:
    return tuple(word for word in marked if word != COMMA)


def after(marked: Tokens, count: int) -> Tokens:
    """What is left of ``marked`` when its first ``count`` words are gone."""
    for at, word in enumerate(marked):
        if count == 0 and word != COMMA:
            return marked[at:]
        count -= word != COMMA
    return ()


def trimmed(marked: Tokens) -> Tokens:
    """Without the places and courtesies at the end, and without "to the cart" anywhere."""
    while marked:
        if marked[-1] == COMMA:
            marked = marked[:-1]
            continue
        last = ending(marked, words.TAILS)
        if not last:
            break
        marked = marked[: -len(last)]
    at = 0
    while at < len(marked):
        place = starting(marked, at, words.CART_PLACES)
        marked = marked[:at] + marked[at + len(place) :] if place else marked
        at += 0 if place else 1
    return marked


def plainly(marked: Tokens) -> Tokens:
    """Without the little words that a verb brings along ("doodh ko hata do"): only where a verb was heard."""
    return tuple(word for word in marked if word not in words.PARTICLES)


def starting(marked: Tokens, at: int, *lists: Phrases) -> Tokens:
    """The longest phrase of these lists that stands at ``at``, or nothing."""
    longest: Tokens = ()
    for phrases in lists if at < len(marked) else ():
        sizes = lexicon.lengths(phrases).get(marked[at], ())
        longest = max(longest, next((found for n in sizes if (found := marked[at : at + n]) in phrases), ()), key=len)
    return longest


def ending(marked: Tokens, phrases: frozenset[Tokens]) -> Tokens:
    """The longest of ``phrases`` at the end, unless nothing would be left before it."""
    sizes = range(min(words.LONGEST_PHRASE, len(marked) - 1), 0, -1)
    return next((found for size in sizes if (found := marked[-size:]) in phrases), ())


def parse(marked: Tokens) -> tuple[Wanted, ...] | None:
    """The items of a wish whose verb has been taken off already."""
    marked = trimmed(marked)
    drafts = [Draft()]
    at = 0
    while at < len(marked):
        draft, word = drafts[-1], marked[at]
        if word in {"minus", "negative"} or _NEGATIVE.fullmatch(word) or (not draft.name and word in words.TAKING_AWAY):
            return None  # less than nothing, or what is not wanted; "bread without sugar" is a bread
        name = starting(marked, at, words.NAMES)
        again = starting(marked, at, words.AGAIN)
        if name and not draft.numbered and all(map(_counts, name)) and _counts("".join(marked[at + len(name) :][:1])):
            return None  # "twenty twenty four" is a year, or four of them
        if name:
            draft.name.append(" ".join(name))  # whole, so that its "to" or "and" is not looked at again
            at += len(name)
        elif again or word == COMMA or word in words.AND:
            if not drafting.close(drafts, joined=word in words.AND):
                return None
            at += max(1, len(again))
        elif not draft.name and word in {"to", "too"} and not draft.numbered and marked[at + 1 : at + 2] not in ((), (COMMA,)):
            draft.count = 2
            at += 1
        elif not draft.name and not draft.numbered and starting(marked, at + 1, words.NUMBERED) and quantities.whole((word,)):
            draft.count = int(quantities.whole((word,)) or 0)  # "two seven up"
            at += 1
        elif amount := quantities.at(marked, at, article=not draft.name):
            words_of, at = marked[at : at + amount.used], at + amount.used
            if not drafting.place(drafts, amount, last=_is_last(marked, at), words_of=words_of, behind=_next(marked, at)):
                return None
        elif not draft.name and (kind := starting(marked, at, words.ANY_KIND)) and len(kind) < len(marked) - at:
            at += len(kind)  # "any brand of oil" is an oil
        elif not draft.name and (
            word in words.HEADS | text.FILLERS
            or (draft.amount is not None and quantities.UNITS.get(word) in quantities.COUNTED)
        ):
            at += 1
        elif quantities.unclear(marked, at) or word in words.UNIT_ALONE:
            return None  # a number that can be read in two ways
        elif word in words.NUMBERED_PLACES and quantities.whole(marked[at + 1 : at + 2]) is not None:
            return None  # "tower 3"
        else:
            draft.name.append(word)
            at += 1
    if not drafts[-1].name and not drafting.attach(drafts):
        return None
    return _checked(drafts)


def _is_last(marked: Tokens, at: int) -> bool:
    return at >= len(marked) or marked[at] == COMMA or marked[at] in words.AND or bool(starting(marked, at, words.AGAIN))


def _next(marked: Tokens, at: int) -> drafting.Next:
    name: Tokens = ()
    while not _is_last(marked, at):
        if not (whole := starting(marked, at, words.NAMES)) and quantities.at(marked, at):
            return drafting.Next(name, counted=True)
        name += whole or marked[at : at + 1]
        at += len(whole) or 1
    return drafting.Next(name)


def _checked(drafts: list[Draft]) -> tuple[Wanted, ...] | None:
    wanted = []
    for draft in _in_a_row(drafts):
        while len(draft.name) > 1 and draft.name[-1] in words.HEADS - DANGLING:
            draft.name.pop()  # "dhaniya thoda", "one kilo tomato only"
        name = set(draft.name)
        if (
            not name
            or len(draft.name) > MOST_WORDS
            or draft.name[-1] in DANGLING
            or not goods.sold(tuple(draft.name))
            or name & words.FUNCTION
            or name & words.OFF_TOPIC
            or _of_a_meal(tuple(draft.name))
            or tuple(draft.name) in words.ONLY_A_VERB
            or (draft.count is not None and draft.name[0] in words.FEWER)
            or (draft.numbered and goods.in_a_row(tuple(draft.name)))
            or (len(name) == 1 and len(draft.name[0]) == 1 and draft.name[0].isascii())  # "B 12"
            or ((draft.count or 0) > ambiguity.MOST_PACKS and not goods.known(goods.called(draft.name)))  # "pin code 560001"
        ):
            return None
        if all(word in words.DESCRIBING or quantities.ordinal(word) or _counts(word) for word in draft.name):
            return None  # "I want the first one", "the big one" is about the list just read, not about a product
        wanted.append(Wanted(goods.called(draft.name), draft.count, draft.amount, draft.unit))
    return _together(drafts) or tuple(wanted)


def _in_a_row(drafts: list[Draft]) -> Iterator[Draft]:
    """Several things that were named without a pause, each by itself. A number before them would be of one, or of all."""
    for draft in drafts:
        several = () if draft.numbered else goods.in_a_row(tuple(draft.name))
        yield from [Draft(list(name)) for name in several] if several else [draft]


def _counts(word: str) -> bool:
    return quantities.whole((word,), asked=True) is not None and word not in words.UNIT_OR_PRODUCT


def _of_a_meal(name: Tokens) -> bool:
    """ "Two cups of flour", "salt in the dal": what is cooked, served or lying about, and not bought."""
    lying = (set(name[at + 1 : at + 3]) & words.KITCHEN for at, word in enumerate(name) if at and word in words.KITCHEN_IN)
    return bool(starting(name, 0, words.SERVED)) or any(lying)


def _together(drafts: list[Draft]) -> tuple[Wanted, ...]:
    """Two bare names with an "and" between them, not both known as things of their own: one product perhaps, or two."""
    unsettled = len(drafts) == 2 and drafts[1].joined and not any(draft.numbered for draft in drafts)
    if not unsettled or all(goods.known(goods.called(draft.name)) for draft in drafts):
        return ()
    parts = tuple(goods.called(draft.name) for draft in drafts)
    return (Wanted(" and ".join(parts), parts=parts),)

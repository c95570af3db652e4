"""What is meant without its whole name: one of the options just read, what was ordered before, and what is only asked about.

Pure. An option is named by its words, its size or what it has most of ("the cheapest one"); the options tell which that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from swiggy_instamart import goods, grammar, quantities, verbs, wishes, words
from swiggy_instamart.readings import Reading, Said, Waiting, Wanted
from swiggy_instamart.words import Phrases, Tokens

MOST_WORDS = 4
MOST_OPTIONS = 3  # that are read out


def one_of_them(marked: Tokens, waiting: Waiting) -> Reading | None:
    """ "The big one", "amul wala", "the half litre one", "sasta wala de do": while options are open, and only then."""
    return _option(marked, pointed=True) if waiting is Waiting.PICK else None


def by_name(marked: Tokens, waiting: Waiting) -> Reading | None:
    """ "Amul gold", when nothing else was understood."""
    return _option(marked, pointed=False) if waiting is Waiting.PICK else None


def _option(marked: Tokens, *, pointed: bool) -> Reading | None:
    said = wishes.bare(wishes.trimmed(marked))
    if wishes.starting(said, 0, words.REMOVE, words.CHANGE, words.MAKE_IT) or any(verbs.closing(said, words.REMOVE_VERBS)):
        return None
    verb = wishes.starting(said, 0, words.ADD)
    said = said[len(verb or wishes.starting(said, 0, words.TAKE)) :]
    for core in (*verbs.closing(said, words.ADD_VERBS | words.SET_VERBS), said):
        reading = _described(wishes.plainly(core), pointed=pointed)
        if reading is not None and not (verb and reading.number):  # "I want the first one" counts something
            return reading
    return None


def _described(said: Tokens, *, pointed: bool) -> Reading | None:
    at_one = any(word in words.ONE for word in said)
    the = said[:1] == ("the",)
    said = tuple(word for word in grammar.plain(said) if word not in words.ONE | {"the"})
    if len(said) == 1 and (place := quantities.ordinal(said[0])) is not None:
        return Reading(Said.SELECT, number=place)
    trait = next((trait for trait, ways in words.TRAITS.items() if ways & set(said)), "")
    said = tuple(word for word in said if word not in (words.TRAITS[trait] | words.MOST | words.OPTION if trait else ()))
    size: tuple[Wanted, ...] = ()
    for at in range(len(said)):
        amount = quantities.at(said, at)
        if amount and amount.unit in quantities.MEASURES and (at_one or amount.used == len(said)):
            size = (Wanted("", None, amount.value, amount.unit),)
            said = said[:at] + said[at + amount.used :]
            break
    if not size and (pieces := _pieces(said, pointed=the or at_one)):
        size, said = (Wanted("", None, Fraction(pieces), "piece"),), ()
    if pointed and not (at_one or trait or size):
        return None
    if not (trait or size or said) or not _nameable(said) or (said and not (at_one or _brief(said))):
        return None
    return Reading(Said.SELECT, items=size, query=" ".join(goods.named(said)), trait=trait)


def _pieces(said: Tokens, *, pointed: bool) -> int | None:
    """ "The 12 pack", "the pack of 6", "12 wala": how many pieces are in it. "12 pack" alone may be twelve packs."""
    if len(said) == 1 and pointed:
        number = grammar.number(said, expected=True)
        return number if number and number > MOST_OPTIONS else None  # a smaller one may be its place
    packed = len(said) in (2, 3) and quantities.UNITS.get(said[-1 if len(said) == 2 else 0]) in quantities.COUNTED
    if packed and len(said) == 3 and said[1] in words.UNIT_OF:
        return grammar.number(said[2:], expected=True)
    return grammar.number(said[:1], expected=True) if packed and len(said) == 2 and pointed else None


def _nameable(said: Tokens) -> bool:
    barred = words.FUNCTION | words.OFF_TOPIC | words.NOT_A_WISH | words.QUESTION | words.DENIALS | words.NUMBERING | words.AND
    return len(said) <= MOST_WORDS and not set(said) & barred and not any(map(_counts, said))


def _brief(said: Tokens) -> bool:
    """A bare name of an option: words of which none only describes."""
    return not set(said) & (words.DESCRIBING | words.TAKING_AWAY | words.HEADS)


def _counts(word: str) -> bool:
    return quantities.whole((word,), asked=True) is not None


# ---- as ordered before --------------------------------------------------------------------------------------------------


def same(marked: Tokens, waiting: Waiting) -> Reading | None:
    """ "The usual milk", "same milk as last time", "wahi doodh", "doodh pichli baar wala"."""
    if waiting in grammar.ASKED_ADDRESS:
        return None
    said = wishes.bare(wishes.trimmed(marked))
    said = grammar.plain(said[len(wishes.starting(said, 0, words.ADD)) :])
    for core in (*verbs.closing(said, words.ADD_VERBS), said):
        before = wishes.starting(core, 0, words.SAME_BEFORE)
        rest = core[len(before) :]
        after = wishes.ending(rest, words.SAME_AFTER)
        items = wishes.parse(wishes.plainly(rest[: len(rest) - len(after)])) if before or after else None
        if items and len(items) == 1 and goods.known(items[0].query):
            return Reading(Said.SAME, query=items[0].query)
    return None


# ---- questions ----------------------------------------------------------------------------------------------------------


def asked(marked: Tokens, waiting: Waiting) -> Reading | None:
    """Whether the shop has something, and what it costs: looked up and said, and nothing else."""
    if waiting in grammar.ASKED_ADDRESS:
        return None
    said = wishes.bare(marked)
    for rest, surely in _asked_about(said):
        items = wishes.parse(wishes.plainly(rest)) if rest else None
        if items and len(items) <= grammar.MOST_ITEMS and all(surely or goods.known(item.query) for item in items):
            return Reading(Said.ASKED, items=items)
    return None


def _asked_about(said: Tokens) -> Iterator[tuple[Tokens, bool]]:
    """What a question is about, for each way to read it; and whether only a shop is asked like that."""
    before, behind = _both(said, words.ASK_BEFORE, words.ASK_AFTER)
    rest = said[len(before) : len(said) - len(behind)]
    if before and behind:
        yield rest, len(before) > 1
        return  # "do you have rooms available" asks of nothing that is called "rooms available"
    if before:
        yield said[len(before) :], len(before) > 2
        end = wishes.ending(said[len(before) :], words.ASK_IS)
        if end:
            yield said[len(before) : -len(end)], False
    if behind:
        yield said[: -len(behind)], False
    be = wishes.starting(said, 0, words.ASK_IS)
    if be and behind:
        yield said[len(be) : len(said) - len(behind)], False
    before, behind = _both(said, words.PRICE_BEFORE, words.PRICE_AFTER)
    if before or (behind and behind[0] not in words.QUESTION & {"cost", "costs"}):
        yield said[len(before) : len(said) - len(behind)], False


def _both(said: Tokens, first: Phrases, last: Phrases) -> tuple[Tokens, Tokens]:
    before = wishes.starting(said, 0, first)
    return before, wishes.ending(said[len(before) :], last)

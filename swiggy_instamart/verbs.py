"""Where a verb stands in a sentence: first ("add milk") or last ("doodh daal do"), in any of the forms that a language lists.

Pure. What is a verb in one place may be a number or food in another ("do", "daal"), so every way to part them is offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from swiggy_instamart import quantities, wishes, words
from swiggy_instamart.words import Phrases, Tokens

NAMED = frozenset({*words.NAMES, *words.GOODS, *words.SPELLINGS})
SHORT = 4  # letters; a shorter word of Hindi may begin a sentence as something else


def opening(said: Tokens, first: Phrases, last: Phrases) -> Tokens:
    """The verb that begins the sentence, in either order of words."""
    return wishes.starting(said, 0, first, _unmistakable(last))


def closing(marked: Tokens, last: Phrases) -> Iterator[Tokens]:
    """What stands before a verb at the end, for each verb it may be: "ek kilo daal do" puts one kilo, or gives one of dal."""
    for size in range(min(words.LONGEST_PHRASE, len(marked)), 0, -1):
        at = len(marked) - size
        if marked[at:] in last and not _cuts_a_name(marked, at):
            yield marked[:at]


def rests(marked: Tokens, first: Phrases, last: Phrases) -> Iterator[Tokens]:
    """The sentence without its verb, for each verb that it may have."""
    if verb := opening(wishes.bare(marked), first, last):
        yield _before_na(wishes.after(marked, len(verb)))
    for rest in closing(wishes.trimmed(marked), last):
        yield wishes.plainly(rest)
        if rest[-1:] and rest[-1] in words.AND and quantities.whole(rest[:-1]):
            return  # "ek aur daal do" puts in one more, and no lentils


def _before_na(rest: Tokens) -> Tokens:
    """ "Get some bread na" asks nicely; before a verb the same word denies."""
    return rest[:-1] if len(rest) > 1 and rest[-1] in words.DENYING_BEFORE_VERB else rest


def denied(rest: Tokens) -> bool:
    """Whether what stands before the verb takes it back: "doodh mat (daalo)", "doodh na (daalo)"."""
    said = rest[-1:] if len(rest) > 1 or not set(rest) & words.DENYING_BEFORE_VERB else ()  # "(daal do) na" asks nicely
    return bool(set(said) & (words.DENIALS | words.DENYING_BEFORE_VERB)) or bool(wishes.ending(("", *rest), words.NOT_VERB))


def goes_on(rest: Tokens) -> bool:
    """ "Milk and one more bread", "milk and one": what stands behind the "and" is added, or is of nobody knows what."""
    for at, word in enumerate(rest, 1):
        behind = rest[at:]
        if (word not in words.AND and word != wishes.COMMA) or wishes.starting(behind, 0, words.NAMES):
            continue
        amount = quantities.at(behind, 0, article=True)
        named = behind[amount.used if amount else 0 :]
        adds = named[:1] and named[0] in words.MORE | words.ONE_MORE and (amount or named[0] not in words.AND)
        if adds or (amount and not wishes.bare(wishes.trimmed(("", *named))[1:])):
            return True
    return False


def _cuts_a_name(marked: Tokens, at: int) -> bool:
    return any(
        start + len(name) > at
        for start in range(max(0, at - words.LONGEST_PHRASE), at)
        if (name := wishes.starting(marked, start, NAMED)) and start + len(name) < len(marked)
    )


@cache
def _unmistakable(last: Phrases) -> Phrases:
    """Of verbs that end a sentence, those that may as well begin it."""
    return frozenset(verb for verb in last if len(verb) > 1 or (len(verb[0]) > SHORT and verb not in words.KNOWN | words.ADD))

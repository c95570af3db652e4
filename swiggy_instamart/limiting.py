"""So many and no more: "only one milk", "doodh ek hi rakho", "keep one milk", "one milk is enough".

Pure. What it comes to is told by the cart: of a line that is there it is the count, and of anything else a wish. Beside a verb
that puts in ("add only one milk") it is a wish like any other.
"""

from __future__ import annotations

from swiggy_instamart import adjusting, grammar, quantities, verbs, wishes, words
from swiggy_instamart.readings import NOT_UNDERSTOOD, Reading, Said, Waiting
from swiggy_instamart.words import Tokens

STAYING = words.KEPT | words.LEFT
OTHER_VERBS = words.ADD_VERBS | words.REMOVE_VERBS
LIMITS = words.ONLY | words.ONLY_BEHIND
COUNTING = words.DENYING | words.MORE | words.ONE_MORE | words.FEWER  # "only one more" is one more
TELLING = LIMITS | {phrase[0] for phrase in STAYING | words.KEEPING}


def so_many_only(marked: Tokens, waiting: Waiting) -> Reading | None:
    said = wishes.bare(wishes.trimmed(marked))
    if not set(said) & TELLING or waiting in grammar.ASKED_ADDRESS or set(marked) & COUNTING:
        return None
    if (left := wishes.ending(said, words.LEFT)) and said[: -len(left)] in words.THE_LAST | words.OF_THEM:
        return Reading(Said.SKIP) if waiting is Waiting.PICK else NOT_UNDERSTOOD  # "isko rehne do"
    plain = tuple(word for at, word in enumerate(said) if not _limits(said, at))
    limited = len(plain) < len(said)
    keeps, core = _kept(plain, limited=limited)
    if limited and (number := adjusting.so_many(core)):
        return Reading(Said.QUANTITY, number=number)  # "ek hi packet"
    items = wishes.parse(wishes.plainly(core)) if core and (keeps or limited) else None
    if not items or len(items) != 1 or items[0].count is None or items[0].amount is not None:
        return None
    if not limited and wishes.ending(plain, words.LEFT):
        return NOT_UNDERSTOOD  # "ek doodh rehne do" leaves one out, or leaves one in
    if keeps:
        return Reading(Said.QUANTITY, number=items[0].count, query=items[0].query)
    return Reading(Said.WANTED, items=items, if_there=True)


def _limits(said: Tokens, at: int) -> bool:
    """ "Only" wherever it stands, "just" and "sirf" before a number, "hi" behind one."""
    word = said[at]
    if word in words.ONLY and (word in words.ONLY_BEHIND or _counts(said[at + 1 : at + 2]) or at + 1 == len(said)):
        return True
    return word in words.ONLY_BEHIND and _counts(said[max(0, at - 1) : at])


def _counts(one: Tokens) -> bool:
    return bool(one) and (one[0] in LIMITS or quantities.whole(one, asked=True) is not None)


def _kept(said: Tokens, *, limited: bool) -> tuple[bool, Tokens]:
    """Whether it shall stay so many of what is there, and the thing; nothing where a verb says something else."""
    if verb := wishes.starting(said, 0, words.KEEPING, *((words.LEFT,) if limited else ())):
        return True, said[len(verb) :]
    if end := wishes.ending(said, STAYING):
        return True, _number_first(said[: -len(end)])
    if not limited:
        return False, ()
    verb = wishes.starting(said, 0, words.ADD, words.REMOVE, words.CHANGE)
    if verb and not set(verb) & words.WISH:
        return False, ()
    said = said[len(verb) :]
    core = said[: len(said) - len(wishes.ending(said, words.KEEP_ONLY))]
    others = [len(rest) for rest in verbs.closing(said, OTHER_VERBS)]
    if others and min(others) < len(core):
        return False, ()  # "sirf ek doodh add karo"
    return False, _number_first(core) if len(core) < len(said) else core


def _number_first(core: Tokens) -> Tokens:
    """ "Doodh do" with its verb behind it is two milk, and nobody is told to give."""
    return core[-1:] + core[:-1] if core[-1:] and core[-1] in words.NUMBER_OR_VERB else core

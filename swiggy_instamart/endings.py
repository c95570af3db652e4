"""Where a sentence breaks off ("add two", "half a litre", "milk and", "do packet"), and whether what came next goes on with it.

Pure. A sentence is open-ended by its last words and its reading together: an answer, a yes, a reserved word or a whole command
is complete however it ends, and nothing that has to do with confirming is ever open.
"""

from __future__ import annotations

from interactions import text
from swiggy_instamart import hearing, labels, listening, machine, quantities, understanding, utterances, verbs, wishes, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.readings import Reading, Said, Waiting
from swiggy_instamart.turn import Turn
from swiggy_instamart.words import Tokens

FIRST = words.ADD_OR_AND | words.REMOVE | words.CHANGE | words.MAKE_IT | words.REPLACE | words.DELIVER | words.WRAPPERS
BEGINS = FIRST - {(word,) for word in words.ALSO} - words.WRAPPERS
LAST = words.ADD_VERBS | words.REMOVE_VERBS | words.SET_VERBS | words.REPLACE_VERBS
MONEY = understanding.CONFIRMING | words.CONFIRM_VERB
# What may go on; and what else may where it ends in a conjunction or preposition.
WISHES = frozenset(
    {Said.NOTHING, Said.WANTED, Said.UNFINISHED, Said.ASKED, Said.REMOVE, Said.FEWER, Said.REPLACE, Said.SEVERAL}
)
HANGING = WISHES | {Said.QUANTITY, Said.CHANGE_ADDRESS}
WHOLE = HANGING - {Said.NOTHING} | {Said.MORE}  # what two finals may come to
COUNTS_NOTHING = frozenset({Waiting.NOTHING, Waiting.REVIEW})  # where a number answers no question


def breaks_off(turn: Turn, spoken: str) -> bool:
    """Whether more is surely to come."""
    said = _said(turn, spoken)
    if turn.phase not in machine.BEFORE or not 0 < len(said) <= utterances.LONGEST or set(said) & MONEY:
        return False
    if said in words.HESITATION:
        return False  # "hold on"
    if said[-1] in words.OPEN_ENDED:
        return _reading(turn, spoken).said in HANGING and not _names_address(turn, spoken)
    if _counted(turn) or not _ends_in_amount(said):
        return False
    reading = _reading(turn, spoken)
    return reading.said in WISHES or (reading.said is Said.SELECT and reading.bare)


def goes_on(turn: Turn, begun: str, more: str) -> bool:
    """Whether ``more`` goes on with what broke off: no answer, no command of its own, and together they say something."""
    alone, together = _reading(turn, more), f"{begun} {more}"
    number = alone.bare and not _counted(turn)
    named = alone.said is Said.SELECT and alone.number is None  # a name among options, as it may be of anything
    if not (alone.said in WISHES or number or named) or set(text.tokens(together)) & MONEY or _is_its_own(turn, begun, more):
        return False
    return _reading(turn, together).said in WHOLE or breaks_off(turn, together) or _names_address(turn, together)


def _is_its_own(turn: Turn, begun: str, more: str) -> bool:
    """Whether ``more`` has a verb that is not that of ``begun``: "add two", "add bread"; but "do packet", "doodh do"."""
    first, then = _said(turn, begun), _said(turn, more)
    if first[-1:] and first[-1] in words.AND:
        return False
    if verbs.opening(then, BEGINS, frozenset()):
        return True
    ends = any(rest for rest in verbs.closing(wishes.trimmed(then), LAST))
    return ends and bool(verbs.opening(first, FIRST, LAST))


# ---- the end of a sentence ----------------------------------------------------------------------------------------------


def _said(turn: Turn, spoken: str) -> Tokens:
    """The words, without the name and courtesies in front and without what is only murmured at the end."""
    said = wishes.bare(utterances.of(spoken, turn.names, Waiting.NOTHING).marked)
    while said and said[-1] in text.FILLERS - words.OPEN_ENDED:
        said = said[:-1]
    return said


def _ends_in_amount(said: Tokens) -> bool:
    """Whether it ends in an amount of what is still to be named, or in a bare number, behind which a unit may come."""
    if wishes.ending(("", *said), words.NAMES):
        return False  # "seven up"
    for start in range(len(said)):
        amount = quantities.at(said, start, article=True)
        if amount is not None and start + amount.used == len(said):
            named = _unwrapped(said[:start])
            return not named or (amount.unit is None and named[-1] not in words.NUMBERING)
    return False


def _unwrapped(before: Tokens) -> Tokens:
    """What is named in front of an amount, in its own clause, without verbs and the small words around them."""
    joint = max((at for at, word in enumerate(before) if word in words.AND), default=-1)
    named = before[joint + 1 :]
    while named:
        verb = verbs.opening(named, FIRST, LAST)
        if not verb and named[0] not in words.HEADS | text.FILLERS:
            return named
        named = named[len(verb) or 1 :]
    return named


# ---- the question that is open ------------------------------------------------------------------------------------------


def _reading(turn: Turn, spoken: str) -> Reading:
    return hearing.read(spoken, names=turn.names, waiting=listening.waiting(turn))


def _counted(turn: Turn) -> bool:
    """Whether a number is the answer that is waited for."""
    return listening.waiting(turn) not in COUNTS_NOTHING or bool(turn.state.get("unsettled"))


def _names_address(turn: Turn, spoken: str) -> bool:
    asked = turn.phase in (Phase.ADDRESS, Phase.ADDRESSES)
    return asked and labels.answered(spoken, turn.labels, turn.names).index is not None

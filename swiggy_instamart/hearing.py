"""What a person meant: one utterance in, one ``Reading`` out. Pure; it decides nothing and never guesses a purchase.

``LADDER`` is tried from top to bottom: universal words, the answers the phase waits for, the grammar of shopping talk. The
money phrase stands before it and is judged on the text as heard. A language model, when there is one, is one more rung.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from interactions import text
from swiggy_instamart import (
    clauses,
    counting,
    grammar,
    inquiries,
    placing,
    quantities,
    references,
    replacing,
    replying,
    roundabout,
    showing,
    stopping,
    utterances,
    wishes,
    words,
)
from swiggy_instamart.readings import EDITS, NOT_UNDERSTOOD, Reading, Said, Waiting, Wanted
from swiggy_instamart.utterances import Spoken
from swiggy_instamart.words import Tokens

__all__ = ["Reading", "Said", "Waiting", "Wanted", "read"]


def read(spoken: str, *, names: Iterable[str] = (), waiting: Waiting = Waiting.NOTHING) -> Reading:
    """What was meant by ``spoken`` while the question ``waiting`` is open."""
    names = tuple(names)
    if text.is_phrase(spoken, words.CONFIRM_PHRASES, names):
        return Reading(Said.CONFIRM)
    turn = utterances.of(spoken, names, waiting)
    return _climb(turn) if len(turn.marked) <= utterances.LONGEST else NOT_UNDERSTOOD


# ---- the ladder ---------------------------------------------------------------------------------------------------------


def _climb(turn: Spoken) -> Reading:
    return next((reading for rung in LADDER if (reading := rung(turn))), NOT_UNDERSTOOD)


def _universal(turn: Spoken) -> Reading | None:
    for said, phrases in words.UNIVERSAL:
        if _is(turn, phrases):
            return Reading(Said(said))
    first = turn.plain[:1]
    if len(set(turn.plain)) == 1 and first in words.STOP:
        return Reading(Said.STOP)  # "stop stop stop"
    if first and first[0] in words.STOP_FIRST and not set(turn.plain) & words.OFF_TOPIC:
        return Reading(Said.STOP)  # a stop word wins over what follows it, unless that is somebody else's business
    return Reading(Said.STOP) if stopping.ends(turn.plain) else None


def _command(turn: Spoken) -> Reading | None:
    """Whole turns that mean one thing, wherever they are said."""
    for said, phrases in words.WHOLE:
        if _is(turn, phrases) and not (said == Said.OTHER and turn.waiting is Waiting.PICK and _counts_off(turn)):
            return Reading(Said(said))
    if turn.waiting in grammar.ASKED_ADDRESS and _is(turn, words.CHANGE_ADDRESS_IF_ASKED):
        return Reading(Said.CHANGE_ADDRESS)
    return _placing(turn) or _after_all(turn)


def _after_all(turn: Spoken) -> Reading | None:
    """ "Bas, order pura karo", "bas, cart dikhao"."""
    rest = wishes.after(turn.marked, 1) if set(turn.plain[:1]) & words.ENOUGH else ()
    return _command(Spoken(rest, rest, turn.waiting)) if rest else None


def _placing(turn: Spoken) -> Reading | None:
    """ "Place the order", "haan order kar do": at a review it is told which words place it; before, it asks for the review."""
    answers = frozenset[Said]() if _is(turn, words.PLACE) else placing.around(turn.plain)
    if answers is None:
        return None
    if turn.waiting is Waiting.REVIEW:
        return Reading(Said.YES)
    takes = turn.waiting is Waiting.PICK and Said.YES in answers and Said.COMPLETE not in answers
    return Reading(Said.YES if takes else Said.COMPLETE)  # "yes, order it": that option


def _counts_off(turn: Spoken) -> bool:
    """Whether "doosra", which is the other one and the second one, has options to count."""
    return any(quantities.ordinal(word) for word in turn.plain)


def _about_an_order(turn: Spoken) -> Reading | None:
    """What became of an order, or what it was."""
    asked = inquiries.read(text.strip_farewell(turn.plain))
    return None if asked is None else Reading(INQUIRIES[asked.ask])


def _about_the_cart(turn: Spoken) -> Reading | None:
    return Reading(Said.SHOW_CART) if showing.asks(text.strip_farewell(turn.plain)) else None


def _rather(turn: Spoken) -> Reading | None:
    return replacing.rather(turn.marked, turn.waiting)


def _almost(turn: Spoken) -> Reading | None:
    """Near the phrase that spends. At the review a bare "confirm" is; elsewhere it says yes like any other word."""
    if turn.waiting is Waiting.REVIEW and replying.denies_confirming(turn.whole):
        return Reading(Said.NO)
    near = bool(turn.whole) and replying.almost_confirms(turn.whole)
    return Reading(Said.ALMOST) if near and (turn.waiting is Waiting.REVIEW or set(turn.whole) & words.CONFIRM_OBJECT) else None


def _yes_or_no(turn: Spoken) -> Reading | None:
    if _is(turn, words.HESITATION):
        return Reading(Said.NO) if turn.waiting is Waiting.REVIEW else NOT_UNDERSTOOD  # "one second" counts nothing
    if _is(turn, words.UNDECIDED):
        return NOT_UNDERSTOOD
    if _is(turn, words.YES):
        return Reading(Said.YES)
    left, seen = turn.whole, set[Said]()
    while left:
        phrase, said = _longest(left)
        if not phrase:
            break
        seen |= {said} if said else set()
        left = left[len(phrase) :]
    if not left:
        return Reading(Said.NO) if Said.NO in seen else Reading(Said.YES) if Said.YES in seen else None
    if replying.doubts(turn.plain):
        return NOT_UNDERSTOOD
    if turn.waiting is not Waiting.PICK and (sense := replying.sense(turn.plain)):
        return Reading(sense)
    return _rider(turn, left, seen) if turn.plain and (seen or turn.plain[0] in words.DENIALS) else None


def _longest(left: Tokens) -> tuple[Tokens, Said | None]:
    tables = ((words.NO, Said.NO), (words.YES, Said.YES), (words.NEUTRAL, None))
    return max(((wishes.starting(left, 0, table), said) for table, said in tables), key=lambda found: len(found[0]))


def _rider(turn: Spoken, left: Tokens, seen: set[Said]) -> Reading:
    """A yes or a no that goes on is an edit if the rest is a command; else a no stands and a yes does not."""
    said_so_far = set(turn.whole[: len(turn.whole) - len(left)])
    denied = Said.NO in seen or turn.plain[0] in words.DENIALS
    rest = wishes.after(turn.marked, len(turn.plain) - len(left))
    while rest and rest[0] in words.JOINING | {wishes.COMMA}:
        rest = rest[1:]
    # "don't add milk": what follows is the thing denied. After a plain no it may be the correction ("no, make it three").
    if (rest and rest[0] in words.DENIALS) or (denied and (not rest or said_so_far & words.DENYING_WHAT_FOLLOWS)):
        return _refused(turn, rest)
    if Said.YES in seen and not denied and rest in words.ADD_VERBS:
        return Reading(Said.YES)  # "haan daal do"
    edit = _climb(replace(turn, whole=rest, marked=rest, waiting=Waiting.REVIEW)) if rest else NOT_UNDERSTOOD
    if edit.said in EDITS and not (denied and edit.said is Said.WANTED and not clauses.verbal(rest)):
        return edit
    count = grammar.number(wishes.bare(rest), expected=turn.waiting is Waiting.COUNT) if denied else None
    if count and turn.waiting in (Waiting.NOTHING, Waiting.COUNT):
        return Reading(Said.QUANTITY, number=count, bare=True)  # "no no, three": of what was just put in
    option = references.one_of_them(rest, turn.waiting)
    if option is not None and (option.number or set(rest) & words.ONE):
        return option  # "no, the big one"; "no, bigger" wants another
    return _refused(turn, rest) if denied else NOT_UNDERSTOOD


def _refused(turn: Spoken, rest: Tokens) -> Reading:
    """A no that goes on. Among options it may mean any of them ("no, the other one"), so only words that skip refuse them."""
    if turn.waiting is not Waiting.PICK:
        return Reading(Said.NO)
    return Reading(Said.SKIP) if rest and _is(replace(turn, whole=rest, marked=rest), words.SKIP) else NOT_UNDERSTOOD


def _unwrapped(turn: Spoken) -> Reading | None:
    """ "I want to complete the order", "can you remove the milk": what stands behind the wrapping, if it is a command."""
    wrapper = wishes.starting(turn.plain, 0, words.WRAPPERS)
    rest = wishes.after(turn.marked, len(wrapper)) if wrapper else ()
    if not rest:
        return None
    inner = Spoken(rest, rest, Waiting.NOTHING if turn.waiting is Waiting.REVIEW else turn.waiting)
    whole = next((found for rung in (_universal, _command, _about_an_order, _unwrapped) if (found := rung(inner))), None)
    found = whole or clauses.command(rest, waiting=turn.waiting)
    asked = wrapper[0] in {"can", "could", "may"} and wrapper[-1] == "i"
    return None if found and asked and found.said is Said.WANTED else _beside(found, turn)  # "can I bring pets" orders none


def _roundabout(turn: Spoken) -> Reading | None:
    """ "I'm out of soap, so order some": what it comes to."""
    said = roundabout.straight(turn.marked)
    inner = Spoken(said, said, turn.waiting) if said else None
    return _beside((_unwrapped(inner) or _shopping(inner)) if inner else None, turn)


def _beside(found: Reading | None, turn: Spoken) -> Reading | None:
    """ "And a bread" stays beside what is open."""
    return replace(found, also=True) if found and found.said is Said.WANTED and turn.marked[0] in words.ALSO else found


def _shopping(turn: Spoken) -> Reading | None:
    found = clauses.read(turn.marked, waiting=turn.waiting)
    if found is not None and found.said is Said.WANTED and utterances.cries_out(turn) and not clauses.verbal(turn.marked):
        return None
    if found is not None and found.said is Said.WANTED and set(turn.plain) & words.NEGATING_BEHIND:
        return Reading(Said.NO) if turn.waiting in YES_OR_NO else NOT_UNDERSTOOD  # "doodh nahi chahiye" wants no milk
    return None if found == NOT_UNDERSTOOD else found


def _denial(turn: Spoken) -> Reading | None:
    """What denies, once it is clear that it is no command: "that is not what I want", "doodh nahi chahiye"."""
    denies = replying.denies(turn.plain) or bool(set(turn.plain) & words.NEGATING_BEHIND)
    return Reading(Said.NO) if denies and turn.waiting in YES_OR_NO and not replying.doubts(turn.plain) else None


def _is(turn: Spoken, phrases: frozenset[Tokens]) -> bool:
    return not turn.foldings.isdisjoint(phrases)


YES_OR_NO = frozenset({Waiting.ADDRESS_YES, Waiting.REVIEW})
INQUIRIES = {inquiries.Ask.WHERE: Said.WHERE_IS_ORDER, inquiries.Ask.WHAT: Said.WHAT_WAS_ORDERED}
LADDER: tuple[Callable[[Spoken], Reading | None], ...] = (
    _universal,
    _command,
    _about_an_order,
    _about_the_cart,
    _roundabout,
    _rather,
    _almost,
    _yes_or_no,
    counting.anew,
    counting.alone,
    _unwrapped,
    _shopping,
    _denial,
)

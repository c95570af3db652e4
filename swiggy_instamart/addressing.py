"""What is said while the address, or the cart that was there, is asked about: an answer, wishes, or both. Pure.

A wish waits for the answer, whether it comes beside it or before it; nothing is looked for and no cart is touched until then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from interactions import text
from interactions.contracts import Heard, Step
from swiggy_instamart import hearing, labels, postponed, prompts, questions, speech, wishes, words
from swiggy_instamart.machine import On
from swiggy_instamart.readings import CONFIRMING, COUNTING, Reading, Said, Waiting
from swiggy_instamart.turn import Happened, Turn
from swiggy_instamart.words import Tokens

LATER = CONFIRMING | {Said.SHOW_CART, Said.CLEAR, Said.KEEP, Said.WANTED, Said.COMPLETE} | COUNTING
PARTING = words.AND | words.JOINING | {wishes.COMMA}
LONGEST = 24  # words of a sentence that is looked at in two parts

Answers = Callable[[Turn, Heard, str, Reading], Happened | None]


def proposed(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if found := _with_wishes(turn, event, reading, _to_the_proposal, Waiting.ADDRESS_YES):
        return found
    later = reading.said in LATER
    first = speech.propose(turn.say, turn.state["address"]["label"], first=True) if later else None
    return questions.missed(turn, event.text, first=first, known=later)


def which(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if found := _with_wishes(turn, event, reading, _to_which, Waiting.ADDRESS_LABEL):
        return found
    ambiguous = labels.answered(event.text, turn.labels, turn.names).ambiguous
    code = "ambiguous" if ambiguous else "first" if reading.said in LATER else "unmatched"
    first = speech.which_address(turn.say, turn.labels, code=code)
    return questions.missed(turn, event.text, first=first, known=code != "unmatched")


def old_cart(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said is Said.SHOW_CART:
        return turn.stay(questions.old_cart(turn), said="old cart")
    found = _with_wishes(turn, event, reading, _about_the_old_cart, Waiting.CART_DECISION)
    return found or questions.missed(turn, event.text, known=reading.understood)


# ---- answers ------------------------------------------------------------------------------------------------------------


def _to_the_proposal(turn: Turn, event: Heard, spoken: str, reading: Reading) -> Happened | None:
    """Naming the address that was proposed agrees to it, wherever a yes would."""
    match = labels.answered(spoken, turn.labels, turn.names)
    own = match.index is not None and turn.labels[match.index] == turn.state["address"]["label"]
    if reading.said is Said.NO:  # "nahi, office pe" denies the one that was offered, and chooses another
        return Happened(On.NO) if match.index is None or own else Happened(On.NAMED, {"index": match.index})
    if reading.said is Said.YES or (own and not _asks(spoken)):
        index = turn.labels.index(turn.state["address"]["label"])
        return Happened(On.YES) if _counts(turn, event) else Happened(On.NAMED, {"index": index})
    if match.index is not None:
        return Happened(On.NAMED, {"index": match.index})
    return Happened(On.CHANGE) if reading.said is Said.CHANGE_ADDRESS else None


def _to_which(turn: Turn, event: Heard, spoken: str, reading: Reading) -> Happened | None:
    index = labels.answered(spoken, turn.labels, turn.names).index
    return None if index is None else Happened(On.NAMED, {"index": index})


def _about_the_old_cart(turn: Turn, event: Heard, spoken: str, reading: Reading) -> Happened | None:
    on = {Said.KEEP: On.KEEP, Said.CLEAR: On.CLEAR, Said.CHANGE_ADDRESS: On.CHANGE}.get(reading.said)
    return None if on is None else Happened(on)


def _counts(turn: Turn, event: Heard) -> bool:
    """Whether a yes would: to this question, asked last, and by a person."""
    return not event.doubtful and not prompts.unasked(turn, event, Reading(Said.YES))


def _asks(spoken: str) -> bool:
    said = text.strip_courtesy(text.tokens(spoken))
    return bool(set(said) & words.ASKING) or said[0] in words.QUESTION


# ---- wishes beside them -------------------------------------------------------------------------------------------------


def _with_wishes(turn: Turn, event: Heard, reading: Reading, answer: Answers, open_: Waiting) -> Happened | Step | None:
    whole = answer(turn, event, event.text, reading)
    if whole is not None and whole.on is not On.NO:
        return whole
    for part, rest in _parted(wishes.mark(event.text), loose=open_ is not Waiting.CART_DECISION):
        wish = postponed.wish(turn, rest)
        given = answer(turn, event, part, hearing.read(part, names=turn.names, waiting=open_)) if wish else None
        if wish and given:
            rows = postponed.beside(turn, wish)
            return postponed.too_many(turn) if rows is None else replace(given, facts={**given.facts, "waiting": rows})
    if whole is None and (wish := postponed.wish(turn, event.text)):
        return postponed.kept(turn, wish)
    return whole


def _parted(marked: Tokens, *, loose: bool) -> Iterator[tuple[str, str]]:
    """An answer and what comes beside it, behind or before; the longest wish first. ``loose``: with no "and" between them."""
    if len(marked) > LONGEST:
        return
    for size in range(1, len(marked)):
        for part, rest in ((marked[:size], marked[size:]), (marked[-size:], marked[:-size])):
            if loose or rest[0] in PARTING or rest[-1] in PARTING:
                yield " ".join(part), " ".join(_inner(rest))


def _inner(rest: Tokens) -> Tokens:
    while rest and rest[0] in PARTING:
        rest = rest[1:]
    while rest and rest[-1] in PARTING:
        rest = rest[:-1]
    return rest

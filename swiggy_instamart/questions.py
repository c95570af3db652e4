"""The question that is open in each phase: asked again on request, by silence, or after words that meant nothing here. Pure.

``missed`` is the one ladder of repairs: that it was not understood, then what can be said, then one quiet line; from there on
nobody is talked at, and the screen alone still shows the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from interactions import text
from interactions.contracts import REMARK, Reply, Step, Told
from interactions.sentences import Sentences
from swiggy_instamart import carts, groceries, news, packs, places, queued, reasons, repairs, reviews, speech, wording, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.repairs import Asked
from swiggy_instamart.turn import Turn

BY_PHASE = {
    Phase.ADDRESS: Asked.ADDRESS,
    Phase.ADDRESSES: Asked.LABEL,
    Phase.OLD_CART: Asked.OLD_CART,
    Phase.SHOPPING: Asked.ITEM,
    Phase.REVIEW: Asked.REVIEW,
    Phase.PAYMENT: Asked.PAYMENT,
    Phase.UNKNOWN: Asked.UNKNOWN,
}


# What was asked on top of everything else that is open while shopping, by what the state holds of it.
ON_TOP = {"broken_off": Asked.OF_WHAT, "proposed": Asked.AS_BEFORE, "unsettled": Asked.ONE_OR_TWO}

# What only led back to the question, also in the host's own words ("that reached me too late, say it again").
REPAIRS = frozenset({"not understood", "aside", "silence", "looked in", "too_late", "heard_two_ways"})


def asked(turn: Turn) -> Asked:
    """Which question is open; none while something is waited for."""
    if turn.standing.working:
        return Asked.BUSY
    if turn.other:
        return Asked.TAKE_OVER
    if turn.phase is Phase.SHOPPING:
        if (name := next((name for name in ON_TOP if turn.state.get(name)), None)) is not None:
            return ON_TOP[name]
        if turn.state.get("lost"):
            return Asked.PUT_HERE if turn.lines else Asked.PUT_BACK
        if turn.offers:
            return Asked.COUNT if packs.asked(turn.offers[0]) else Asked.OPTION
        if turn.state.get("count_for"):
            return Asked.COUNT
    return BY_PHASE.get(turn.phase, Asked.OPENING if turn.phase is Phase.STARTING else Asked.BUSY)


def open_question(turn: Turn) -> Reply:
    """The same question in the same words, so that a repeat is one."""
    match asked(turn):
        case Asked.TAKE_OVER:
            return places.bringing(turn.say) if turn.other.get("asked") else places.elsewhere(turn.say, turn.other["place"])
        case Asked.ADDRESS:
            return speech.propose(turn.say, turn.state["address"]["label"])
        case Asked.LABEL:
            return speech.which_address(turn.say, turn.labels)
        case Asked.OLD_CART:
            return speech.keep_or_clear(turn.say)
        case Asked.REVIEW if (review := turn.review) is not None:
            return read_back(turn.say, review, maybe=turn.state.get("maybe", ()), validity_s=turn.options.review_validity_s)
        case Asked.OPTION:
            return groceries.offer(turn.say, turn.offers[0])
        case Asked.AS_BEFORE:
            return groceries.as_before(turn.say, carts.load(turn.state["proposed"]))
        case Asked.ONE_OR_TWO:
            return groceries.one_or_two(turn.say, turn.state["unsettled"][0]["query"])
        case Asked.OF_WHAT:
            return groceries.of_what(turn.say)
        case Asked.PUT_BACK:
            return groceries.lost(turn.say, carts.load(turn.state["lost"]))
        case Asked.PUT_HERE:
            return reasons.unfit(turn.say, "cart_elsewhere")
        case Asked.COUNT if turn.offers:
            return groceries.how_many_packs(turn.say, turn.offers[0])
        case Asked.COUNT:
            line = next((line for line in turn.lines if line.spin == turn.state["count_for"]), None)
            return groceries.more_of(turn.say, line) if line else groceries.anything_else(turn.say, "", count=True)
        case Asked.PAYMENT:
            return news.paying(turn.say, confirmed=False)
        case Asked.UNKNOWN:
            return news.still_unknown(turn.say)
        case Asked.OPENING | Asked.BUSY:
            return speech.busy(turn.say)
    return speech.items(turn.say)


def old_cart(turn: Turn, cart: Mapping[str, Any] | None = None) -> Reply:
    """What was found in the cart, which nobody ordered now, and the decision about it."""
    cart = turn.state["cart"] if cart is None else cart
    other = bool(cart["address_id"]) and carts.base(cart["address_id"]) != carts.base(turn.state["address"]["id"])
    return speech.old_cart(turn.say, carts.load(cart["lines"]), cart["total_paise"], other_address=other)


def short(turn: Turn) -> Reply:
    """The open question; of a review only what can be done about it, so that what was read back stays the last thing read."""
    if turn.phase is Phase.REVIEW:
        return helping(turn)
    return open_question(turn)


def with_remark(turn: Turn, remark: str) -> Reply:
    """A statement, and the open question after it."""
    question = open_question(turn)
    return replace(question, text=wording.together(remark, question.text))


def remarked(turn: Turn, remark: Reply) -> Reply:
    """A statement, after which it is asked for more where nothing else is open. What is open otherwise stays so, unasked."""
    return with_remark(turn, remark.text) if asked(turn) is Asked.ITEM else remark


def again(turn: Turn, said: str = "unclear", *, brief: bool = False) -> Step:
    """The open question once more, ``brief`` for of a review only what can be said to it; nothing changes."""
    return turn.stay(short(turn) if brief else open_question(turn), said=said)


# ---- repairs ------------------------------------------------------------------------------------------------------------


def missed(turn: Turn, spoken: str, *, first: Reply | None = None, known: bool = False) -> Step:
    """Words that meant nothing here. What is open stays open, and no sentence comes twice in a row.

    ``first``: the first remark, where it is another one than that of the open question. ``known``: it was understood, and is
    only not to be had here, so it is never met with silence.
    """
    if aside(spoken):
        return _aside(turn)
    said, times = set(text.tokens(spoken)), _times(turn) + 1
    if said <= text.FILLERS:
        reply = _opened(turn, repairs.no_words(turn.say, twice=times == 2)) if times <= 2 else _shown(turn)
    elif times == 1 or (known and times % 2):
        reply = first or _first(turn)
    elif known:
        reply = helping(turn)
    elif times == 2:
        reply = _naming(turn, turn.say("missed.again", can=can_be_said(turn)))
    else:
        reply = _said(turn, repairs.quiet(turn.say, asked(turn))) if times == 3 else _shown(turn)
    return _repaired(turn, reply, said="not understood", misses=[turn.standing.turn, times])


def _times(turn: Turn) -> int:
    """How many turns before this one were missed without a break."""
    last, times = turn.state.get("misses") or (None, 0)
    return int(times) if last == turn.standing.turn - 1 else 0


def _first(turn: Turn) -> Reply:
    if asked(turn) is Asked.ITEM:
        return speech.not_an_item(turn.say)
    return _opened(turn, repairs.missed(turn.say, asked(turn)))


def _opened(turn: Turn, opening: str) -> Reply:
    """A remark, and the open question after it."""
    question = short(turn)
    return replace(question, text=wording.together(opening, question.text))


def _said(turn: Turn, said: str) -> Reply:
    """A sentence in the place of the open question, with its buttons. The words that spend stand beside the read-back alone."""
    at_review = turn.phase is Phase.REVIEW
    return wording.ask(turn.say, said, *(speech.AT_REVIEW if at_review else open_question(turn).choices))


def _naming(turn: Turn, said: str) -> Reply:
    """A sentence that names the answers to the open question, which count after it. A review stays the one that was read."""
    key = reviews.ASKED if turn.phase is Phase.REVIEW else open_question(turn).key
    return replace(_said(turn, said), key=key)


def _shown(turn: Turn) -> Reply:
    return replace(short(turn), speak=False, key=None)


def _repaired(turn: Turn, reply: Reply, *, said: str, **noted: Any) -> Step:
    """Nothing changes but what is remembered of the repair."""
    return replace(turn.stay(reply, said=said), state={**turn.state, **noted})


# ---- what was meant for others ------------------------------------------------------------------------------------------


def _aside(turn: Turn) -> Step:
    """About something else: one short look in for the whole session, and nothing spoken after that. A yes or a no to it takes
    and refuses nothing.
    """
    if "aside" in turn.state:
        return _repaired(turn, _shown(turn), said="aside")
    reply = speech.still_ordering(turn.say) if asked(turn) is Asked.ITEM else _opened(turn, turn.say("aside"))
    return _repaired(turn, replace(reply, key=None), said="aside", aside=turn.standing.turn)


def aside(spoken: str) -> bool:
    """Whether words are about something else than shopping."""
    return bool(set(text.tokens(spoken)) & words.OFF_TOPIC - words.SHOP_TALK)


# ---- on request ---------------------------------------------------------------------------------------------------------


def read_back(say: Sentences, review: reviews.Review, *, maybe: Sequence[dict[str, Any]], validity_s: int) -> Reply:
    total, label = review.total_paise, review.label
    rows, key, valid_s = review.lines, review.key, 2 * validity_s
    return speech.review(
        say, rows, total_paise=total, label=label, key=key, valid_s=valid_s, maybe=maybe, unchosen=review.unchosen
    )


def unchosen(turn: Turn) -> list[str]:
    """What was asked for and is in no cart, as it still is to be chosen: at a review it is said, and never left out unsaid."""
    if turn.review is not None:  # read once more
        return list(turn.review.unchosen)
    unsettled = turn.state.get("unsettled") or []
    before = [turn.say("unchosen.before")] if turn.state.get("proposed") else []
    return [*queued.names([*unsettled[:1], *turn.offers]), *before]


def repeated(turn: Turn, told: Told | None) -> Step:
    """What was said last, whole and in its own words. At a review that is the review; after a repair it is the question."""
    kept = told is not None and told.said not in REPAIRS and all(_stands(turn, one) for one in told.replies)
    if told is None or not kept or turn.phase is Phase.REVIEW or turn.standing.working:
        question = old_cart(turn) if turn.phase is Phase.OLD_CART else open_question(turn)
        return turn.stay(question, said="repeat")
    return turn.stay(*told.replies, said="repeat")


def _stands(turn: Turn, reply: Reply) -> bool:
    """Whether it may be said again as it was: in the language that is spoken, and no question that is open no more."""
    return reply.lang == turn.say.lang and reply.key in (None, REMARK, open_question(turn).key)


def helping(turn: Turn) -> Reply:
    return _naming(turn, can_be_said(turn))


def can_be_said(turn: Turn) -> str:
    """What works at the open question, in words."""
    offered = len(turn.offers[0]["variants"][: wording.READ_OUT]) if turn.offers else 0
    label = (turn.state.get("address") or {}).get("label", "")
    return repairs.can_be_said(turn.say, asked(turn), label=label, labels=turn.labels, options=offered, lines=len(turn.lines))

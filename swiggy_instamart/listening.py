"""From words to what happened, by what the phase is waiting for. Pure: it reads a ``Reading`` and decides nothing.

What changes nothing is answered here (help, repeat, a question again); everything else goes to the machine as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interactions import text
from interactions.consent import Verdict
from interactions.contracts import Heard, Step
from swiggy_instamart import (
    addressing,
    agreeing,
    groceries,
    hearing,
    joining,
    machine,
    newly,
    news,
    openings,
    packs,
    passing,
    places,
    placing,
    postponed,
    prompts,
    questions,
    reasons,
    reviews,
    shoptalk,
    speech,
    talking,
    understanding,
    words,
)
from swiggy_instamart.inquiries import Ask
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.readings import CONFIRMING, COUNTING, Reading, Said, Waiting
from swiggy_instamart.turn import Happened, Turn

CONFIRM_PHRASES: tuple[str, ...] = words.CONFIRM_PHRASES
CONFIRM_PHASE = Phase.REVIEW

WAITING: Mapping[Phase, Waiting] = {
    Phase.ADDRESS: Waiting.ADDRESS_YES,
    Phase.ADDRESSES: Waiting.ADDRESS_LABEL,
    Phase.OLD_CART: Waiting.CART_DECISION,
    Phase.REVIEW: Waiting.REVIEW,
}

INQUIRIES: Mapping[Said, Ask] = {Said.WHERE_IS_ORDER: Ask.WHERE, Said.WHAT_WAS_ORDERED: Ask.WHAT}
CHANGING = (prompts.ANSWERS - {Said.NO}) | {Said.CLEAR, Said.UNDO, Said.SEVERAL} | COUNTING


def heard(turn: Turn, event: Heard) -> Happened | Step:
    """What ``event`` means here."""
    reading = _read(turn, event.text)
    if reading.said in (Said.STOP, Said.CANCEL):
        return Happened(On.STOP)
    if reading.said is not Said.CONFIRM and (opening := openings.heard(turn, event)):
        return opening
    if why := prompts.unasked(turn, event, reading):
        return questions.again(turn, said=why, brief=why == prompts.NOT_LAST)
    if event.doubtful and reading.said in CHANGING:
        return questions.again(turn, said="perhaps our own voice")
    if reading.said is Said.HELP:
        return turn.stay(questions.helping(turn), said="help")
    if reading.said is Said.REPEAT:
        return questions.repeated(turn, event.told)
    if reading.said is Said.TAKE_OVER and not turn.other:
        return turn.stay(places.already_here(turn.say), questions.open_question(turn), said="already here")
    if reading.said is Said.NOTHING and (remark := passing.answered(turn, event.text)):
        return remark
    if reading.said in INQUIRIES and turn.phase in machine.ASKABLE and (turn.other or turn.phase is not Phase.STARTING):
        return Happened(On.ORDERS_ASKED, {"ask": INQUIRIES[reading.said].value})
    return PHASES[turn.phase](turn, event, reading)


def _read(turn: Turn, spoken: str) -> Reading:
    open_question = waiting(turn)
    reading = talking.joined(turn, spoken, hearing.read(spoken, names=turn.names, waiting=open_question))
    if (turn.state.get("proposed") or turn.state.get("lost")) and placing.agreed(text.tokens(spoken)):
        return Reading(Said.YES)  # "yes, order it": what was asked
    if reading.said is Said.NOTHING and open_question is Waiting.COUNT:  # it was offered to name the next thing instead
        return hearing.read(spoken, names=turn.names)
    reading = newly.wished(turn, spoken, agreeing.taken(turn, spoken, reading))
    return joining.counted(turn, spoken, reading)


def waiting(turn: Turn) -> Waiting:
    if turn.phase is Phase.SHOPPING:
        if turn.offers:
            return Waiting.COUNT if packs.asked(turn.offers[0]) else Waiting.PICK
        return Waiting.COUNT if turn.state.get("count_for") else Waiting.NOTHING
    return WAITING.get(turn.phase, Waiting.NOTHING)


# ---- before the address -------------------------------------------------------------------------------------------------


def _starting(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if turn.other:
        return _elsewhere(turn, reading)
    wish = postponed.wish(turn, event.text)
    kept = {"waiting": rows} if wish and (rows := postponed.beside(turn, wish)) else {}
    return Happened(On.OPENED, {"pending": turn.state.get("pending", ""), **kept})


def _elsewhere(turn: Turn, reading: Reading) -> Happened | Step:
    """An order is open at another device: it comes here on a yes, and whoever talks of other things is not held up twice."""
    if reading.said in (Said.TAKE_OVER, Said.YES):
        return turn.stay(places.bringing(turn.say), said="asked already") if turn.other.get("asked") else Happened(On.TAKE_OVER)
    if reading.said in (Said.NO, Said.SKIP) or turn.other.get("missed"):
        return Happened(On.STOP)
    return turn.step(turn.phase, questions.open_question(turn), said="unclear", other={**turn.other, "missed": True})


# ---- shopping and review ------------------------------------------------------------------------------------------------


def _shopping(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said in CONFIRMING:
        return turn.stay(speech.no_review(turn.say), said="no review")
    if settled := joining.answered(turn, reading):
        return settled
    if reading.said is Said.NOTHING:
        return _coupon(turn, event) or understanding.left_open(turn, event.text) or questions.missed(turn, event.text)
    if turn.state.get("lost") and reading.said is Said.PUT_BACK:
        return Happened(On.REBUILD, {"lines": turn.state["lost"]})
    if reading.said in agreeing.PLAIN:
        return agreeing.answered(turn, event, reading)
    if reading.said is Said.UNFINISHED or shoptalk.lacks_a_line(turn, reading):
        return talking.unfinished(turn, event.text)
    return shoptalk.talk(turn, reading)


def _review(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said is Said.CONFIRM:
        return _confirm(turn, event)
    if reading.said is Said.ALMOST:
        return Happened(On.UNHEARD, {"code": "almost"})
    if reading.said in (Said.YES, Said.NO):
        return Happened(On.YES if reading.said is Said.YES else On.NO)
    if reading.said is Said.NOTHING and (meant := _meant_at_review(turn, event)):
        return meant
    if reading.said in (Said.NOTHING, Said.SKIP, Said.RESEND, Said.KEEP, Said.SELECT):
        return questions.missed(turn, event.text, first=speech.unheard(turn.say, "not_the_phrase"))
    return shoptalk.talk(turn, reading)


def _meant_at_review(turn: Turn, event: Heard) -> Happened | Step | None:
    """The bare name of a thing that shops have is a wish, as elsewhere; any other name may be one, and may be noise."""
    named = hearing.read(event.text, names=turn.names)
    wished = named.said is Said.WANTED and not set(text.tokens(event.text)) & understanding.CONFIRMING
    if wished and postponed.sure(named):
        return shoptalk.talk(turn, named)
    if asked := _coupon(turn, event) or understanding.left_open(turn, event.text):
        return asked
    names = [item.query for item in named.items]
    return turn.stay(groceries.named_at_review(turn.say, names), said="only a name") if wished and names else None


def _coupon(turn: Turn, event: Heard) -> Happened | None:
    """Whether there are any depends on the account, so the shop is asked which tools it serves."""
    return Happened(On.COUPON) if set(text.tokens(event.text)) & words.COUPON else None


def _confirm(turn: Turn, event: Heard) -> Happened | Step:
    """The phrase that spends: good for one review, heard whole, at one device, in time."""
    review = turn.review
    if review is None or reviews.expired(review, prompt=event.prompt, at=event.at, validity_s=turn.options.review_validity_s):
        return Happened(On.EXPIRED, {"code": "expired"})
    verdict = reviews.verdict(review, event, names=turn.names, phrases=CONFIRM_PHRASES)
    if verdict is not Verdict.OK:
        return Happened(On.UNHEARD, {"code": verdict.value})
    return Happened(On.CONFIRMED, {"utterance": event.utterance, "said_at": event.captured_at.isoformat()})


# ---- once something may have been placed --------------------------------------------------------------------------------


def _payment(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said is Said.RESEND:
        return Happened(On.LINK_ASKED)
    if reading.said in CONFIRMING:
        return turn.stay(news.paying(turn.say, confirmed=True), said="sent already")
    return questions.missed(turn, event.text, first=news.paying(turn.say, confirmed=False), known=reading.understood)


def _unknown(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said in CONFIRMING | {Said.COMPLETE}:
        return turn.stay(reasons.unfit(turn.say, "blocked"), said="looked up")
    return questions.missed(turn, event.text, first=news.still_unknown(turn.say), known=reading.understood)


def _busy(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    return questions.again(turn, said="busy")


PHASES: Mapping[Phase, Callable[[Turn, Heard, Reading], Happened | Step]] = {
    Phase.STARTING: _starting,
    Phase.ADDRESS: addressing.proposed,
    Phase.ADDRESSES: addressing.which,
    Phase.OLD_CART: addressing.old_cart,
    Phase.SHOPPING: _shopping,
    Phase.WRITING: _busy,
    Phase.REVIEW: _review,
    Phase.CHECKOUT: _busy,
    Phase.PAYMENT: _payment,
    Phase.UNKNOWN: _unknown,
    Phase.FINISHED: _busy,
}

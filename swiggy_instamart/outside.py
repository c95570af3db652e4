"""What moved outside the session, as the machine knows it: signals, silence, deadlines. Pure."""

from __future__ import annotations

from dataclasses import replace

from interactions.contracts import Deadline, Signal, Silence, Step
from swiggy_instamart import news, questions, rows, speech
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn

UNPAID = frozenset({"payment_failed", "payment_cancelled", "payment_refunded", "cart_changed"})


def signalled(turn: Turn, event: Signal) -> Happened | Step:
    if event.name == "payment":
        return _payment(turn, event)
    if event.name == "lookup":
        return _lookup(turn, event)
    if event.name == "awaits":
        return Happened(On.UNPAID, dict(event.data)) if turn.phase is Phase.UNKNOWN else turn.stay(said="awaits")
    if event.name == "end":
        return Happened(On.STOP, {"reason": f"ended_by_{event.data.get('by', 'operator')}"})
    if event.name == "moved" and turn.phase is Phase.REVIEW:
        return Happened(On.MOVED, {"code": "moved"})
    return turn.stay(said=event.name)


def _payment(turn: Turn, event: Signal) -> Happened | Step:
    word = event.data["result"]
    facts = {"utterance": event.data["utterance"], "result_word": word, "total_paise": event.data.get("total_paise")}
    if turn.phase not in (Phase.PAYMENT, Phase.UNKNOWN) or turn.state.get("intent") != event.data["utterance"]:
        return turn.stay(news.payment_result(word, event.data.get("total_paise")), rows=(rows.Told(event.data["utterance"]),))
    on = On.PLACED if word == "paid" else On.NOT_PAID if word in UNPAID else On.UNSURE
    return Happened(on, facts)


def _lookup(turn: Turn, event: Signal) -> Happened | Step:
    order, utterance = event.data.get("order"), event.data["utterance"]
    if turn.phase is Phase.UNKNOWN and turn.state.get("intent") == utterance:
        return Happened(On.SEEN if order else On.GAVE_UP, {"utterance": utterance, "order": order, "recorded": True})
    say = news.seen(order) if order else news.may_be_placed()
    step = turn.stay(say, rows=(rows.Told(utterance),), said="looked up")
    if turn.phase is Phase.REVIEW:  # what was read back did not know of this
        return replace(step, phase=Phase.SHOPPING, state={**turn.state, "review": None})
    return step


def silent(turn: Turn, event: Silence) -> Step:
    """Ask once more, look in once, then be quiet; only a deadline closes anything."""
    if event.rung == 1:
        return turn.stay(questions.open_question(turn), said="silence")
    return turn.stay(speech.still_there(), said="silence") if event.rung == 2 else turn.stay(said="silence")


def overdue(turn: Turn, event: Deadline) -> Happened:
    return Happened(On.IDLE, {"deadline": event.kind})

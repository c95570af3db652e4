"""What moved outside the session, as the machine knows it: signals, silence, deadlines. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from interactions.contracts import Deadline, Effect, Signal, Silence, Step
from swiggy_instamart import machine, news, questions, rows, speech
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn

UNPAID = frozenset({"payment_failed", "payment_cancelled", "payment_refunded", "cart_changed"})


def signalled(turn: Turn, event: Signal) -> Happened | Step:
    if event.name == "payment":
        return _payment(turn, event)
    if event.name in BY_NAME:
        return BY_NAME[event.name](turn, event)
    if event.name == "awaits":
        return _awaits(turn, event)
    if event.name == "end":
        return Happened(On.STOP, {"reason": event.data.get("reason") or f"ended_by_{event.data.get('by', 'operator')}"})
    if event.name == "moved":
        return Happened(On.MOVED)
    if event.name == "not_moved" and turn.other:
        return Happened(On.SHUT, {"code": event.data["code"]})
    return turn.stay(said=event.name)


def _payment(turn: Turn, event: Signal) -> Happened | Step:
    word = event.data["result"]
    facts = {"utterance": event.data["utterance"], "result_word": word, "total_paise": event.data.get("total_paise")}
    if turn.phase not in (Phase.PAYMENT, Phase.UNKNOWN) or turn.state.get("intent") != event.data["utterance"]:
        say = news.payment_result(turn.say, word, event.data.get("total_paise"), late=bool(event.data.get("late")))
        step = turn.stay(say, rows=(rows.Told(event.data["utterance"]),), said="an earlier payment")
        return _beside(turn, step, stands=word not in UNPAID)
    on = On.PLACED if word == "paid" else On.NOT_PAID if word in UNPAID else On.UNSURE
    return Happened(on, facts)


def _lookup(turn: Turn, event: Signal) -> Happened | Step:
    order, utterance = event.data.get("order"), event.data["utterance"]
    if turn.phase is Phase.UNKNOWN and turn.state.get("intent") == utterance:
        return Happened(On.SEEN if order else On.GAVE_UP, {"utterance": utterance, "order": order, "recorded": True})
    say = news.seen(turn.say, order) if order else news.may_be_placed(turn.say)
    return _beside(turn, turn.stay(say, rows=(rows.Told(utterance),), said="looked up"))


def _awaits(turn: Turn, event: Signal) -> Happened | Step:
    """The answer of a checkout that was given up came after all, with a payment to make."""
    if turn.phase is Phase.UNKNOWN and turn.state.get("intent") == event.data["utterance"]:
        return Happened(On.UNPAID, dict(event.data))
    if turn.phase is Phase.PAYMENT and turn.state.get("intent") == event.data["utterance"]:
        return turn.stay(said="awaits")
    result, reviewed = event.data["result"], event.data["reviewed_paise"]
    total = result["total_paise"] if result["total_paise"] is not None else reviewed
    say = (news.awaits_after_all(turn.say, total), news.link_event(turn.say, result["link"], total_paise=total))
    step = turn.stay(*say, said="awaits after all")
    notify = Effect("notify", {"utterance": event.data["utterance"], "round": 1})
    return _beside(turn, replace(step, effect=notify))


def _recovered(turn: Turn, event: Signal) -> Step:
    """The last moments may be lost: what was read back counts no more, and an order may exist that nobody here knows."""
    if turn.phase in machine.AFTER or turn.phase is Phase.STARTING:
        return turn.stay(said="recovered")  # what was begun goes on by its own rows; before the address nothing can have been
    last, to = turn.state.get("recovered"), Phase.SHOPPING if turn.phase is Phase.REVIEW else turn.phase
    again = last is not None and turn.at - datetime.fromisoformat(last) < timedelta(seconds=turn.options.lookup_s)
    say = () if again and turn.phase is not Phase.REVIEW else (news.recovered(turn.say),)
    return turn.step(to, *say, said="recovered", recovered=turn.at.isoformat(), doubt=True, **turn.asking)


def _stray(turn: Turn, event: Signal) -> Step:
    step = turn.stay(
        news.stray(turn.say, event.data), rows=(rows.ToldStray(event.data["order_id"]),), said="an order nobody here knows"
    )
    return _beside(turn, step)


def _searched(turn: Turn, event: Signal) -> Step:
    return turn.stay(
        *(() if turn.phase in machine.AFTER else (news.searched(turn.say, read=event.data["read"]),)), said="searched"
    )


def _settled(turn: Turn, event: Signal) -> Happened | Step:
    """The operator has settled an earlier checkout, or the one that is being looked up here."""
    placed, utterance = bool(event.data["placed"]), event.data["utterance"]
    if turn.phase is Phase.UNKNOWN and turn.state.get("intent") == utterance:
        return Happened(On.SEEN if placed else On.GAVE_UP, {"utterance": utterance, "settled": placed})
    say = news.settled_placed(turn.say) if placed else news.settled_not_placed(turn.say)
    return _beside(turn, turn.stay(say, rows=(rows.Told(utterance),), said="settled by the operator"), stands=placed)


BY_NAME: Mapping[str, Callable[[Turn, Signal], Happened | Step]] = {
    "lookup": _lookup,
    "recovered": _recovered,
    "stray": _stray,
    "searched": _searched,
    "settled": _settled,
}


def _beside(turn: Turn, step: Step, *, stands: bool = True) -> Step:
    """What was read back did not know of this, so it is over, which is said: the words that spend may be on their way.

    ``stands``: another order was placed or may have been, and no end of this one says that nothing was.
    """
    if turn.phase is Phase.REVIEW:
        step = replace(step, phase=Phase.SHOPPING, say=(*step.say, speech.outdated(turn.say)))
    return replace(step, state={**turn.state, "review": None, "doubt": stands or bool(turn.state.get("doubt"))})


def silent(turn: Turn, event: Silence) -> Step:
    """Ask once more, look in once, then be quiet; only a deadline closes anything."""
    if event.rung == 1:
        return turn.stay(questions.short(turn), said="silence")
    looks_in = event.rung == 2 and turn.phase in machine.BEFORE and not turn.other
    return turn.stay(*((speech.still_there(turn.say),) if looks_in else ()), said="looked in" if looks_in else "silence")


def overdue(turn: Turn, event: Deadline) -> Happened:
    return Happened(On.IDLE, {"deadline": event.kind})

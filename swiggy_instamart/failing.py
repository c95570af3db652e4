"""From the outcome of a call that brought no result to what happened. Pure: no answer is not a no."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interactions.contracts import Failed, Json, Outcome, Refused, Step, Unknown
from swiggy_instamart import groceries, questions, understanding
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn

SHUT = frozenset({"not_linked", "not_configured", "sign_in", "sign_in_short", "sign_in_damaged", "no_address"})


def code_of(outcome: Outcome) -> str:
    match outcome:
        case Refused(code=code) | Failed(code=code):
            return code
        case Unknown(reason=reason):
            return reason
    return ""


def hurt(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    return Happened(On.HURT, {"code": code_of(outcome), "what": "addresses"})


def _not_listed(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    code = code_of(outcome)
    return Happened(On.SHUT, {"code": code}) if code in SHUT else hurt(turn, payload, outcome)


def _trouble(effect: str) -> Callable[[Turn, Json, Outcome], Happened | Step]:
    def not_done(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
        found = hurt(turn, payload, outcome)
        return Happened(found.on, {**found.facts, "what": effect}) if isinstance(found, Happened) else found

    return not_done


def _not_rebuilt(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    """The yes that led to the call is asked for again, so its question is still open."""
    asks = {"proposed" if payload.get("again") else "lost": payload["lines"]}
    return Happened(On.HURT, {"code": code_of(outcome), "what": "rebuild", "asks": asks})


def _not_written(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    """An attempt before this one may have been taken and its answer lost: a write is never called undone."""
    return Happened(On.HURT, {"code": _unsure(outcome, "unsure"), "what": "write"})


def _not_cleared(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    return Happened(On.HURT, {"code": _unsure(outcome, "unsure_clear"), "what": "clear"})


def _unsure(outcome: Outcome, code: str) -> str:
    said = code_of(outcome)
    return said if said == "sign_in" else f"{code}_wait" if said == "rate_limited" else code


def _not_checked_out(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    """No answer is not a no. Only what is proven not sent, or refused on the closed list, placed nothing."""
    facts: dict[str, Any] = {"utterance": payload["utterance"], "code": code_of(outcome)}
    if isinstance(outcome, Failed) and outcome.code == "overtaken":
        if turn.phase is Phase.REVIEW and turn.review is not None and turn.review.revision == payload["revision"]:
            return Happened(On.UNHEARD, {"code": "overtaken"})
        return turn.stay(said="overtaken")
    if turn.phase is not Phase.CHECKOUT:
        return turn.stay(said="not in checkout")
    if isinstance(outcome, Refused):
        return Happened(On.TURNED_DOWN, {**facts, "message": outcome.message})
    if isinstance(outcome, Failed) and outcome.code != "step_failed":
        return Happened(On.NOT_SENT, facts)
    if facts["code"] == "half_an_order":
        return Happened(On.UNSURE, facts)
    return Happened(On.NO_ANSWER, facts)


def _not_notified(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    return Happened(On.LINK_SENT, {"code": "failed", "round": payload["round"]})


def _not_looked_up(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    facts = {"utterance": payload["utterance"], "order": None, "refusal": payload.get("refusal", ""), "unread": True}
    return Happened(On.ABSENT, facts)


def _not_told(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    remark = groceries.coupons(turn.say, served=None)
    return turn.stay(questions.remarked(turn, remark), said=f"no tools: {code_of(outcome)}")


def _not_seen(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    return Happened(On.ORDERS_SEEN, {"ask": payload["ask"], "unread": code_of(outcome)})


NOT_DONE: Mapping[str, Callable[[Turn, Json, Outcome], Happened | Step]] = {
    "addresses": _not_listed,
    "cart": _trouble("cart"),
    "search": _trouble("search"),
    "recall": _trouble("search"),
    "rebuild": _not_rebuilt,
    "tools": _not_told,
    "understand": understanding.not_understood,
    "review": _trouble("review"),
    "recheck": _trouble("recheck"),
    "write": _not_written,
    "clear": _not_cleared,
    "checkout": _not_checked_out,
    "notify": _not_notified,
    "lookup": _not_looked_up,
    "orders": _not_seen,
}

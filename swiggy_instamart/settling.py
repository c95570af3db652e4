"""From the outcome of a call to what happened. Pure: results are data, and what they do not prove did not happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interactions.contracts import Abandoned, Done, Failed, Json, Outcome, Refused, Settled, Step, Unknown
from swiggy_instamart import carts, machine, reviews
from swiggy_instamart.carts import UnfitError
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn

SHUT = frozenset({"not_linked", "not_configured", "sign_in", "sign_in_short", "sign_in_damaged", "no_address"})
NO_CHANNEL = frozenset({"not_configured", "no_target", "no_plugin"})  # nobody set up a way to be told; nothing failed


def settled(turn: Turn, event: Settled) -> Happened | Step:
    outcome = event.outcome
    if isinstance(outcome, Refused) and outcome.code == "constraint":
        return _constraint(turn, outcome)
    if isinstance(outcome, Done):
        return DONE[event.effect](turn, event.payload, outcome.result)
    if isinstance(outcome, Abandoned) and turn.phase in machine.BEFORE:  # what stopped it is heard next
        wrote = turn.phase is Phase.WRITING
        return Happened(On.HURT, {"code": "abandoned", "what": WHAT["write"]}) if wrote else turn.stay(said="abandoned")
    return NOT_DONE.get(event.effect, _hurt)(turn, event.payload, outcome)


def _constraint(turn: Turn, outcome: Refused) -> Happened | Step:
    """The database refused the step: nothing of it was stored and nothing was sent."""
    if turn.phase is Phase.STARTING:
        return Happened(On.SHUT, {"code": "elsewhere", "place": "", "paying": False})
    if turn.phase is Phase.CHECKOUT:  # the call was made, and what it brought could not be stored: not known is the truth
        return Happened(On.NO_ANSWER, {"utterance": turn.state["intent"], "code": "constraint"})
    if turn.phase in (Phase.UNKNOWN, Phase.PAYMENT):
        return turn.stay(said="constraint")
    return Happened(On.HURT, {"code": "blocked", "what": "go on with this order"})


def code_of(outcome: Outcome) -> str:
    match outcome:
        case Refused(code=code) | Failed(code=code):
            return code
        case Unknown(reason=reason):
            return reason
    return ""


# ---- what was done ------------------------------------------------------------------------------------------------------


def _addresses(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    if result.get("elsewhere") is not None:
        return Happened(On.SHUT, {"code": "elsewhere", **result["elsewhere"]})
    rows = list(result["addresses"])
    if not rows:
        return Happened(On.SHUT, {"code": "no_address"})
    wanted = turn.options.preferred_address_label
    hits = [n for n, row in enumerate(rows) if wanted is not None and row["label"].casefold() == wanted.casefold()]
    ending = bool(result.get("sign_in_ending"))
    facts: dict[str, Any] = {"addresses": rows, "pending": payload.get("text", ""), "ending": ending}
    if len(hits) == 1:
        return Happened(On.NAMED, {**facts, "index": hits[0]})
    return Happened(On.UNNAMED, {**facts, "code": "doubled" if hits else ""})


def _cart(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    facts: dict[str, Any] = {"cart": result["cart"]}
    if payload["why"] == "start":
        return Happened(On.CART_FULL if result["cart"]["lines"] else On.CART_EMPTY, facts)
    if payload["why"] == "show":
        return Happened(On.CART_SEEN, facts)
    before = carts.load(result["cart"]["lines"])
    if not result["cart"].get("writable", True):
        return Happened(On.UNFIT, {**facts, "code": "unwritable", "names": result["cart"].get("unwritable", [])})
    try:
        after = carts.merge(before, payload["edit"], called=turn.state.get("called", {}))
    except UnfitError as error:
        return Happened(On.UNFIT, {**facts, "code": error.code, "names": list(error.names)})
    if carts.same(before, after):
        return Happened(On.WRITTEN, {**facts, "edit": payload["edit"], "report": {}})
    return Happened(On.CART_SEEN, {**facts, "edit": payload["edit"], "after": carts.dump(after)})


def _write(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    facts = {"cart": result["cart"], "edit": payload["edit"], "report": result["report"]}
    if result.get("overtaken"):
        return Happened(On.UNFIT, {**facts, "code": "overtaken"})
    return Happened(On.WRITTEN, facts)


def _clear(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    if result["cart"]["lines"]:
        return Happened(On.HURT, {"code": "not_cleared", "cart": result["cart"]})
    return Happened(On.CLEARED, {"cart": result["cart"]})


def _search(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    return Happened(On.FOUND, {"found": list(result["found"])})


def _review(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    cart = result["cart"]
    lines = carts.load(cart["lines"])
    facts: dict[str, Any] = {"cart": cart, "maybe": list(result.get("maybe", ()))}
    if result.get("blocked"):
        return Happened(On.UNFIT, {**facts, "code": "blocked"})
    if not (turn.screen or result.get("reachable")):
        return Happened(On.UNFIT, {**facts, "code": "no_screen"})
    code = reviews.unfit(
        lines=lines,
        total_paise=cart["total_paise"],
        address_id=turn.state["address"]["id"],
        cart_address=cart["address_id"],
        unserviceable=bool(cart.get("unserviceable")),
        scan=bool(result["scan"]),
        limit_paise=turn.options.limit_paise,
    )
    if code:
        names = [*(line.title for line in lines if not line.available), *cart.get("unserviceable", ())]
        return Happened(On.UNFIT, {**facts, "code": code, "names": names})
    return Happened(On.REVIEWED, facts)


def _recheck(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    review, cart = turn.review, result["cart"]
    if review is None or review.revision != payload["revision"] or turn.phase is not Phase.REVIEW:
        return turn.stay(said="the review is over")
    if not reviews.fresh(payload["said_at"], at=turn.at):
        return Happened(On.EXPIRED, {"code": "late"})
    total, lines = cart["total_paise"], carts.load(cart["lines"])
    now = carts.fingerprint(cart["address_id"], lines, total if total is not None else -1)
    if cart["address_id"] and now == review.fingerprint and not cart.get("unserviceable"):
        return Happened(On.SAME, {"utterance": payload["utterance"], "said_at": payload["said_at"]})
    return Happened(On.DRIFTED, {"code": "drifted", "cart": cart})


def _checkout(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    on = On.PLACED if result["placing"] == "placed" else On.UNPAID
    return Happened(on, {"result": dict(result), "utterance": payload["utterance"], "reviewed_paise": payload["total_paise"]})


def _notify(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    code = "sent" if result.get("sent") else "no_channel" if result.get("error") in NO_CHANNEL else "failed"
    return Happened(On.LINK_SENT, {"code": code, "round": payload["round"]})


def _lookup(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    facts = {"utterance": payload["utterance"], "order": result.get("order"), "refusal": payload.get("refusal", "")}
    return Happened(On.SEEN if result.get("order") else On.ABSENT, facts)


DONE: Mapping[str, Callable[[Turn, Json, Json], Happened | Step]] = {
    "addresses": _addresses,
    "cart": _cart,
    "write": _write,
    "clear": _clear,
    "search": _search,
    "review": _review,
    "recheck": _recheck,
    "checkout": _checkout,
    "notify": _notify,
    "lookup": _lookup,
}


# ---- what was not -------------------------------------------------------------------------------------------------------

WHAT = {
    "addresses": "read your addresses",
    "cart": "read the cart",
    "write": "change the cart",
    "clear": "clear the cart",
    "search": "search at Swiggy",
    "review": "read the order back",
    "recheck": "check the cart once more, so nothing was placed",
}


def _hurt(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    return Happened(On.HURT, {"code": code_of(outcome), "what": WHAT["addresses"]})


def _not_listed(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    code = code_of(outcome)
    return Happened(On.SHUT, {"code": code}) if code in SHUT else _hurt(turn, payload, outcome)


def _trouble(effect: str) -> Callable[[Turn, Json, Outcome], Happened | Step]:
    def not_done(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
        found = _hurt(turn, payload, outcome)
        return Happened(found.on, {**found.facts, "what": WHAT[effect]}) if isinstance(found, Happened) else found

    return not_done


def _not_written(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    """An attempt before this one may have been taken and its answer lost: a write is never called undone."""
    return Happened(On.HURT, {"code": _unsure(outcome, "unsure"), "what": WHAT["write"]})


def _not_cleared(turn: Turn, payload: Json, outcome: Outcome) -> Happened | Step:
    return Happened(On.HURT, {"code": _unsure(outcome, "unsure_clear"), "what": WHAT["clear"]})


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


NOT_DONE: Mapping[str, Callable[[Turn, Json, Outcome], Happened | Step]] = {
    "addresses": _not_listed,
    "cart": _trouble("cart"),
    "search": _trouble("search"),
    "review": _trouble("review"),
    "recheck": _trouble("recheck"),
    "write": _not_written,
    "clear": _not_cleared,
    "checkout": _not_checked_out,
    "notify": _not_notified,
    "lookup": _not_looked_up,
}

"""From the result of a call to what happened. Pure: results are data, and what they do not prove did not happen.

``failing`` does the same for the calls that brought none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interactions.contracts import Abandoned, Done, Json, Refused, Settled, Step
from swiggy_instamart import carts, failing, groceries, machine, questions, rebuilding, remembering, reviews, understanding
from swiggy_instamart.carts import UnfitError
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Happened, Turn

NO_CHANNEL = frozenset({"not_configured", "no_target", "no_plugin"})  # nobody set up a way to be told; nothing failed


def settled(turn: Turn, event: Settled) -> Happened | Step:
    outcome = event.outcome
    if isinstance(outcome, Refused) and outcome.code == "constraint":
        return _constraint(turn, outcome)
    if isinstance(outcome, Done):
        return DONE[event.effect](replace(turn, facts={"prompt": event.prompt}), event.payload, outcome.result)
    if isinstance(outcome, Abandoned) and turn.phase in machine.BEFORE:  # what stopped it is heard next
        wrote = turn.phase is Phase.WRITING
        return Happened(On.HURT, {"code": "abandoned", "what": "write"}) if wrote else turn.stay(said="abandoned")
    return failing.NOT_DONE.get(event.effect, failing.hurt)(turn, event.payload, outcome)


def _constraint(turn: Turn, outcome: Refused) -> Happened | Step:
    """The database refused the step: nothing of it was stored and nothing was sent."""
    if turn.phase is Phase.STARTING:
        if turn.other:
            return Happened(On.SHUT, {"code": outcome.message})
        return Happened(On.OPENED, {"pending": turn.state.get("pending", "")})  # another device was first: look again, at which
    if turn.phase is Phase.CHECKOUT:  # the call was made, and what it brought could not be stored: not known is the truth
        return Happened(On.NO_ANSWER, {"utterance": turn.state["intent"], "code": "constraint"})
    if turn.phase in (Phase.UNKNOWN, Phase.PAYMENT):
        return turn.stay(said="constraint")
    return Happened(On.HURT, {"code": "blocked", "what": "go_on"})


# ---- what was done ------------------------------------------------------------------------------------------------------


def _addresses(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    if (other := result.get("elsewhere")) is not None:
        return Happened(On.ELSEWHERE, other) if other.get("session") else Happened(On.SHUT, {"code": "elsewhere", **other})
    rows = list(result["addresses"])
    if not rows:
        return Happened(On.SHUT, {"code": "no_address"})
    wanted = turn.options.preferred_address_label
    hits = [n for n, row in enumerate(rows) if wanted is not None and row["label"].casefold() == wanted.casefold()]
    ending = bool(result.get("sign_in_ending"))
    facts: dict[str, Any] = {"addresses": rows, "pending": payload.get("text", ""), "ending": ending}
    if result.get("doubt"):  # not set back by another look at the addresses
        facts["doubt"] = True
    if len(hits) == 1:
        return Happened(On.NAMED, {**facts, "index": hits[0]})
    return Happened(On.UNNAMED, {**facts, "code": "doubled" if hits else ""})


def _cart(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    facts: dict[str, Any] = {"cart": result["cart"]}
    if payload["why"] == "start":
        if moved := rebuilding.elsewhere(turn, result["cart"]):
            return moved
        return Happened(On.CART_FULL if result["cart"]["lines"] else On.CART_EMPTY, facts)
    rebuilds = payload["why"] == "edit" and payload["edit"]["kind"] == "rebuild"
    if not rebuilds and (lost := rebuilding.lost(turn, result["cart"])):
        return lost
    if payload["why"] == "show":
        return Happened(On.CART_SEEN, facts)
    before = carts.load(result["cart"]["lines"])
    if not result["cart"].get("writable", True):
        return Happened(On.UNFIT, {**facts, "code": "unwritable", "names": result["cart"].get("unwritable", [])})
    try:
        after = carts.merge(before, payload["edit"], called=turn.state.get("called", {}))
    except UnfitError as error:
        unfit = {"code": error.code, "names": list(error.names), "then": payload["edit"].get("then")}
        unfit |= {"found": payload["edit"].get("found")}
        return Happened(On.UNFIT, {**facts, **unfit})
    if carts.same(before, after) and not rebuilds:  # the same sizes have other ids at another address
        return Happened(On.WRITTEN, {**facts, "edit": payload["edit"], "report": {}, "after": carts.dump(after)})
    return Happened(On.CART_SEEN, {**facts, "edit": payload["edit"], "after": carts.dump(after)})


def _write(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    facts = {"cart": result["cart"], "edit": payload["edit"], "report": result["report"], "after": payload["after"]}
    if result.get("overtaken"):
        return Happened(On.UNFIT, {**facts, "code": "overtaken"})
    return Happened(On.WRITTEN, facts)


def _clear(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    if result["cart"]["lines"]:
        return Happened(On.HURT, {"code": "not_cleared", "cart": result["cart"]})
    return Happened(On.CLEARED, {"cart": result["cart"], "held": bool(payload["before"])})


def _search(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    place = {name: bool(payload.get(name)) for name in ("also", "in_place")}
    return Happened(On.FOUND, {"found": list(result["found"]), **place})


def _review(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    cart = result["cart"]
    lines = carts.load(cart["lines"])
    facts: dict[str, Any] = {"cart": cart, "maybe": list(result.get("maybe", ()))}
    if result.get("blocked"):
        return Happened(On.UNFIT, {**facts, "code": "blocked"})
    if result.get("recovering") or payload.get("recovered") != turn.state.get("recovered"):  # it was read before that
        return Happened(On.UNFIT, {**facts, "code": "recovering"})
    if not (turn.screen or result.get("reachable")):
        return Happened(On.UNFIT, {**facts, "code": "no_screen"})
    if lost := rebuilding.lost(turn, cart):
        return lost
    code = reviews.unfit(
        lines=lines,
        total_paise=cart["total_paise"],
        address_id=turn.state["address"]["id"],
        cart_address=cart["address_id"],
        unserviceable=bool(cart.get("unserviceable")),
        scan=bool(result["scan"]),
        limit_paise=turn.options.limit_paise,
    )
    if not code and result.get("asked_paise") is not None:
        return Happened(On.UNFIT, {**facts, "code": "amounts_differ", "asked_paise": result["asked_paise"]})
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
    if reviews.was_cut(review, turn.facts["prompt"]):  # which was reported after the phrase
        return Happened(On.UNHEARD, {"code": "cut"})
    total, lines = cart["total_paise"], carts.load(cart["lines"])
    now = carts.fingerprint(cart["address_id"], lines, total if total is not None else -1)
    if not cart["address_id"] or now != review.fingerprint or cart.get("unserviceable"):
        return Happened(On.DRIFTED, {"code": "drifted", "cart": cart})
    if reviews.over_limit(review.total_paise, turn.options.limit_paise):  # which the operator has lowered since
        return Happened(On.UNFIT, {"code": "over_limit", "cart": cart})
    return Happened(On.SAME, {"utterance": payload["utterance"], "said_at": payload["said_at"]})


def _checkout(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    if result["placing"] == "split":
        return Happened(On.UNSURE, {"utterance": payload["utterance"], "code": "half_an_order", "parts": result["parts"]})
    on = On.PLACED if result["placing"] == "placed" else On.UNPAID
    return Happened(on, {"result": dict(result), "utterance": payload["utterance"], "reviewed_paise": payload["total_paise"]})


def _notify(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    code = "sent" if result.get("sent") else "no_channel" if result.get("error") in NO_CHANNEL else "failed"
    return Happened(On.LINK_SENT, {"code": code, "round": payload["round"]})


def _lookup(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    facts = {"utterance": payload["utterance"], "order": result.get("order"), "refusal": payload.get("refusal", "")}
    return Happened(On.SEEN if result.get("order") else On.ABSENT, facts)


def _tools(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    remark = groceries.coupons(turn.say, served="apply_coupon" in result["tools"])
    return turn.stay(questions.remarked(turn, remark), said="coupons")


def _orders(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    return Happened(On.ORDERS_SEEN, {"ask": payload["ask"], "result": dict(result)})


DONE: Mapping[str, Callable[[Turn, Json, Json], Happened | Step]] = {
    "addresses": _addresses,
    "cart": _cart,
    "write": _write,
    "clear": _clear,
    "search": _search,
    "recall": remembering.recalled,
    "rebuild": rebuilding.found,
    "tools": _tools,
    "understand": understanding.understood,
    "review": _review,
    "recheck": _recheck,
    "checkout": _checkout,
    "notify": _notify,
    "lookup": _lookup,
    "orders": _orders,
}

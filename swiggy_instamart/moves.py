"""What is done about each move before anything is spent: a sentence, an effect, the next state. Pure.

``shopping`` holds the moves among search, choice and cart; ``paying`` those from the consent on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from interactions.contracts import Effect, Reply, Step
from swiggy_instamart import (
    asking,
    carts,
    groceries,
    paying,
    places,
    postponed,
    questions,
    reasons,
    remembering,
    reviews,
    rows,
    shopping,
    speech,
    takeover,
    understanding,
    wording,
)
from swiggy_instamart.machine import Phase, Then
from swiggy_instamart.turn import Turn

Builder = Callable[[Turn, Phase], Step]


# ---- opening ------------------------------------------------------------------------------------------------------------


def list_addresses(turn: Turn, to: Phase) -> Step:
    pending = turn.facts.get("pending", "")
    return turn.step(to, effect=Effect("addresses", {"text": pending}), pending=pending, **postponed.facts(turn))


def ask_address(turn: Turn, to: Phase) -> Step:
    """Propose one address; it counts only after a yes."""
    changes = _opened(turn)
    address = changes["addresses"][turn.facts["index"]]
    say = (*_warning(turn), speech.propose(turn.say, address["label"]))
    return turn.step(to, *say, rows=_opening_rows(turn), address=address, **changes)


def ask_label(turn: Turn, to: Phase) -> Step:
    changes = _opened(turn)
    question = speech.which_address(turn.say, [row["label"] for row in changes["addresses"]], code=turn.facts.get("code", ""))
    return turn.step(to, *_warning(turn), question, rows=_opening_rows(turn), address=None, **changes)


def _opened(turn: Turn) -> dict[str, Any]:
    """What holds from here on: the addresses as listed, and no cart or choice of an address before."""
    fresh = {name: turn.facts[name] for name in ("addresses", "pending", "waiting", "doubt") if name in turn.facts}
    return {"addresses": turn.state.get("addresses", []), "cart": {}, "offers": [], "undo": [], "chosen": None, **fresh}


def _opening_rows(turn: Turn) -> tuple[rows.OpenOrder, ...]:
    """The first step after the linked user was checked takes the account's one order."""
    return (rows.OpenOrder(),) if "addresses" in turn.facts else ()


def _warning(turn: Turn) -> tuple[Reply, ...]:
    return (speech.sign_in_ending(turn.say),) if turn.facts.get("ending") else ()


def ask_old_cart(turn: Turn, to: Phase) -> Step:
    cart = turn.facts["cart"]
    return turn.step(to, questions.old_cart(turn, cart), cart=cart)


def ask_items(turn: Turn, to: Phase) -> Step:
    """Open for items; what was asked for with the activation, or before this could be, comes first, once."""
    cart = turn.facts.get("cart", turn.state.get("cart", {}))
    wanted = postponed.wanted(turn)
    changes: dict[str, Any] = {"cart": cart, "pending": "", "waiting": [], "shopped": True}
    if wanted is None:
        return turn.step(to, groceries.too_many_items(turn.say, turn.options.items_per_turn), **changes)
    emptied = turn.say("cart_empty_now" if turn.facts["held"] else "cart_empty_already") if "held" in turn.facts else ""
    if wanted:
        return shopping.search_for(turn, to, wanted, *([wording.tell(turn.say, emptied)] if emptied else []), **changes)
    return turn.step(to, speech.items(turn.say, opening=emptied), count_for=None, **changes)


def list_tools(turn: Turn, to: Phase) -> Step:
    return replace(turn.stay(), effect=Effect("tools", {}))


def clear_cart(turn: Turn, to: Phase) -> Step:
    effect = Effect("clear", {"before": carts.dump(turn.lines)})
    return turn.step(to, effect=effect, offers=[], count_for=None, last=None, **postponed.facts(turn))


# ---- review -------------------------------------------------------------------------------------------------------------


def read_back(turn: Turn, to: Phase) -> Step:
    """Read cart and payment options together. Whatever was reviewed before is over from here on."""
    address, recovered = turn.state["address"]["id"], turn.state.get("recovered")
    payload = {"address": address, "recovered": recovered, "held": bool(turn.lines)}
    changes: dict[str, Any] = {"review": None, "count_for": None, "unchosen": questions.unchosen(turn)}
    return turn.step(to, effect=Effect("review", payload), **turn.asking, **changes)  # where there is none, it stays asked


def say_review(turn: Turn, to: Phase) -> Step:
    cart, address = turn.facts["cart"], turn.state["address"]
    lines, revision = carts.load(cart["lines"]), turn.state.get("reviews", 0) + 1
    review = reviews.Review(
        revision=revision,
        fingerprint=carts.fingerprint(cart["address_id"], lines, cart["total_paise"]),
        address_id=address["id"],
        label=address["label"],
        lines=lines,
        total_paise=cart["total_paise"],
        device=turn.standing.device,
        made_at=turn.at.isoformat(),
        bill=cart.get("bill", ()),
        unchosen=turn.state.get("unchosen", ()),
    )
    changes = {"cart": cart, "reviews": revision, "review": review.dump(), "maybe": turn.facts["maybe"], "offers": []}
    return turn.step(to, _read_back(turn, review), rows=(rows.ReadBack(),), **changes)


def _read_back(turn: Turn, review: reviews.Review) -> Reply:
    return questions.read_back(turn.say, review, maybe=turn.facts["maybe"], validity_s=turn.options.review_validity_s)


# ---- nothing done -------------------------------------------------------------------------------------------------------


def say_unfit(turn: Turn, to: Phase) -> Step:
    code, cart = turn.facts["code"], turn.facts.get("cart", turn.state.get("cart", {}))
    if code == "overtaken":
        return turn.step(to, groceries.overtaken(turn.say, groceries.differences(turn.say, turn.facts["report"])), cart=cart)
    if code == "changed_since" and (found := turn.facts.get("found")):
        return shopping.replaced_nothing(turn, to, found, cart)
    names, total = turn.facts.get("names", ()), cart.get("total_paise")
    asked = turn.facts.get("asked_paise")
    reply = reasons.unfit(turn.say, code, names=names, total=total, limit=turn.options.limit_paise, asked=asked)
    if of := turn.facts.get("of"):
        question = replace(reply, text=wording.together(reply.text, turn.say("how_many.of_it")), key="count")
        return turn.step(to, question, cart=cart, count_for=of)
    if items := turn.facts.get("then"):  # what was wanted in the same breath is looked for all the same
        return shopping.search_for(turn, to, items, reply, also=bool(turn.offers), cart=cart)
    asking = turn.asking
    if code == "cart_elsewhere":
        asking["lost"] = cart["lines"]  # a yes puts them together for the confirmed address
    if code in reasons.MORE:
        reply = questions.remarked(turn.after(to, cart=cart, **asking), reply)
    return turn.step(to, reply, cart=cart, **asking)


def say_trouble(turn: Turn, to: Phase) -> Step:
    code = turn.facts["code"]
    if code == "not_cleared":
        return turn.step(to, speech.not_cleared(turn.say), cart=turn.facts["cart"])
    trouble = speech.trouble(turn.say, code, what=turn.facts["what"])
    asking = {**turn.asking, **turn.facts.get("asks", {})}
    if to in (Phase.ADDRESS, Phase.OLD_CART) or "asks" in turn.facts:  # "say it again": the answer that led to the call
        trouble = replace(trouble, key=questions.open_question(turn.after(to, **asking)).key)
    return turn.step(to, trouble, said=f"trouble: {code}", **asking)


def say_shut(turn: Turn, to: Phase) -> Step:
    code = turn.facts["code"]
    if code == "elsewhere":
        waits = "paying" if turn.facts.get("paying") else "placing" if turn.facts.get("placing") else ""
        shut = places.shut(turn.say, turn.facts.get("place", ""), waits=waits, minutes=turn.facts.get("minutes"))
        return turn.step(to, shut, end="order_open_elsewhere")
    if turn.other:
        return turn.step(to, places.not_taken(turn.say, code), end=code)
    return turn.step(to, speech.shut(turn.say, code), end="sign_in_needed" if code.startswith("sign_in") else code)


def say_closed(turn: Turn, to: Phase) -> Step:
    kind = turn.facts.get("deadline")
    reason = f"{kind}_timeout" if kind else turn.facts.get("reason", "cancelled")
    if turn.other:  # nobody needs to hear that nothing came of a question
        say = () if kind else (places.stays(turn.say, turn.other["place"]),)
        return turn.step(to, *say, end=reason if kind else "order_open_elsewhere")
    return turn.step(
        to, speech.closed(turn.say, timeout=kind is not None, doubt=bool(turn.state.get("doubt"))), end=reason, offers=[]
    )


BUILDERS: Mapping[Then, Builder] = {
    Then.LIST_ADDRESSES: list_addresses,
    Then.ASK_ADDRESS: ask_address,
    Then.ASK_LABEL: ask_label,
    Then.ASK_OLD_CART: ask_old_cart,
    Then.ASK_ITEMS: ask_items,
    Then.CLEAR_CART: clear_cart,
    Then.LIST_TOOLS: list_tools,
    Then.READ_BACK: read_back,
    Then.SAY_REVIEW: say_review,
    Then.SAY_UNFIT: say_unfit,
    Then.SAY_TROUBLE: say_trouble,
    Then.SAY_SHUT: say_shut,
    Then.SAY_CLOSED: say_closed,
    **asking.BUILDERS,
    **shopping.BUILDERS,
    **understanding.BUILDERS,
    **remembering.BUILDERS,
    **takeover.BUILDERS,
    **paying.BUILDERS,
}

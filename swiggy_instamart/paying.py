"""What is done about each move from the consent on: the one that spends, and everything after it. Pure.

Nothing here sends a checkout twice, claims a cancellation, or says "placed" of an order that waits for its payment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interactions.contracts import Effect, Step
from swiggy_instamart import carts, news, questions, reasons, rows, speech, wording
from swiggy_instamart.machine import Phase, Then
from swiggy_instamart.turn import Turn

NOT_READ = frozenset({"not_heard", "cut"})

# ---- the consent --------------------------------------------------------------------------------------------------------


def say_how(turn: Turn, to: Phase) -> Step:
    return turn.stay(speech.how_to_confirm(turn.say), said="yes is not enough")


def say_unheard(turn: Turn, to: Phase) -> Step:
    """Why nothing is placed. Of a review that was not heard, or not whole, that is its read-back once more."""
    code = turn.facts["code"]
    remark = speech.unheard(turn.say, code)
    return turn.stay(questions.with_remark(turn, remark.text) if code in NOT_READ else remark, said=code)


def say_void(turn: Turn, to: Phase) -> Step:
    """The review is over; what changed is said, nothing is placed."""
    code, review = turn.facts["code"], turn.review
    if code != "drifted" or review is None:
        return turn.step(to, speech.void(turn.say, code), said=code)
    cart = turn.facts["cart"]
    lines = carts.load(cart["lines"])
    gap = carts.difference(review.lines, lines)
    changes = speech.drift(
        turn.say,
        review.lines,
        lines,
        total=(review.total_paise, cart["total_paise"]),
        moved=carts.base(cart["address_id"]) != carts.base(review.address_id),
        gap=gap,
        why=reasons.bill_changes(turn.say, review.bill, cart.get("bill", ()), amounts=not gap),
    )
    lost = carts.dump(review.lines) if not lines else None
    return turn.step(to, speech.void(turn.say, code, changes=changes, lost=not lines), cart=cart, lost=lost, said=code)


def recheck(turn: Turn, to: Phase) -> Step:
    """Read the cart once more; only what was reviewed may be ordered."""
    review = turn.review
    assert review is not None  # CONFIRMED is only heard with a review
    payload = {"utterance": turn.facts["utterance"], "said_at": turn.facts["said_at"], "revision": review.revision}
    return turn.step(to, effect=Effect("recheck", payload))


def check_out(turn: Turn, to: Phase) -> Step:
    """The only step that spends: the intent is stored with it, and the call is made once."""
    review = turn.review
    assert review is not None  # SAME is only seen with a review
    utterance = turn.facts["utterance"]
    payload = {
        "utterance": utterance,
        "said_at": turn.facts["said_at"],
        "revision": review.revision,
        "address": review.address_id,
        "total_paise": review.total_paise,
        "fingerprint": review.fingerprint,
    }
    intend = rows.Intend(utterance=utterance, review=review.dump())
    effect = Effect("checkout", payload, consent=utterance)
    freeze_s = turn.options.payment_freeze_s
    return turn.step(to, news.checking_out(turn.say), effect=effect, rows=(intend,), freeze_s=freeze_s, intent=utterance)


# ---- what became of it --------------------------------------------------------------------------------------------------


def say_not_placed(turn: Turn, to: Phase) -> Step:
    if "order" in turn.facts:  # after a refusal and one look at the orders
        refusal = turn.facts["refusal"]
        code = "unchecked" if turn.facts.get("unread") and refusal not in ("sign_in", "empty_cart") else refusal
        return turn.step(to, news.not_placed(turn.say, code), freeze_s=0, said="refused")
    ended = rows.Ended(turn.facts["utterance"], "not_sent", {"code": turn.facts["code"]})
    return turn.step(to, news.not_placed(turn.say, "not_sent"), freeze_s=0, rows=(ended,), said="not sent")


def look_once(turn: Turn, to: Phase) -> Step:
    """Refused on the closed list; the orders are read once before another review can be asked for."""
    utterance, code = turn.facts["utterance"], turn.facts["code"]
    effect = Effect("lookup", {"utterance": utterance, "refusal": code})
    ended = rows.Ended(
        utterance, "refused", {"code": code, "message": wording.clean(turn.say, turn.facts.get("message", ""), most=200)}
    )
    return turn.step(to, news.turned_down(turn.say, turn.facts.get("message", "")), effect=effect, rows=(ended,), said=code)


def look_up(turn: Turn, to: Phase) -> Step:
    """Said first, then looked up: the person can look at Swiggy sooner than we can."""
    utterance = turn.facts["utterance"]
    ended = rows.Ended(utterance, "unknown", {"code": turn.facts["code"], "lookup_s": turn.options.lookup_s})
    effect = Effect("lookup", {"utterance": utterance})
    return turn.step(
        to, news.unknown(turn.say), effect=effect, rows=(ended,), freeze_s=turn.options.lookup_s, said=turn.facts["code"]
    )


def say_still_unknown(turn: Turn, to: Phase) -> Step:
    looked = () if turn.facts.get("unread") else (rows.Looked(turn.facts["utterance"]),)
    return turn.step(to, news.still_unknown(turn.say), rows=looked, said="not seen yet")


def say_unknown(turn: Turn, to: Phase) -> Step:
    told = rows.Told(turn.facts["utterance"])
    if "settled" in turn.facts:  # by the operator, after one more look
        return turn.step(to, news.settled_not_placed(turn.say), freeze_s=0, rows=(told,), said="settled by the operator")
    return turn.step(to, news.may_be_placed(turn.say), freeze_s=0, rows=(told,), said="gave up", doubt=True)


def say_seen(turn: Turn, to: Phase) -> Step:
    """A positive sight of the order; what it means is left to the shop's own word for it."""
    utterance, order = turn.facts["utterance"], turn.facts.get("order")
    if order is None:  # the operator's word
        told = rows.Told(utterance)
        return turn.step(
            to, news.settled_placed(turn.say), rows=(told,), freeze_s=0, end="checkout_settled", said="settled by the operator"
        )
    written: tuple[Any, ...] = (rows.Looked(utterance, order),) if not turn.facts.get("recorded") else ()
    return turn.step(
        to, news.seen(turn.say, order), rows=(*written, rows.Told(utterance)), freeze_s=0, end="checkout_order_seen"
    )


def say_placed(turn: Turn, to: Phase) -> Step:
    """Paid, as the watch found; or placed at once, which a UPI order should not be, and is said all the same."""
    utterance = turn.facts["utterance"]
    if "result" in turn.facts:
        result = turn.facts["result"]
        ended = rows.Ended(utterance, "placed", {"order_ids": result["order_ids"], "total_paise": result["total_paise"]})
        say = (*news.parts(turn.say, result.get("parts", ())), news.placed(turn.say, failures=result["failures"]))
        return turn.step(to, *say, rows=(ended,), end="placed", freeze_s=0)
    return turn.step(
        to, news.paid(turn.say, turn.facts.get("total_paise")), rows=(rows.Told(utterance),), end="paid", freeze_s=0
    )


# ---- payment ------------------------------------------------------------------------------------------------------------


def send_link(turn: Turn, to: Phase) -> Step:
    """First with the answer of the checkout, later on request. Only a screen's event and the notifier carry the link."""
    if "result" not in turn.facts:
        number = turn.state.get("sent", 0) + 1
        effect = Effect("notify", {"utterance": turn.state["intent"], "round": number})
        payment = turn.state["payment"]
        link = news.link_event(turn.say, payment["link"], total_paise=payment["total_paise"])
        return turn.step(to, link, effect=effect, sent=number)
    result, utterance, reviewed = turn.facts["result"], turn.facts["utterance"], turn.facts["reviewed_paise"]
    total = result["total_paise"] if result["total_paise"] is not None else reviewed
    awaits = rows.awaits(utterance, result)
    asked = news.pay(turn.say, total_paise=total, reviewed_paise=reviewed, link=result["link"], screen=turn.screen)
    said = (*news.parts(turn.say, result.get("parts", ())), *asked)
    effect = Effect("notify", {"utterance": utterance, "round": 1})
    payment = {"link": result["link"], "total_paise": total}
    # The freeze runs from the intent; only where the look-up had shortened it is it set anew.
    freeze_s = turn.options.payment_freeze_s if turn.phase is Phase.UNKNOWN else None
    return turn.step(to, *said, effect=effect, rows=(awaits,), payment=payment, sent=1, freeze_s=freeze_s)


def say_link(turn: Turn, to: Phase) -> Step:
    """A first notice that arrived needs no second sentence; one that failed, or was asked for, is said."""
    if turn.facts["code"] in ("sent", "no_channel") and turn.facts["round"] == 1 and turn.screen:
        return turn.stay(said="link sent")
    return turn.stay(news.link_sent(turn.say, turn.facts["code"], screen=turn.screen), said=f"link {turn.facts['code']}")


def say_unpaid(turn: Turn, to: Phase) -> Step:
    reason = turn.facts["result_word"]
    return turn.step(to, news.unpaid(turn.say, reason), rows=(rows.Told(turn.facts["utterance"]),), end=reason, freeze_s=0)


def say_unsure(turn: Turn, to: Phase) -> Step:
    """The end of the payment is not known, or it could never be watched: said so, and left to the shop."""
    utterance = turn.facts["utterance"]
    if "result_word" in turn.facts:
        return turn.step(
            to, news.unsure(turn.say, "payment_unknown"), rows=(rows.Told(utterance),), end="payment_unknown", freeze_s=0
        )
    ended = rows.Ended(utterance, "unknown", {"code": turn.facts["code"], "lookup_s": turn.options.lookup_s})
    say = (*news.parts(turn.say, turn.facts.get("parts", ())), news.unsure(turn.say, "payment_unmonitored"))
    return turn.step(to, *say, rows=(ended,), end="payment_unmonitored", freeze_s=0)


def say_left(turn: Turn, to: Phase) -> Step:
    """What stands is said, and goes on without the session."""
    kind = turn.facts.get("deadline")
    reason = f"{kind}_timeout" if kind else turn.facts.get("reason", "left_while_paying")
    return turn.step(to, news.left(turn.say, unknown=turn.phase is not Phase.PAYMENT), end=reason)


BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {
    Then.SAY_HOW: say_how,
    Then.SAY_UNHEARD: say_unheard,
    Then.SAY_VOID: say_void,
    Then.RECHECK: recheck,
    Then.CHECK_OUT: check_out,
    Then.SEND_LINK: send_link,
    Then.SAY_LINK: say_link,
    Then.LOOK_ONCE: look_once,
    Then.LOOK_UP: look_up,
    Then.SAY_NOT_PLACED: say_not_placed,
    Then.SAY_STILL_UNKNOWN: say_still_unknown,
    Then.SAY_UNKNOWN: say_unknown,
    Then.SAY_SEEN: say_seen,
    Then.SAY_PLACED: say_placed,
    Then.SAY_UNPAID: say_unpaid,
    Then.SAY_UNSURE: say_unsure,
    Then.SAY_LEFT: say_left,
}

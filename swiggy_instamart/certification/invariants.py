"""What must hold of the money once everything is at rest: our rows against the shop's own ledger. Each breach is a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interactions.certification.contracts import Evidence, Say
from swiggy_instamart import intents
from swiggy_instamart.models import CheckoutIntent, Order, PaymentWatch

NOTHING_PLACED = ("nothing was placed", "was not placed", "no order was placed")
NOT_PLACED = frozenset({"FAILED", "CANCELLED"})


def check(evidence: Evidence) -> list[str]:
    parts = (_spent, _approved, _confirmed, _chains, _settled, _told, _warned, _claimed)
    return [line for part in parts for line in part(evidence)]


def _spent(evidence: Evidence) -> Iterator[str]:
    """At most one checkout for each time the phrase was said, and never one more than was written down before."""
    said = sum(isinstance(line, Say) and line.text == "confirm order" for line in evidence.script)
    calls = [call for call in evidence.ledger["calls"] if call["tool"] == "checkout"]
    made = sum(checkout["committed"] for checkout in evidence.ledger["checkouts"])
    known = CheckoutIntent.objects.count()
    if made > 1 or len(calls) > said:
        yield f"the shop was asked for {len(calls)} checkouts and made {made} orders"
    if not evidence.rewound and len(calls) > known:
        yield f"{len(calls)} checkouts were called for {known} intents"


def _approved(evidence: Evidence) -> Iterator[str]:
    """What was ordered is what was read back, for that total."""
    totals = {order["id"]: order for order in evidence.ledger["orders"]}
    for intent in CheckoutIntent.objects.all():
        approved = Counter({line["name"]: line["quantity"] for line in intent.lines})
        for order in (totals[number] for number in intent.order_ids if number in totals):
            if Counter(dict(order["items"])) != approved or order["total"] != intent.total_paise:
                meant = f"{dict(approved)} for {intent.total_paise}"
                yield f"{intent} approved {meant}; ordered was {order['items']} for {order['total']}"


def _confirmed(evidence: Evidence) -> Iterator[str]:
    sent = Counter(call["arguments"]["orderId"] for call in evidence.ledger["calls"] if call["tool"] == "confirm_order")
    yield from (f"order {order} was confirmed {times} times" for order, times in sent.items() if times > 1)


def _chains(evidence: Evidence) -> Iterator[str]:
    yield from (f"the chain of {intent} is broken" for intent in CheckoutIntent.objects.all() if not intents.verify(intent))


def _settled(evidence: Evidence) -> Iterator[str]:
    """Nothing stays open by itself, and whoever paid is known to have paid."""
    for watch in PaymentWatch.objects.filter(polling=True):
        yield f"{watch} is still being polled"
    for order in Order.objects.filter(closed_at=None).exclude(session_ended_at=None):
        yield f"{order} outlived its session with nothing unresolved"
    paid = {order["id"] for order in evidence.ledger["orders"] if order["paid"]}
    for intent in CheckoutIntent.objects.filter(state="paid"):
        if not paid.intersection(intent.order_ids):
            yield f"{intent} was told as paid, and the shop knows of no payment"


def _told(evidence: Evidence) -> Iterator[str]:
    """The end of a payment is told once."""
    ends = Counter(
        event["text"] for heard in evidence.heard.values() for event in heard if "placed successfully" in event["text"]
    )
    paid = CheckoutIntent.objects.filter(state="paid").count()
    if sum(ends.values()) != paid:
        yield f"{paid} payments went through, and that was told {sum(ends.values())} times"


def _warned(evidence: Evidence) -> Iterator[str]:
    """Whoever waits for an order hears that it is looked for, and to look too, before anybody looks.

    After a recovery the orders are searched also where everything was known, and then there is nothing to tell.
    """
    looked = [call["at"] for call in evidence.ledger["calls"] if call["tool"] == "get_orders"]
    warned = [event["at"] for heard in evidence.heard.values() for event in heard if "check" in event["text"].lower()]
    if looked and not evidence.rewound and not any(at <= looked[0] for at in warned):
        yield "the orders were looked at before anybody had been told to check them"


def _claimed(evidence: Evidence) -> Iterator[str]:
    """Nobody hears that nothing was placed while an order stands."""
    standing = [order for order in evidence.ledger["orders"] if order["status"] not in NOT_PLACED]
    for heard in evidence.heard.values():
        for event in heard:
            wrong = [order for order in standing if order["created_at"] < event["at"]]
            if wrong and any(words in event["text"].lower() for words in NOTHING_PLACED):
                yield f"{event['text']!r} was said while order {wrong[0]['id']} stood"


def cart(evidence: Evidence, *, meant: dict[str, int] | None) -> Iterator[str]:
    """The shop's cart is the last one that was meant, unless an order took it."""
    there = {line["spin"]: line["quantity"] for line in evidence.ledger["cart"]["lines"]}
    taken = any(order["status"] not in NOT_PLACED for order in evidence.ledger["orders"])
    if meant is not None and there != meant and not (taken and not there):
        yield f"the cart holds {there}, and {meant} was meant"

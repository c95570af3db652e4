"""What must hold once everything has come to rest: every word ended, every order told, the account free again.

``settle`` brings the world to rest as a quiet day would; ``look`` compares what the rows say and what was said with the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Count, Max, Q

from interactions.certification import invariants
from interactions.models import ChainRun, Checkpoint, Device, DeviceEvent, InboxItem, InteractionSession, Utterance
from swiggy_instamart import carts, intents
from swiggy_instamart.models import OPEN_STATES, CheckoutIntent, IntentEvent, Order, PaymentWatch
from swiggy_instamart.randomised.world import World

STEP_S, ROUNDS = 60.0, 40
LATER_S = 4000.0  # beyond every deadline of a session
PLACED_AND_SAID = ("Instamart order placed successfully.", "that Instamart order was placed successfully.")  # the second late
MAY_EXIST = "I could not find the order, but it may exist."
NOTHING = ("nothing was placed", "placed nothing")


def settle(world: World) -> None:
    """No more mishaps; time passes, beats come, doorbells are answered, until nothing waits. Then every session times out."""
    world.workers.blow, world.shop.frozen, world.shop.stray = None, None, None
    world.shop.meanwhile.clear()
    world.shop.account.state.rules.clear()
    world.do_signed_out(out=False)
    world.do_notices(fail=False)
    world.do_work()
    for _ in range(ROUNDS):
        world.clock.forward(STEP_S)
        while world.shop.packets:
            world.shop.land(world.shop.packets[0])
        world.do_beat()
        world.do_work()
        if not _waiting():
            break
    else:
        world.complain(f"no rest after {ROUNDS * STEP_S:.0f} s: {_waiting()}")


def close(world: World) -> None:
    """The day is over: every session meets its deadline, and nothing of the account stays taken."""
    for _ in range(3):
        world.clock.forward(LATER_S)
        world.do_beat()
        world.do_work()
    if InteractionSession.objects.filter(status="active").exists():
        world.complain("P036: a session outlived every deadline")
    if Order.objects.filter(closed_at=None).exists():
        world.complain("P241: the account is still taken")


def _waiting() -> str:
    found = {
        "items": InboxItem.objects.filter(status="waiting").count(),
        "checkpoints": Checkpoint.objects.filter(stepped_at=None).count(),
        "chain": ChainRun.objects.filter(status__in=("staged", "claimed")).count(),
        "watches": PaymentWatch.objects.filter(ended_at=None).count(),
        "intents": CheckoutIntent.objects.filter(state__in=OPEN_STATES).count(),
    }
    return ", ".join(f"{count} {name}" for name, count in found.items() if count)


def look(world: World) -> None:
    for rule in RULES:
        for problem in rule(world):
            world.complain(problem)


# ---- what was heard, and what was told -----------------------------------------------------------------------------------


def _heard(world: World) -> Iterator[str]:
    """I5: nothing that was accepted is lost, and nothing is handled twice."""
    for item in InboxItem.objects.exclude(status__in=("done", "dropped")):
        yield f"I5: item {item.pk} is {item.status}: {item.note}"
    accepted = Utterance.objects.filter(disposition="accepted").annotate(n=Count("items"), runs=Count("chain_run"))
    for utterance in accepted.filter(n=0, runs=0).exclude(reason="stop"):  # obeyed where it was heard
        yield f"I5: {utterance.text!r} was accepted and belongs to nobody"
    for item in InboxItem.objects.filter(status="done", kind__in=("heard", "start")).exclude(note="heard afresh"):
        device = item.utterance.device_id if item.utterance else None
        if not DeviceEvent.objects.filter(device=device, payload__answers=item.utterance_id).exists():
            yield f"I6: {item.text!r} was handled and never answered"
    if InboxItem.objects.filter(attempts__gt=3).exists():
        yield "I5: an item was tried more often than its cap"


def _told(world: World) -> Iterator[str]:
    """I6: numbers without a gap; whoever was told to wait was told how it ended."""
    for device in Device.objects.annotate(count=Count("events"), top=Max("events__seq")):
        if not device.event_seq == device.count == (device.top or 0):
            yield f"I6: {device.name} has {device.count} events up to {device.top}, numbered to {device.event_seq}"
    for waiting in invariants.waits():
        yield f"I6: {waiting}"


# ---- the money -----------------------------------------------------------------------------------------------------------


def _orders(world: World) -> Iterator[str]:
    """I1, I9: each order of the shop belongs to the one intent that sent it, which never says that there is none."""
    ledger = world.shop.ledger()
    by_call = {one.call: one.by for one in world.wire.sent if one.tool == "checkout" and one.call}
    for checkout in ledger["checkouts"]:
        intent = CheckoutIntent.objects.filter(checkpoint=by_call[checkout["call"]].checkpoint).first()
        if intent is None:
            yield f"I1: checkout {checkout['call']} has no intent"
        elif checkout["committed"] and intent.state in ("refused", "not_sent"):
            yield f"I9: order {checkout['orders']} exists and its intent is {intent.state}"
    known = {number: order for order in ledger["orders"] for number in [order["id"]]}
    for intent in CheckoutIntent.objects.exclude(order_ids=[]):
        for number in intent.order_ids:
            if number not in known:
                yield f"I9: intent {intent.pk} is {intent.state} with an order that is not there"
            elif intent.state == "paid" and not known[number]["paid"] and number not in world.moved:
                yield f"P147: intent {intent.pk} is paid and its order is not"
    for intent in CheckoutIntent.objects.all():
        if not intents.verify(intent):
            yield f"the chain of intent {intent.pk} is broken"


def _good_news(world: World) -> Iterator[str]:
    """A paid order is announced exactly once, and so is one that could not be found."""
    texts = Counter(str(text) for text in DeviceEvent.objects.values_list("payload__text", flat=True) if text)
    said = sum(
        count for text, count in texts.items() if text.startswith(PLACED_AND_SAID[0]) or text.endswith(PLACED_AND_SAID[1])
    )
    placed = CheckoutIntent.objects.filter(state__in=("paid", "placed")).count()
    if said != placed:
        yield f"{placed} orders were placed and {said} announced"
    unfound = IntentEvent.objects.filter(name="unfound").count()
    doubts = sum(count for text, count in texts.items() if text.startswith(MAY_EXIST))
    if doubts != unfound:
        yield f"{unfound} look-ups gave up and {doubts} were told so"
    for watch in PaymentWatch.objects.filter(told_at=None):
        yield f"I13: payment {watch.pk} ended as {watch.result} and nobody was told"
    ended = IntentEvent.objects.filter(name="payment_ended").values("intent").annotate(n=Count("pk")).filter(n__gt=1)
    if ended.exists():
        yield "I13: a payment ended twice"


def _claims(world: World) -> Iterator[str]:
    """P206: "nothing was placed" is never said after a checkout that made an order."""
    for checkout in world.shop.ledger()["checkouts"]:
        sender = next((one.by for one in world.wire.sent if one.tool == "checkout" and one.call == checkout["call"]), None)
        if sender is None or not checkout["committed"]:
            continue
        told = DeviceEvent.objects.filter(session=sender.session)
        began = told.filter(payload__text="Placing it now.", payload__answers=sender.payload["utterance"]).first()
        denied = Q()
        for words in NOTHING:
            denied |= Q(payload__text__icontains=words)
        for event in told.filter(denied, pk__gt=began.pk if began else 0):
            yield f"P206: {event.payload['text']!r} was said after order {checkout['orders']}"


def _cart(world: World) -> Iterator[str]:
    """I3: the cart is what was last meant, unless somebody else changed it since or the difference was told."""
    last: Checkpoint | None = Checkpoint.objects.filter(effect__in=("write", "clear")).exclude(fence=None).order_by("pk").last()
    if last is None or last.outcome != "done" or world.shop.touched:
        return
    result: dict[str, Any] = last.result
    report = result.get("report") or {}
    if (
        result.get("overtaken")
        or any(report.get(key) for key in report)
        or (last.effect == "clear" and result["cart"]["lines"])
    ):
        return
    meant = carts.counts(carts.load(last.payload["after"])) if last.effect == "write" else {}
    there = {line["spin"]: line["quantity"] for line in world.shop.ledger()["cart"]["lines"]}
    if meant != there:
        yield f"I3: the cart holds {there}, meant was {meant}"


RULES: tuple[Callable[[World], Iterator[str]], ...] = (_heard, _told, _orders, _good_news, _claims, _cart)


def day_ends(world: World) -> None:
    """Bring the world to rest, and judge it."""
    settle(world)
    if not world.problems:
        look(world)
    if not world.problems:
        close(world)

"""The payment link on its way to the person's own channel, which is the Hermes notify action and nothing else.

It comes from the intent, so that it stands in no payload and no log. At least once: the same delivery id is taken once there.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from interactions import host
from interactions.plugins import ActionResult
from swiggy_instamart import news, telling
from swiggy_instamart.models import CheckoutIntent, IntentEvent, PaymentWatch, Recovery

TRY_AGAIN = ("unreachable", "http_5")
RESENT = "link_resent"


def send(intent: CheckoutIntent, *, user: int, delivery: str) -> ActionResult:
    """One delivery. Only from an effect or a task: it waits for the answer."""
    data = {
        "user": user,
        "text": news.notice(telling.say_of(intent), billed(intent)),
        "link": intent.bridge_url,
        "id": f"swiggy-{intent.pk}-{delivery}{_after_recovery(intent)}",
    }
    return host.call_plugin("hermes", "notify", data)


def _after_recovery(intent: CheckoutIntent) -> str:
    """A restored database gives out numbers once more, and what was sent under them must not pass for this."""
    before = Recovery.objects.filter(account=intent.order.account_id, at__lte=intent.created_at).order_by("at").last()
    return f"-after-{before.at:%Y%m%d%H%M%S}" if before is not None else ""


def billed(intent: CheckoutIntent) -> int:
    """What the shop asks; where it did not say, what was reviewed."""
    return intent.billed_paise if intent.billed_paise is not None else intent.total_paise


def owe(intent: CheckoutIntent, *, at: datetime) -> bool:
    """No session sends the link, and the device may have no screen: the next poll sends it first. False if none will."""
    return bool(PaymentWatch.objects.filter(intent=intent, ended_at=None).update(notice_at=at, next_poll_at=at))


def send_owed(watch: PaymentWatch) -> None:
    """The link that no session got to send. What cannot be delivered for good is said at the device, and not tried again."""
    if watch.notice_at is None or watch.ended_at is not None:
        return
    intent = watch.intent
    again = IntentEvent.objects.filter(intent=intent, name=RESENT).count()  # the operator's wishes
    result = send(intent, user=intent.order.account.user_id, delivery=f"again-{again}" if again else "late")
    if not result.ok and result.error.startswith(TRY_AGAIN):
        return
    with transaction.atomic():
        if not result.ok:
            host.tell(intent.order.device_id, cause=f"unsent:{intent.pk}", reply=news.link_not_sent(telling.say_of(intent)))
        PaymentWatch.objects.filter(pk=watch.pk).update(notice_at=None)

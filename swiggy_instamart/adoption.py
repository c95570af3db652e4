"""The answer of a checkout that came when its session had given it up or was gone: the payment is followed all the same.

Expects a transaction. The person hears where to pay from the session, or at the device and on their own channel.
"""

from __future__ import annotations

from datetime import datetime

from interactions import host
from interactions.contracts import Json
from swiggy_instamart import news, notices, payments, rows
from swiggy_instamart.models import CheckoutIntent
from swiggy_instamart.options import Options


def adopt(intent: CheckoutIntent, result: Json, *, at: datetime, options: Options) -> None:
    """A checkout's answer came after its session had given it up: it is watched at once, and the session told or its device."""
    facts = {"result": dict(result), "utterance": intent.utterance, "reviewed_paise": intent.total_paise}
    # The locks of session and device come first, as everywhere.
    signalled = host.signal(intent.session_id, name="awaits", data=facts)
    alone = not signalled and CheckoutIntent.objects.filter(pk=intent.pk, state__in=payments.UNANSWERED).exists()
    if alone:
        hand_over(intent, link=result["link"], total_paise=result["total_paise"], device=intent.order.device_id)
    payments.watch(intent, rows.awaits(intent.utterance, result), at=at, options=options)
    if alone:
        notices.owe(intent, at=at)


def hand_over(intent: CheckoutIntent, *, link: str, total_paise: int | None, device: int) -> None:
    """Tell a device of the linked user what waits to be paid and where, once; its session did not get to say it."""
    total = total_paise if total_paise is not None else intent.total_paise
    told = {"awaits": news.awaits_after_all(total), "link": news.link_event(link, total_paise=total)}
    for name, reply in told.items():
        host.tell(device, cause=f"{name}:{intent.pk}", reply=reply, session_id=intent.session_id)

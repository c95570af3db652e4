"""Whoever is to hear of something that came to light outside any turn: a session of the account, else a device of its person.

Joins the transaction that writes it down. Session and device are locked here, so this comes before other rows are written.
"""

from __future__ import annotations

from interactions import host
from interactions.contracts import Json, Reply
from interactions.sentences import Sentences
from swiggy_instamart import accounts, wording
from swiggy_instamart.models import Account, CheckoutIntent, Order


def say_of(intent: CheckoutIntent) -> Sentences:
    """The sentences of the language that was spoken in the checkout's session."""
    return wording.of(host.language_of(session_id=intent.session_id))


def say_to(account: Account) -> Sentences:
    return wording.of(host.language_of(user_id=account.user_id))


def of_intent(intent: CheckoutIntent, *, name: str, data: Json, reply: Reply, cause: str) -> bool:
    """To the checkout's own session, or the order that is going on, whose review did not know of it. True if said already."""
    for session in (intent.session_id, accounts.session_of(intent.order.account_id)):
        if session is not None and host.signal(session, name=name, data=data):
            return False
    host.tell(intent.order.device_id, cause=cause, reply=reply, session_id=intent.session_id)
    return True


def to_account(account: Account, *, name: str, data: Json, reply: Reply, cause: str) -> bool:
    """To the order that is going on, else where the last one was, else where its person was last. True if said already."""
    session = accounts.session_of(account.pk)
    if session is not None and host.signal(session, name=name, data=data):
        return False
    last = Order.objects.filter(account=account).order_by("-pk").values_list("device_id", flat=True).first()
    device = last if last is not None else host.device_of(account.user_id)
    if device is not None:
        host.tell(device, cause=cause, reply=reply)
    return device is not None

"""The rows of an order, and what the database itself refuses: a second open order, a consent used twice, a rewritten event.

Rows of the host are named by plain ids. Money is integer paise. Who writes: ``orders``, ``intents``, ``payments``, ``lookups``,
by guarded updates that count their rows.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q

OPEN_STATES = ["started", "pending_payment", "unknown"]
RESOLVED_STATES = ["placed", "paid", "unpaid", "payment_unknown", "refused", "not_sent", "seen", "unfound", "not_placed"]


class Account(models.Model):
    """The one shop account that a linked user orders with. Nothing is sent to its cart before ``quiet_until``."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="swiggy_account")
    quiet_until = models.DateTimeField(null=True)
    sign_in_ends_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"account {self.pk}"


class Order(models.Model):
    """One session's hold of the account's cart, open until the session has ended and no checkout of it is unresolved."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="orders")
    session_id = models.BigIntegerField(unique=True)
    device_id = models.BigIntegerField()
    opened_at = models.DateTimeField()
    session_ended_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    close_reason = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account"], condition=Q(closed_at=None), name="order_one_open"),
            models.CheckConstraint(condition=Q(closed_at=None) | ~Q(close_reason=""), name="order_closed_has_reason"),
        ]

    def __str__(self) -> str:
        return f"order {self.pk}"


class CheckoutIntent(models.Model):
    """A checkout that was about to be called, on whose word, for exactly what; and what became of it."""

    class State(models.TextChoices):
        STARTED = "started"  # the call may be on its way
        PENDING_PAYMENT = "pending_payment"
        PLACED = "placed"
        PAID = "paid"
        UNPAID = "unpaid"  # failed, cancelled, refunded, cart changed: ``code`` says which
        PAYMENT_UNKNOWN = "payment_unknown"
        REFUSED = "refused"
        NOT_SENT = "not_sent"
        UNKNOWN = "unknown"  # being looked up
        SEEN = "seen"
        UNFOUND = "unfound"  # looked up in vain: it may exist all the same
        NOT_PLACED = "not_placed"  # the operator says so, and one more look saw nothing; reopened by a later sight

    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="intents")
    utterance = models.BigIntegerField(unique=True)  # whose words were the consent; good for one checkout
    session_id = models.BigIntegerField()
    checkpoint = models.BigIntegerField(unique=True)
    revision = models.IntegerField()
    address_id = models.CharField(max_length=200)
    address_label = models.CharField(max_length=200)
    lines = models.JSONField(default=list)
    total_paise = models.BigIntegerField()
    fingerprint = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=State.choices, default=State.STARTED)
    code = models.CharField(max_length=64, blank=True)
    order_ids = models.JSONField(default=list)
    paas_id = models.CharField(max_length=200, blank=True)
    transaction_id = models.CharField(max_length=200, blank=True)
    bridge_url = models.TextField(blank=True)  # the payment link: a secret, shown to nobody but the linked user
    billed_paise = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)
    look_until = models.DateTimeField(null=True)
    next_look_at = models.DateTimeField(null=True)
    looks = models.IntegerField(default=0)
    wish = models.CharField(max_length=16, blank=True, default="", db_default="")  # the operator's, for the next look to answer
    looked_by = models.CharField(max_length=128, blank=True, default="", db_default="")  # which process is looking now
    told_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["order"], condition=Q(state__in=OPEN_STATES), name="intent_one_open"),
            models.CheckConstraint(
                condition=Q(state__in=OPEN_STATES + RESOLVED_STATES),
                name="intent_known_state",
            ),
            models.CheckConstraint(condition=Q(total_paise__gt=0), name="intent_total_positive"),
            models.CheckConstraint(condition=~Q(state="pending_payment") | ~Q(paas_id=""), name="intent_pending_has_payment"),
            models.CheckConstraint(
                condition=Q(state__in=OPEN_STATES, resolved_at=None)
                | (~Q(state__in=OPEN_STATES) & Q(resolved_at__isnull=False)),
                name="intent_resolved_has_time",
            ),
        ]
        indexes = [models.Index(fields=["state", "next_look_at"])]
        permissions = [("settle_checkoutintent", "Can settle an unknown checkout, resend its link and follow its payment on")]

    def __str__(self) -> str:
        return f"intent {self.pk} ({self.state})"


class IntentEvent(models.Model):
    """One thing that happened to an intent. Appended, never changed; each carries the hash of the one before it.

    The hash covers salted digests of ``personal``, not its words: they can be removed and the chain still verifies.
    """

    intent = models.ForeignKey(CheckoutIntent, on_delete=models.PROTECT, related_name="events")
    sequence = models.IntegerField()
    name = models.CharField(max_length=32)
    at = models.DateTimeField()
    facts = models.JSONField(default=dict)
    personal = models.JSONField(default=dict)
    salt = models.CharField(max_length=64, blank=True)
    digests = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["intent", "sequence"], name="intent_event_sequence")]
        ordering = ["intent", "sequence"]

    def __str__(self) -> str:
        return f"{self.name} of intent {self.intent_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("an intent's event is never changed; append another")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("an intent's event is never deleted; its personal words can be removed by intents.redact")


class Recovery(models.Model):
    """One recovery, as one account sees it: the orders since ``since`` are searched for those that no intent tells of."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="recoveries")
    at = models.DateTimeField()
    since = models.DateTimeField()
    look_until = models.DateTimeField()
    next_look_at = models.DateTimeField(null=True)
    looks = models.IntegerField(default=0)  # that could read the orders
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "recoveries"
        constraints = [models.UniqueConstraint(fields=["account"], condition=Q(ended_at=None), name="recovery_one_open")]

    def __str__(self) -> str:
        return f"recovery {self.pk}"


class StrayOrder(models.Model):
    """An order that Swiggy lists and no intent here knows: placed by a lost moment of ours, or by its person elsewhere."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="strays")
    order_id = models.CharField(max_length=200)
    status = models.CharField(max_length=60, blank=True)
    total_paise = models.BigIntegerField(null=True)
    placed_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "order_id"], name="stray_once")]

    def __str__(self) -> str:
        return f"stray order {self.pk}"


class PaymentWatch(models.Model):
    """Follows one payment to its end. Whoever polls has set ``polling``, which one row at most can have."""

    intent = models.OneToOneField(CheckoutIntent, on_delete=models.PROTECT, related_name="watch")
    interval_ms = models.IntegerField()
    next_poll_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    polls = models.IntegerField(default=0)
    polling = models.BooleanField(default=False)
    polled_by = models.CharField(max_length=128, blank=True, default="", db_default="")  # which process has set it
    lease_until = models.DateTimeField(null=True)
    last_status = models.CharField(max_length=40, blank=True)
    last_error = models.CharField(max_length=40, blank=True)
    confirm_started_at = models.DateTimeField(null=True)  # set once; whoever sets it may send confirm_order, once
    confirm_result = models.CharField(max_length=16, blank=True)
    ended_at = models.DateTimeField(null=True)
    result = models.CharField(max_length=32, blank=True)
    told_at = models.DateTimeField(null=True)
    notice_at = models.DateTimeField(null=True)  # since when the link waits to be sent that no session got to send
    late_until = models.DateTimeField(null=True)  # until when a payment after the end is still looked for

    class Meta:
        verbose_name_plural = "payment watches"
        constraints = [
            models.UniqueConstraint(fields=["polling"], condition=Q(polling=True), name="watch_one_poll"),
            models.CheckConstraint(
                condition=Q(ended_at=None, result="") | (Q(ended_at__isnull=False) & ~Q(result="")),
                name="watch_ended_has_result",
            ),
            models.CheckConstraint(condition=Q(polling=False) | Q(lease_until__isnull=False), name="watch_poll_has_lease"),
        ]
        indexes = [models.Index(fields=["ended_at", "next_poll_at"])]

    def __str__(self) -> str:
        return f"watch of intent {self.intent_id}"

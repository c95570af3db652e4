"""The operator's window on orders, checkouts and payments: no form changes a row. A payment link is shown to nobody."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Case, IntegerField, Model, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse

from interactions.pages import ReadOnlyAdmin
from swiggy_instamart import intents, settling_page, tokens
from swiggy_instamart.models import Account, CheckoutIntent, IntentEvent, Order, PaymentWatch, Recovery, StrayOrder

MASK = "•••"
HIDDEN = frozenset({"bridge_url", "personal", "salt"})  # the link, and words with it in them


class Page(ReadOnlyAdmin):
    hidden = HIDDEN


@admin.register(Account)
class AccountAdmin(Page):
    list_display = ("user", "quiet_until", "sign_in_ends_at", "sign_in")

    @admin.display(description="sign-in")
    def sign_in(self, account: Account) -> str:
        return tokens.verdict().sentence


@admin.register(Order)
class OrderAdmin(Page):
    list_display = ("pk", "account", "session_id", "device_id", "opened_at", "session_ended_at", "closed_at", "close_reason")
    list_filter = ("close_reason",)


@admin.register(CheckoutIntent)
class CheckoutIntentAdmin(Page):
    """All checkouts ever begun, unknown ones first. What can be done about one is on a page of its own."""

    change_form_template = "swiggy_instamart/checkout.html"

    list_display = (
        "pk",
        "state",
        "code",
        "rupees",
        "address_label",
        "session_id",
        "created_at",
        "resolved_at",
        "looks",
        "chain",
    )
    list_filter = ("state",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        doubt = Case(When(state__in=("started", "unknown"), then=Value(0)), default=Value(1), output_field=IntegerField())
        return super().get_queryset(request).order_by(doubt, "-created_at")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [*super().get_fields(request, obj), "link", "chain"]

    def get_urls(self) -> Any:
        settle = self.admin_site.admin_view(partial(settling_page.view, site=self.admin_site))
        return [path("<int:pk>/settle/", settle, name="swiggy_instamart_checkoutintent_settle"), *super().get_urls()]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **more: Any) -> HttpResponse:
        if settling_page.allowed(request):
            url = reverse(settling_page.SETTLE_PAGE, args=[object_id])
            more["extra_context"] = (more.get("extra_context") or {}) | {"settle_url": url}
        return super().change_view(request, object_id, *args, **more)

    @admin.display(description="total")
    def rupees(self, intent: CheckoutIntent) -> str:
        return f"₹{intent.total_paise / 100:.2f}"

    @admin.display(description="payment link")
    def link(self, intent: CheckoutIntent) -> str:
        return MASK if intent.bridge_url else ""

    @admin.display(description="chain")
    def chain(self, intent: CheckoutIntent) -> str:
        return "whole" if intents.verify(intent) else "BROKEN"


@admin.register(Recovery)
class RecoveryAdmin(Page):
    list_display = ("account", "at", "since", "look_until", "looks", "ended_at")


@admin.register(StrayOrder)
class StrayOrderAdmin(Page):
    list_display = ("account", "order_id", "status", "total_paise", "placed_at", "seen_at", "told_at")


@admin.register(IntentEvent)
class IntentEventAdmin(Page):
    list_display = ("intent", "sequence", "name", "at", "facts")
    list_filter = ("name",)


@admin.register(PaymentWatch)
class PaymentWatchAdmin(Page):
    list_display = ("intent", "last_status", "polls", "next_poll_at", "deadline_at", "confirm_started_at", "ended_at", "result")
    list_filter = ("result",)

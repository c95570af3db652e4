"""The page on which the operator settles one checkout: what was agreed to, what became of it, and one act with a reason.

It has a permission of its own, acts on POST alone, and only hands on to ``settlement``, which decides what may be done.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse

from swiggy_instamart import settlement, wording
from swiggy_instamart.models import CheckoutIntent, IntentEvent
from swiggy_instamart.settlement import NotNowError

PERMISSION = "swiggy_instamart.settle_checkoutintent"
CHANGE_PAGE, SETTLE_PAGE = "admin:swiggy_instamart_checkoutintent_change", "admin:swiggy_instamart_checkoutintent_settle"
DONE = {
    "not_placed": "It is being looked for once more; the answer appears below in a moment.",
    "resend": "The link is on its way again.",
    "follow": "The payment is followed for half an hour more.",
}


class SettleForm(forms.Form):
    act = forms.ChoiceField(label="What", widget=forms.RadioSelect)
    order_id = forms.CharField(
        label="Order number",
        required=False,
        max_length=200,
        help_text="As Swiggy shows it, where it was placed; may stay empty.",
    )
    note = forms.CharField(
        label="Why",
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text="What you saw and where. It stays in the log of this checkout with your name; write nothing personal.",
    )

    def __init__(self, *args: Any, acts: dict[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["act"].choices = list(acts.items())  # type: ignore[attr-defined]


def allowed(request: HttpRequest) -> bool:
    return request.user.has_perm(PERMISSION)


def view(request: HttpRequest, pk: int, *, site: AdminSite) -> HttpResponse:
    """Show it, or do the one act that was posted and come back here."""
    if not allowed(request):
        raise PermissionDenied
    intent = get_object_or_404(CheckoutIntent.objects.select_related("order"), pk=pk)
    acts = dict(settlement.possible(intent))
    form = SettleForm(request.POST or None, acts=acts)
    if request.method == "POST" and form.is_valid():
        act, note = form.cleaned_data["act"], form.cleaned_data["note"]
        try:
            settlement.perform(act, pk, by=request.user.get_username(), note=note, order_id=form.cleaned_data["order_id"])
        except NotNowError as error:
            messages.error(request, str(error))
        else:
            _log(request, intent, f"{act}: {note}")
            messages.success(request, DONE.get(act, "Settled; the person who ordered is told."))
            return HttpResponseRedirect(reverse(SETTLE_PAGE, args=[pk]))
    context = {
        **site.each_context(request),
        "title": f"Settle checkout {intent.pk}",
        "opts": CheckoutIntent._meta,
        "intent": intent,
        "lines": intent.lines,
        "total": wording.rupees(wording.ENGLISH, intent.total_paise),
        "acts": acts,
        "form": form,
        "events": IntentEvent.objects.filter(intent=intent).order_by("sequence"),
    }
    return TemplateResponse(request, "swiggy_instamart/settle.html", context)


def _log(request: HttpRequest, intent: CheckoutIntent, message: str) -> None:
    """The admin's own log too, beside the chain of the checkout."""
    assert request.user.pk is not None  # whoever has the permission has signed in
    LogEntry.objects.log_actions(request.user.pk, [intent], CHANGE, change_message=message, single_object=True)

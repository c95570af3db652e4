"""The operator sees every row of the host and can change none of them there."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from interactions import devices
from interactions.pages import MASK
from tests.flows.test_api_screen import session_of
from tests.support.people import Owned
from tests.support.telling import tell

pytestmark = pytest.mark.on_postgres

MODELS = [model for model in admin.site._registry if model._meta.app_label == "interactions"]


@pytest.fixture
def operator(client: Client, django_user_model: Any, db: None) -> Client:
    client.force_login(django_user_model.objects.create_superuser("operator"))
    return client


def test_every_model_of_the_host_has_a_page() -> None:
    from django.apps import apps

    assert set(MODELS) == set(apps.get_app_config("interactions").get_models())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_no_form_adds_edits_or_deletes(operator: Client, kitchen: Owned, model: Any) -> None:
    event = tell(kitchen)
    devices.ticket(kitchen.device)
    name = f"admin:interactions_{model._meta.model_name}"
    assert operator.get(reverse(f"{name}_changelist")).status_code == 200
    assert operator.get(reverse(f"{name}_add")).status_code == 403
    row = model.objects.first()
    pk = row.pk if row else event.pk
    for address in (reverse(f"{name}_change", args=[pk]), reverse(f"{name}_delete", args=[pk])):
        assert operator.post(address, {"post": "yes"}).status_code in (302, 403)
    assert model.objects.filter(pk=pk).exists() == (row is not None)


def test_every_row_opens_and_a_payment_link_is_masked(operator: Client, kitchen: Owned) -> None:
    session = session_of(kitchen, state={"payment": {"bridge_url": "https://pay.example/secret"}})
    event = tell(kitchen, session_id=session.pk, payload={"text": "Pay", "data": {"link": "upi://secret"}})
    for model, row in (("interactionsession", session), ("deviceevent", event), ("device", kitchen.device)):
        page = operator.get(reverse(f"admin:interactions_{model}_change", args=[row.pk]))
        assert page.status_code == 200
        assert b"secret" not in page.content
        assert kitchen.device.token_hash.encode() not in page.content
    page = operator.get(reverse("admin:interactions_deviceevent_change", args=[event.pk]))
    assert MASK in page.content.decode()


@pytest.mark.promise("P268")
def test_the_operator_asks_a_session_to_end_and_whoever_may_only_look_cannot(
    operator: Client, kitchen: Owned, django_user_model: Any
) -> None:
    session = session_of(kitchen)
    looker = django_user_model.objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_interactionsession"))
    only_looks = Client()
    only_looks.force_login(looker)
    page, chosen = reverse("admin:interactions_interactionsession_changelist"), {"action": "end_conversations"}
    only_looks.post(page, chosen | {"_selected_action": [session.pk]})
    assert not session.inbox.exists()
    answer = operator.post(page, chosen | {"_selected_action": [session.pk]}, follow=True)
    assert "1 asked to end" in answer.content.decode()
    assert [(item.kind, item.data) for item in session.inbox.all()] == [("end", {"by": "operator"})]


def test_the_plurals_are_english(operator: Client) -> None:
    page = operator.get("/admin/").content.decode()
    assert "Payment watches" in page
    assert "watchs" not in page


def test_the_operator_sees_which_device_reports_no_playback(operator: Client, kitchen: Owned) -> None:
    kitchen.device.capabilities = {"voice": True}
    kitchen.device.save()
    tell(kitchen)
    assert "this device reports nothing" in operator.get(reverse("admin:interactions_deviceevent_changelist")).content.decode()


def test_the_bare_address_leads_to_the_description(client: Client) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/api/docs/")

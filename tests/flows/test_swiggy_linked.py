"""Whose Swiggy account it is: one existing, active user, named by key or by name, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings

from swiggy_instamart import linked

pytestmark = pytest.mark.on_sqlite


@pytest.mark.promise("P236")
@pytest.mark.parametrize("by", ["key", "name"])
def test_the_linked_user_is_named_by_key_or_by_name(settings: LazySettings, asha: Any, ravi: Any, by: str) -> None:
    settings.SWIGGY_LINKED_USER_ID = str(asha.pk) if by == "key" else "asha"
    assert linked.lookup() == linked.Linked(asha.pk)
    assert linked.is_linked(asha.pk)
    assert not linked.is_linked(ravi.pk)


@pytest.mark.promise("P236", "P172")
@pytest.mark.parametrize(
    ("name", "why"), [("", "not set"), ("nobody", "names no user"), ("999", "names no user"), ("9" * 40, "names no user")]
)
def test_anything_else_is_a_fault_that_names_the_variable(settings: LazySettings, asha: Any, name: str, why: str) -> None:
    settings.SWIGGY_LINKED_USER_ID = name
    found = linked.lookup()
    assert found.user is None
    assert "SWIGGY_LINKED_USER_ID" in found.fault
    assert why in found.fault
    assert not linked.is_linked(asha.pk)


@pytest.mark.promise("P236")
def test_a_user_who_is_not_active_is_not_linked(settings: LazySettings, asha: Any) -> None:
    settings.SWIGGY_LINKED_USER_ID = "asha"
    asha.is_active = False
    asha.save()
    assert "not active" in linked.lookup().fault


@pytest.mark.promise("P236")
def test_a_name_that_is_the_key_of_another_user_is_ambiguous(settings: LazySettings, asha: Any, django_user_model: Any) -> None:
    django_user_model.objects.create_user(str(asha.pk))
    settings.SWIGGY_LINKED_USER_ID = str(asha.pk)
    assert "ambiguous" in linked.lookup().fault
    assert not linked.is_linked(asha.pk)

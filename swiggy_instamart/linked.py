"""The one person whose Swiggy account this is: ``SWIGGY_LINKED_USER_ID`` names an existing, active user by key or by name.

Anything else is a fault with a sentence, and then nobody may use the mode.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Q

VARIABLE = "SWIGGY_LINKED_USER_ID"


@dataclass(frozen=True, slots=True)
class Linked:
    """``user`` is the key of the linked user, or ``None`` with the ``fault`` that says why there is none."""

    user: int | None
    fault: str = ""


def lookup() -> Linked:
    """Who is linked, by one query."""
    name = str(settings.SWIGGY_LINKED_USER_ID or "").strip()
    if not name:
        return Linked(None, f"{VARIABLE} is not set; set it to the user whose Swiggy account this is.")
    model = get_user_model()
    wanted = Q(**{model.USERNAME_FIELD: name})
    with contextlib.suppress(ValidationError):  # a name that cannot be a key
        wanted |= Q(pk=model._meta.pk.to_python(name))
    found: list[tuple[Any, bool]] = list(model._default_manager.filter(wanted).values_list("pk", "is_active")[:2])
    if not found:
        return Linked(None, f"{VARIABLE} names no user: there is no {name!r}.")
    if len(found) > 1:
        return Linked(None, f"{VARIABLE} is ambiguous: {name!r} is the key of one user and the name of another.")
    key, active = found[0]
    if not active:
        return Linked(None, f"{VARIABLE} names a user who is not active: {name!r}.")
    return Linked(key)


def is_linked(user: int) -> bool:
    """Whether this user may order from the linked account."""
    return lookup().user == user

"""Something told to a device, as a step would tell it."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from interactions import events
from interactions.models import DeviceEvent
from tests.support.people import Owned

_causes = itertools.count(1)


def tell(owned: Owned, text: str = "Hello", *, expires_s: float | None = None, **more: Any) -> DeviceEvent:
    """``tell(kitchen, "Hello", expires_s=-1)``: one event of its own cause."""
    now = timezone.now()
    told = {"kind": "interaction.reply", "cause": f"test:{next(_causes)}", "ordinal": 0, "payload": {"text": text}, "at": now}
    with transaction.atomic():
        ends = now + timedelta(seconds=expires_s) if expires_s is not None else None
        return events.emit(owned.device.pk, **(told | {"expires_at": ends} | more))

"""The one place that asks what time it is. Tests move it by hand; rows that guard a lease use the database's clock instead."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    return timezone.now()

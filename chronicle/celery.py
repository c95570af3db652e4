"""The Celery application. Workers: ``-Q turns``, ``-Q effects``, ``-Q ticks``, all prefork; beat has a static schedule."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chronicle.settings")

app = Celery("chronicle")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def _refuse_a_wrong_start(**_: Any) -> None:
    """Celery logs what a receiver raises and goes on; an exit it obeys."""
    from django.core.exceptions import ImproperlyConfigured

    from chronicle import durability
    from interactions import unsettled

    try:
        durability.verify()
        unsettled.verify()
    except ImproperlyConfigured as error:
        raise SystemExit(f"this process does not start: {error}") from None

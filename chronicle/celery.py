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
def _refuse_a_forgetful_database(**_: Any) -> None:
    from chronicle import durability

    durability.verify()

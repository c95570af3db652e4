"""The Celery application. Workers: ``-Q turns``, ``-Q effects``, ``-Q ticks``, all prefork; beat has a static schedule."""

from __future__ import annotations

import os
from typing import Any, Self

from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import beat_init, worker_init
from kombu import Connection

from chronicle import orphans as orphans  # connects itself to Celery's signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chronicle.settings")

RECONNECT_S = 2


class SteadyConnection(Connection):
    """Looks for a lost broker at the same short interval. kombu's own grows to half a minute, and work waits as long."""

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Self:
        steady = {"interval_start": RECONNECT_S, "interval_step": 0, "interval_max": RECONNECT_S}
        return super().ensure_connection(*args, **steady | kwargs)


class SteadyAMQP(AMQP):
    Connection = SteadyConnection


app = Celery("chronicle", amqp=SteadyAMQP)
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

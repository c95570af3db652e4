"""Celery's entrances. A message is a doorbell with the id of a row: lost, doubled or late, it changes nothing but latency."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from celery.signals import worker_init

from interactions import language_model
from swiggy_instamart import lookups, mcp, payments, practice, recovery


@worker_init.connect
def _import_once(sender: Any = None, **_: Any) -> None:
    """The parent of the children that call Swiggy imports the client library before it forks; it opens nothing."""
    if sender is not None and "effects" in sender.app.amqp.queues.consume_from:
        mcp.preload()
        if language_model.models():
            language_model.preload()


@shared_task(name=payments.POLL)
def poll(watch_id: int) -> None:
    payments.poll(watch_id)


@shared_task(name=lookups.LOOK)
def look(intent_id: int) -> None:
    lookups.look(intent_id)


@shared_task(name=recovery.SEARCH)
def search_orders(recovery_id: int) -> None:
    recovery.search(recovery_id)


@shared_task(name=practice.LOOK)
def look_at_practice(_: int) -> None:
    practice.look()

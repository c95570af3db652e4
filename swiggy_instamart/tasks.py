"""Celery's entrances. A message is a doorbell with the id of a row: lost, doubled or late, it changes nothing but latency."""

from __future__ import annotations

from celery import shared_task

from swiggy_instamart import lookups, payments


@shared_task(name=payments.POLL)
def poll(watch_id: int) -> None:
    payments.poll(watch_id)


@shared_task(name=lookups.LOOK)
def look(intent_id: int) -> None:
    lookups.look(intent_id)

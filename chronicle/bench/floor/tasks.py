"""The floor's task: read the row, write one more and the event that tells the device."""

from __future__ import annotations

from celery import shared_task
from django.db import transaction

from chronicle.bench.floor.models import Answered, Said
from interactions import clock, events


@shared_task(name="floor.answer")
def answer(said_id: int) -> None:
    said = Said.objects.get(pk=said_id)
    now = clock.now()
    with transaction.atomic():
        told = {"text": said.text, "answers": said.pk}
        events.emit(said.device_id, kind="floor.answer", cause=f"floor:{said.pk}", ordinal=0, payload=told, at=now)
        Answered.objects.create(said=said, at=now)

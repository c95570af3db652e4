"""Speak to the service in process: a report through ingress, the work drained, and what the device was told."""

from __future__ import annotations

import itertools
from typing import Any

from interactions import chain, ingress, turns
from interactions.models import ChainRun, Device, DeviceEvent, InteractionSession
from interactions.reports import Report

_keys = itertools.count(1)


def post(device: Device, text: str, **report: Any) -> ingress.Answer:
    """Accept one report; nothing is handled yet."""
    key = report.pop("key", f"key-{next(_keys)}")
    return ingress.accept(device.pk, Report(text=text, **report), key=key, body_hash=report.pop("body_hash", text))


def handle(device: Device) -> None:
    """Handle everything of the device that waits: its sessions, and the sentences of the ordinary chain."""
    for session in InteractionSession.objects.filter(user=device.owner, client_id=device.client_id).order_by("pk"):
        turns.drain(session.pk)
    for run in ChainRun.objects.filter(utterance__device=device, status="staged").order_by("pk"):
        chain.run(run.pk)


def say(device: Device, text: str, **report: Any) -> list[str]:
    """Accept one report, handle everything that waits, and return what the device was told to speak because of it."""
    before = Device.objects.get(pk=device.pk).event_seq
    answer = post(device, text, **report)
    if answer.body["session"]:
        turns.drain(answer.body["session"])
    return spoken(device, after=before)


def spoken(device: Device, after: int = 0) -> list[str]:
    rows = DeviceEvent.objects.filter(device=device, seq__gt=after, speak=True).order_by("seq")
    return [row.payload["text"] for row in rows if row.payload.get("text")]


def session_of(device: Device) -> InteractionSession:
    return InteractionSession.objects.filter(client_id=device.client_id, user=device.owner).latest("pk")

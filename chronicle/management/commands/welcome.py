"""``manage.py welcome``: what a fresh system needs before anybody can speak to it. Safe to repeat.

An operator for the admin, the linked user, that user's speaker and its token. What only we know is kept in one private file
of the data directory, so that the next start prints the same.
"""

from __future__ import annotations

import json
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand
from django.db import transaction

from interactions import devices
from interactions.models import Device, Person

OPERATOR = "operator"
SPEAKER = "kitchen"
CAPABILITIES: dict[str, object] = {"voice": True, "screen": True, "microphone": "open", "playback_reports": True}


class Command(BaseCommand):
    help = "Make an operator, the linked user, and a speaker with a token; print them as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="the user name of the person who speaks, and whose account is linked")
        parser.add_argument("--url", default="http://127.0.0.1:8000", help="where this service will answer")

    def handle(self, *args: Any, user: str, url: str, **options: Any) -> None:
        file = Path(settings.CHRONICLE_DATA_DIR) / "welcome.json"
        kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        with transaction.atomic():
            welcome = {"url": url, "user": user, "operator": OPERATOR, "password": _operator(kept.get("password", ""))}
            welcome["token"] = _speaker(user, kept.get("token", ""))
        file.touch(mode=0o600)
        file.write_text(json.dumps(welcome), encoding="utf-8")
        self.stdout.write(json.dumps(welcome))


def _operator(password: str) -> str:
    users = get_user_model()
    operator = users.objects.filter(username=OPERATOR).first()
    if operator is None or not password:
        password = secrets.token_urlsafe(9)
        operator = operator or users(username=OPERATOR, is_staff=True, is_superuser=True)
        operator.set_password(password)
        operator.save()
    return password


def _speaker(name: str, token: str) -> str:
    person, _ = get_user_model().objects.get_or_create(username=name)
    Person.objects.get_or_create(user=person)
    device = devices.find(token)
    if device is not None and device.owner_id == person.pk:
        return token
    speaker = Device.objects.filter(owner=person, client_id=SPEAKER).first()
    if speaker is not None:
        return devices.issue(speaker)
    return devices.register(person.pk, client_id=SPEAKER, name=SPEAKER, capabilities=CAPABILITIES)[1]

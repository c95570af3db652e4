"""The two rows of a bare turn: what was said, and that it was answered."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from interactions.models import Device


class Said(models.Model):
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    at = models.DateTimeField()
    device_id: int

    objects: ClassVar[models.Manager[Said]] = models.Manager()

    class Meta:
        app_label = "floor"  # said aloud, so that a process without the app can import this room


class Answered(models.Model):
    said = models.OneToOneField(Said, on_delete=models.CASCADE, related_name="answered")
    at = models.DateTimeField()

    objects: ClassVar[models.Manager[Answered]] = models.Manager()

    class Meta:
        app_label = "floor"

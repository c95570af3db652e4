"""Two clocks: the time that really passes, and what the machine's clock says, which can be set back.

Leases live by the database's clock, which nobody can move: as much as passes here is taken off every lease there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from interactions.models import InteractionSession


class Clock:
    """``held``: whether anybody may hold a lease while time passes."""

    def __init__(self, held: Callable[[], bool]) -> None:
        self._held = held
        self.began = timezone.now()
        self.true_s = 0.0
        self.skew_s = 0.0

    def now(self) -> datetime:
        """What the machine's clock says."""
        return self.began + timedelta(seconds=self.true_s + self.skew_s)

    def forward(self, seconds: float) -> None:
        """Time passes."""
        self.true_s += seconds
        if not self._held():
            return
        for held in InteractionSession.objects.exclude(lease_until=None):
            assert held.lease_until is not None
            ends = held.lease_until - timedelta(seconds=seconds)
            InteractionSession.objects.filter(pk=held.pk).update(lease_until=ends)

    def set_back(self, seconds: float) -> None:
        """Somebody corrects the clock; no time passes."""
        self.skew_s -= seconds


class ShopTime:
    """Stands for ``datetime`` where the shop's door asks how much of a call's time is left."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def now(self, zone: object = None) -> datetime:
        return self._clock.now()

"""``manage.py drain``: handle everything that waits, without Celery and without a broker."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand

from interactions import chain, clock, continuations, doorbells, sweep, turns
from interactions.models import ChainRun, InteractionSession


class Command(BaseCommand):
    help = "Handle every session and ordinary sentence that has work, in this process, without Celery or a broker."

    def handle(self, *args: Any, **options: Any) -> None:
        with doorbells.muted():
            self._drain()

    def _drain(self) -> None:
        sweep.tick()
        done = 0
        for _ in range(100):  # a drained session may wake another; a bound keeps a faulty mode from holding the terminal
            waiting = list(
                InteractionSession.objects.filter(status="active", work_pending=True)
                .exclude(not_before__gt=clock.now())
                .values_list("pk", flat=True)
            )
            runs = list(ChainRun.objects.filter(status="staged").values_list("pk", flat=True))
            if not waiting and not runs:
                if not self._wait():
                    break
                continue
            for session in waiting:
                turns.drain(session)
                self.stdout.write(f"session {session} drained")
            for run in runs:
                chain.run(run)
                self.stdout.write(f"ordinary sentence {run} handled")
            done += len(waiting) + len(runs)
        self.stdout.write("nothing waits" if not done else f"{done} handled")

    def _wait(self) -> bool:
        """Wait for a sentence that broke off, and is due in a moment; False if none does."""
        now = clock.now()
        soon = InteractionSession.objects.filter(
            status="active", work_pending=True, not_before__gt=now, not_before__lte=now + continuations.HOLD
        )
        due = soon.order_by("not_before").values_list("not_before", flat=True).first()
        if due is None:
            return False
        time.sleep((due - now).total_seconds())
        return True

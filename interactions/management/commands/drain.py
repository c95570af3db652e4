"""``manage.py drain``: handle everything that waits, without Celery and without a broker."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from interactions import chain, clock, doorbells, sweep, turns
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
                break
            for session in waiting:
                turns.drain(session)
                self.stdout.write(f"session {session} drained")
            for run in runs:
                chain.run(run)
                self.stdout.write(f"ordinary sentence {run} handled")
            done += len(waiting) + len(runs)
        self.stdout.write("nothing waits" if not done else f"{done} handled")

"""``manage.py recover``: after a power cut, a restore or a failover, before anybody orders again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interactions import clock, recovery


class Command(BaseCommand):
    help = (
        "After a power cut, a restore or a failover: what may have been spent becomes unknown and is looked up, and nothing "
        "said before can spend any more. Workers may run or not; it may be run again. Exit code 1: something was not done."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        report = recovery.recover(clock.now())
        for line in report.lines():
            self.stdout.write(line)
        if report.faults:
            raise CommandError("recovered in part: mend what is named above and run it again")
        self.stdout.write("recovered; the look-ups go on in the workers, and `manage.py drain` handles what waits without them")

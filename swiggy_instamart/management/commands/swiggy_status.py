"""``manage.py swiggy_status``: whether the Swiggy sign-in can be used, and for how long. It asks nobody but the files."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from swiggy_instamart import tokens


class Command(BaseCommand):
    help = "Say whether the Swiggy sign-in can be used. Exit 0: usable; 1: it ends within a day; 2: unusable."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        verdict = tokens.verdict()
        self.stdout.write(verdict.sentence)
        sys.exit(verdict.exit_code)

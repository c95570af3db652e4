"""``manage.py reference``: write docs/settings.md anew from the schemas."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from chronicle import reference


class Command(BaseCommand):
    help = "Write docs/settings.md from the schemas of the configuration files."

    def handle(self, *args: Any, **options: Any) -> None:
        file = settings.BASE_DIR / "docs" / "settings.md"
        file.write_text(reference.page(), encoding="utf-8")
        self.stdout.write(f"wrote {file.relative_to(settings.BASE_DIR)}")

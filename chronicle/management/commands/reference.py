"""``manage.py reference``: write the pages of docs/ that are made from the code anew."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from chronicle import reference
from swiggy_instamart import money_phrase

PAGES = {"settings.md": reference.page, "money-phrase.md": money_phrase.page}


class Command(BaseCommand):
    help = "Write docs/settings.md from the schemas of the files, and docs/money-phrase.md from the rules of consent."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, page in PAGES.items():
            file = settings.BASE_DIR / "docs" / name
            file.write_text(page(), encoding="utf-8")
            self.stdout.write(f"wrote {file.relative_to(settings.BASE_DIR)}")

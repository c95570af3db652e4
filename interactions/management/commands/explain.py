"""``manage.py explain UTTERANCE``: what was heard, who took it and why, what was called and answered, and how long it took."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from interactions import explaining


class Command(BaseCommand):
    help = "What became of one utterance, on one screen; its number stands in the answer to POST /utterances, and in the admin."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("utterance", type=int, help="its number")

    def handle(self, *args: Any, utterance: int, **options: Any) -> None:
        try:
            found = explaining.story(utterance)
        except explaining.NoSuchUtteranceError as error:
            raise CommandError(str(error)) from None
        for line in explaining.lines(found):
            self.stdout.write(line)

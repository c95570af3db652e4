"""``manage.py people``: what the operator decides about each person: the language, and whose voices count as theirs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from interactions import saying
from interactions.models import Person

NAME_MAX = 128  # characters, as many as a report may hold


class Command(BaseCommand):
    help = "List people, and set their language and the speakers allowed at their devices."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list", help="everybody who has a device or was set here")
        change = verbs.add_parser("set", help="change one person; what is left out stays")
        change.add_argument("user", help="the user name")
        change.add_argument(
            "--speakers", metavar="NAMES", help="the only speakers whose identified speech is acted on, as a,b; - for everybody"
        )
        change.add_argument("--lang", choices=sorted(saying.LANGUAGES), help="what is spoken to them before they have spoken")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        getattr(self, f"_{verb}")(options)

    def _list(self, options: dict[str, Any]) -> None:
        for person in Person.objects.select_related("user").order_by("user__username"):
            self.stdout.write(_line(person))

    def _set(self, options: dict[str, Any]) -> None:
        user = get_user_model().objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"No user '{options['user']}'; create one with `manage.py createsuperuser` or in the admin.")
        changes: dict[str, Any] = {}
        if options["speakers"] is not None:
            changes["speakers"] = _speakers(options["speakers"])
        if options["lang"] is not None:
            changes["lang"] = options["lang"]
        if not changes:
            raise CommandError("Nothing to set; write --speakers NAMES or --lang LANGUAGE.")
        person, _ = Person.objects.get_or_create(user=user)
        Person.objects.filter(pk=person.pk).update(**changes)  # not save(): acceptance counts in the same row
        person.refresh_from_db()
        self.stdout.write(_line(person))


def _speakers(words: str) -> list[str]:
    names = [name.strip() for name in words.split(",")] if words != "-" else []
    if not all(names) or any(len(name) > NAME_MAX for name in names):
        raise CommandError("Write the speakers as the recogniser names them, parted by commas, or - for everybody.")
    return list(dict.fromkeys(names))


def _line(person: Person) -> str:
    return f"{person.user}\t{person.lang}\tspeakers: {', '.join(person.speakers) or 'everybody'}"

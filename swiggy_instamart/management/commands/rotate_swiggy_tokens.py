"""``manage.py rotate_swiggy_tokens``: put a new Swiggy sign-in in place, or the one before it back.

The pair is proved by one read from Swiggy before anything changes. Running workers use it from their next call.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from interactions.contracts import EffectError, NotSentError, TurnedDownError
from swiggy_instamart import mcp, pairs, rotation, tokens
from swiggy_instamart.pairs import Pair, SignInFileError

UNUSABLE, REFUSED = 2, 3


class Command(BaseCommand):
    help = "Install a Swiggy sign-in. Exit 0: installed; 2: the files cannot be used; 3: Swiggy did not accept them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--from", dest="source", type=Path, metavar="DIR", help="holds tokens.json and client.json")
        which.add_argument("--rollback", action="store_true", help="put the sign-in before this one back")

    def handle(self, *args: Any, **options: Any) -> None:
        directory = Path(settings.SWIGGY_TOKEN_DIRECTORY)
        try:
            pairs.check_place(directory)
            source = rotation.previous(directory) if options["rollback"] else Path(options["source"])
            found = pairs.read(source)
            verdict = tokens.judge(found, now=datetime.now(UTC))
            if verdict.code == "renewable":  # a refresh token can be used once, and the proof is only a read
                raise SignInFileError("expired", f"The sign-in in {source} has ended. {pairs.RENEW}")
            if not verdict.good:
                raise SignInFileError(verdict.code, verdict.sentence)
        except SignInFileError as error:
            self._end(UNUSABLE, f"Nothing was changed. {error.message}")
        self._prove(source)
        self._warn(directory, found)
        try:
            if options["rollback"]:
                rotation.rollback(directory)
            else:
                rotation.replace(directory, source=source, proved=found)
        except SignInFileError as error:
            self._end(UNUSABLE, f"Nothing was changed. {error.message}")
        self.stdout.write(f"Installed. {tokens.verdict().sentence}")

    def _prove(self, source: Path) -> None:
        """One read with the new pair, through the client that the workers use."""
        try:
            with mcp.using(source) as swiggy:
                swiggy.orders(active_only=True)
        except TurnedDownError as error:
            self._end(REFUSED, f"Nothing was changed. Swiggy refused this sign-in ({error.code}).")
        except NotSentError as error:
            unusable = error.code == "sign_in"
            self._end(UNUSABLE if unusable else REFUSED, f"Nothing was changed. {error.message or 'Swiggy cannot be reached.'}")
        except EffectError as error:
            self._end(REFUSED, f"Nothing was changed. Swiggy could not prove this sign-in ({error.code}); try again.")

    def _warn(self, directory: Path, found: Pair) -> None:
        try:
            order = apps.get_model("swiggy_instamart", "Order")
            waiting = order._default_manager.filter(closed_at__isnull=True).count()
        except (LookupError, DatabaseError):
            waiting = 0  # the plugin is off, or its tables are not there yet
        if waiting:
            self.stderr.write("Warning: an order is open; it goes on with the new sign-in.")
        try:
            before = pairs.read(directory).account
        except SignInFileError:
            return
        if before and found.account and before != found.account:
            self.stderr.write("Warning: the new sign-in is of another Swiggy account.")

    def _end(self, code: int, sentence: str) -> NoReturn:
        self.stderr.write(sentence)
        sys.exit(code)

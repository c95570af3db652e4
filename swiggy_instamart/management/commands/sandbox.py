"""Run the sandbox: a Swiggy Instamart to practise with. Needs no database, no broker and no account."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from swiggy_instamart.sandbox import __main__ as sandbox
from swiggy_instamart.sandbox import server


class Command(BaseCommand):
    help = "Run a Swiggy Instamart sandbox: MCP at /im, control API at /control/, /healthz."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        sandbox.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        server.serve(sandbox.options(options))

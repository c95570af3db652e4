"""``manage.py swiggy_sign_in --to DIR``: sign in to Swiggy in a browser, and write what that brings into a directory.

Only for an operator at a terminal: nothing else can import this. It installs nothing; ``rotate_swiggy_tokens`` does.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import sys
import time
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from interactions.contracts import NotSentError
from swiggy_instamart import grants, pairs, vault
from swiggy_instamart.pairs import SignInFileError

NAME = "swiggy_sign_in"
if NAME not in sys.argv[1:2]:
    raise ImportError(f"{NAME} opens a browser and runs on an operator's terminal alone: manage.py {NAME} --to DIR")

SCOPE = "mcp:tools mcp:resources mcp:prompts"
PAGE = b"<!doctype html><title>Swiggy sign-in</title><p>You can close this page and go back to the terminal."
ASK_S = 20.0


class Door(HTTPServer):
    """Listens on this machine for the browser that comes back; whoever comes without our state is sent away."""

    def __init__(self, state: str) -> None:
        super().__init__(("127.0.0.1", 0), Visit)
        self.state = state
        self.answer: dict[str, str] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/callback"


class Visit(BaseHTTPRequestHandler):
    server: Door

    def do_GET(self) -> None:
        given = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        ours = secrets.compare_digest(given.get("state", "").encode(), self.server.state.encode())
        self.server.answer = given if ours else self.server.answer
        self.send_response(200 if ours else 400)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE if ours else b"This is not the sign-in that was asked for.")

    def log_message(self, *_: Any) -> None:
        """The address holds the code: it is written nowhere."""


class Command(BaseCommand):
    help = "Sign in to Swiggy in a browser and write tokens.json and client.json. Exit 0: written."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="a new directory for the two files")
        parser.add_argument("--no-browser", action="store_true", help="only print the address to open")
        parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="how long to wait for the browser")

    def handle(self, *args: Any, **options: Any) -> None:
        url, target = str(settings.SWIGGY_MCP_URL), Path(options["to"])
        try:
            origin = grants.base(url)
            pairs.check_place(target)
            if (target / pairs.TOKENS).exists():
                raise SignInFileError("misplaced", f"{target} holds a sign-in already; name a new directory.")
            with Door(secrets.token_urlsafe(24)) as door:
                client = self._register(url, f"{origin}/auth/register", door.address)
                verifier = secrets.token_urlsafe(64)
                asked = self._authorize(f"{origin}/auth/authorize", client["client_id"], verifier, door)
                self.stdout.write(f"Open this address and sign in:\n{asked}")
                self.stdout.flush()
                if not options["no_browser"]:
                    webbrowser.open(asked)
                code = self._code(door, within_s=options["timeout"])
                granted = self._granted(url, client["client_id"], code, verifier, door.address)
            self._write(target, client, granted)
        except (SignInFileError, NotSentError) as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"Signed in. Install it with: manage.py rotate_swiggy_tokens --from {target}")

    def _register(self, url: str, where: str, redirect: str) -> dict[str, Any]:
        described = {
            "client_name": "chronicle",
            "redirect_uris": [redirect],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "scope": SCOPE,
            "token_endpoint_auth_method": "none",
        }
        try:
            with grants.client(url) as http:
                answer = http.post(where, json=described, timeout=ASK_S)
                found = answer.json() if answer.is_success else None
        except (httpx2.HTTPError, ValueError) as error:
            raise CommandError(f"Swiggy cannot be asked for a client ({type(error).__name__}); try again.") from error
        if not isinstance(found, dict) or not isinstance(found.get("client_id"), str):
            raise CommandError(f"Swiggy gave no client (HTTP {answer.status_code}); try again later.")
        return described | found

    def _authorize(self, where: str, client_id: str, verifier: str, door: Door) -> str:
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {"response_type": "code", "client_id": client_id, "redirect_uri": door.address, "scope": SCOPE}
        return (
            f"{where}?{urlencode(asked | {'state': door.state, 'code_challenge': challenge, 'code_challenge_method': 'S256'})}"
        )

    def _code(self, door: Door, *, within_s: float) -> str:
        ends = time.monotonic() + within_s
        while not door.answer:
            door.timeout = ends - time.monotonic()
            if door.timeout <= 0:
                raise CommandError("Nobody signed in in time; run the command again.")
            door.handle_request()
        if "code" not in door.answer:
            raise CommandError(f"Swiggy did not sign you in ({door.answer.get('error', 'no reason given')[:60]}).")
        return door.answer["code"]

    def _granted(self, url: str, client_id: str, code: str, verifier: str, redirect: str) -> dict[str, Any]:
        body = {"grant_type": "authorization_code", "code": code, "client_id": client_id}
        grant = grants.ask(url, body | {"redirect_uri": redirect, "code_verifier": verifier}, within_s=ASK_S)
        if grant.said is not grants.Said.GRANTED:
            raise CommandError(f"Swiggy gave no token ({grant.said}, {grant.why}); run the command again.")
        return dict(grant.fields)

    def _write(self, target: Path, client: dict[str, Any], granted: dict[str, Any]) -> None:
        """The token last: a directory without it is no sign-in."""
        with vault.saving(target), vault.locked(target):
            vault.replace(target / pairs.CLIENT, json.dumps(client).encode())
            vault.replace(target / pairs.TOKENS, json.dumps(granted).encode())
        pairs.read(target)

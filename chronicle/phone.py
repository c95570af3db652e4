"""The demo's stand-in for a Hermes agent with a phone behind it: it takes signed notifications and shows them.

A message whose signature is not right is refused, as Hermes would.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from chronicle import ports

LONGEST = 64 * 1024


class Phone:
    """Open while the context is; ``environ`` tells the service where it is, ``show`` gets each message."""

    def __init__(self, show: Callable[[dict[str, Any]], object]) -> None:
        self.show = show
        self.secret = secrets.token_urlsafe(24)
        self._server = ThreadingHTTPServer((ports.HOST, 0), self._handler())
        self.environ = {
            "HERMES_WEBHOOK_URL": f"http://{ports.HOST}:{self._server.server_port}/notify",
            "HERMES_WEBHOOK_SECRET": self.secret,
        }

    def __enter__(self) -> Phone:
        threading.Thread(target=self._server.serve_forever, name="phone", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def receive(self, content: bytes, signature: str) -> HTTPStatus:
        wanted = "sha256=" + hmac.new(self.secret.encode(), content, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(wanted, signature):
            return HTTPStatus.FORBIDDEN
        self.show(json.loads(content))
        return HTTPStatus.OK

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        phone = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), LONGEST))
                self.send_response(phone.receive(content, self.headers.get("X-Hub-Signature-256", "")))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """A link may be in it: nothing is logged."""

        return Handler

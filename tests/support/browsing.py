"""Django's test client, with the middleware put together once for a whole run, as a process of the service does.

A client of Django's own puts it together at its first request, and WhiteNoise reads every static file at that: a tenth of a
second for each test that speaks over HTTP. Cookies and sessions stay each client's own; the handler keeps none.
"""

from __future__ import annotations

from django.test import Client
from django.test.client import ClientHandler

_HANDLER = ClientHandler(enforce_csrf_checks=False)


def client() -> Client:
    """A client nobody else uses."""
    made = Client()
    made.handler = _HANDLER
    return made

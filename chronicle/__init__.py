"""The wiring: settings, addresses, processes, configuration files and the bundled ordinary plugins. No behaviour of its own."""

from chronicle.celery import app as celery_app

__all__ = ["celery_app"]

"""Where the runs take place: an empty database, the product's doors led to the world's, and an ear for its log.

``begin`` once, ``fresh`` before each run. What is put in the place of the product is listed in ``_doors`` and nowhere else.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.color import no_style
from django.db import connection
from django.utils import timezone

from interactions import attempts, bounded, doorbells, events, host, processes
from swiggy_instamart import mcp, shop
from swiggy_instamart.mode import SwiggyOrderMode
from swiggy_instamart.randomised.clock import ShopTime
from swiggy_instamart.randomised.household import LINKED
from swiggy_instamart.randomised.world import World
from swiggy_instamart.sandbox import seed

LOGS = ("interactions", "swiggy_instamart")
FOR_THE_OPERATOR = "alarm "  # a checkout without an outcome is an error of the world, and what he is called for


class Ear(logging.Handler):
    """Whatever the product logs as an error is a fault: it says itself that this should not have been."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        if said.startswith(FOR_THE_OPERATOR):
            return
        if record.exc_info and record.exc_info[1] is not None:
            said += f" ({type(record.exc_info[1]).__name__}: {record.exc_info[1]})"
        self._world.complain(f"log: {said}")


@contextmanager
def begin() -> Iterator[None]:
    """A sign-in that the shop takes, and a database that need not outlive the power."""
    with tempfile.TemporaryDirectory(prefix="randomised-") as directory:
        seed.write_tokens(Path(directory))
        with (
            mock.patch.object(settings, "SWIGGY_TOKEN_DIRECTORY", Path(directory)),
            mock.patch.object(settings, "SWIGGY_LINKED_USER_ID", LINKED),
        ):
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA synchronous=OFF" if connection.vendor == "sqlite" else "SET synchronous_commit TO off")
            yield


@contextmanager
def fresh() -> Iterator[World]:
    """A new world in an empty database."""
    _empty()
    world = World()
    with ExitStack() as stack:
        for owner, name, stand_in in _doors(world):
            stack.enter_context(mock.patch.object(owner, name, stand_in))
        stack.enter_context(connection.execute_wrapper(world.workers.statement))
        stack.enter_context(_heard(Ear(world)))
        yield world


def _doors(world: World) -> list[tuple[Any, str, Any]]:
    perform = SwiggyOrderMode.perform
    return [
        (timezone, "now", world.clock.now),
        (shop, "datetime", ShopTime(world.clock)),
        (mcp, "swiggy", world.swiggy),
        (shop.Swiggy, "wave", lambda _, *thunks: tuple(shop._settle(thunk) for thunk in thunks)),  # in this thread
        (SwiggyOrderMode, "perform", lambda mode, call: world.perform(perform, mode, call)),
        (host, "call_plugin", world.call_plugin),
        (doorbells, "_publish", world.ring),
        (events, "nudge", lambda device: None),
        (processes, "name", world.workers.name),
        (processes, "gone", world.workers.is_gone),
        (attempts, "BACKOFF_S", 0),
        (bounded, "call", lambda work, seconds: work()),  # in this thread, whose statements are counted
    ]


def _empty() -> None:
    ours = ("interactions_", "swiggy_instamart_", get_user_model()._meta.db_table)
    tables = [table for table in connection.introspection.django_table_names(only_existing=True) if table.startswith(ours)]
    flush = connection.ops.sql_flush(no_style(), tables, reset_sequences=True, allow_cascade=True)
    connection.ops.execute_sql_flush(flush)


@contextmanager
def _heard(ear: Ear) -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in LOGS]
    before = [(logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.addHandler(ear)
        logger.propagate = False  # a run makes thousands of warnings that are as they should be
    try:
        yield
    finally:
        for logger, (propagate, level) in zip(loggers, before, strict=True):
            logger.removeHandler(ear)
            logger.propagate, logger.level = propagate, level

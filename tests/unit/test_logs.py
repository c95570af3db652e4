"""A line of the log names an exception and its places, and quotes nothing that it says."""

from __future__ import annotations

import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings

from chronicle.logs import Lines


def raised() -> BaseException:
    try:
        try:
            raise ConnectionError("https://lamp.example/?token=s3cret")
        except ConnectionError as error:
            raise ValueError("turn on the lamp in the bedroom") from error
    except ValueError as error:
        return error


def written(**record: Any) -> str:
    return Lines("%(levelname)s %(message)s").format(
        logging.makeLogRecord({"levelname": "ERROR", "msg": "it failed", **record})
    )


@pytest.mark.parametrize("before", [None, "ValueError: turn on the lamp"])
def test_an_exception_is_its_class_and_its_places_and_not_its_words(before: str | None) -> None:
    error = raised()
    line = written(exc_info=(type(error), error, error.__traceback__), exc_text=before)
    assert line.startswith("ERROR it failed\n")
    assert "builtins.ValueError" in line
    assert "builtins.ConnectionError" in line
    assert f"{__file__}:" in line
    assert "in raised" in line
    assert "lamp" not in line
    assert "s3cret" not in line


def test_a_line_without_an_exception_is_as_it_was() -> None:
    assert written() == "ERROR it failed"


def test_the_service_writes_its_log_so() -> None:
    made = logging.config.DictConfigurator(dict(settings.LOGGING)).configure_formatter(settings.LOGGING["formatters"]["line"])
    assert isinstance(made, Lines)

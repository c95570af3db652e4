"""The manifest and the tests agree: each promise has a test or a written reason, each test names promises that exist."""

from __future__ import annotations

import pytest

from tests import promises
from tests.support import manifest


@pytest.fixture(scope="module")
def named() -> dict[str, list[str]]:
    return manifest.named("promise")


def test_every_promise_has_a_test_or_a_written_reason(named: dict[str, list[str]]) -> None:
    missing = sorted(promises.PROMISES.keys() - named.keys() - promises.NOT_YET.keys())
    assert not missing, f"no test names {', '.join(missing)}: write one, or say in NOT_YET what it waits for"


def test_no_test_names_a_promise_that_nobody_gave(named: dict[str, list[str]]) -> None:
    unknown = {promise: tests for promise, tests in named.items() if promise not in promises.PROMISES}
    assert not unknown, f"unknown promises: {unknown}"


def test_nothing_is_called_not_yet_kept_that_has_a_test(named: dict[str, list[str]]) -> None:
    kept = sorted(promises.NOT_YET.keys() & named.keys())
    assert not kept, f"{', '.join(kept)} have tests now: take them out of NOT_YET in tests/promises.py"


def test_what_is_kept_in_part_has_tests_and_stands_in_one_list(named: dict[str, list[str]]) -> None:
    assert promises.PARTLY.keys() <= named.keys()
    assert not promises.PARTLY.keys() & promises.NOT_YET.keys()


def test_every_reason_belongs_to_a_promise_and_says_something() -> None:
    reasons = promises.NOT_YET | promises.PARTLY
    assert reasons.keys() <= promises.PROMISES.keys()
    assert all(len(reason.split()) > 2 for reason in reasons.values())


def test_every_marker_is_written_where_the_manifest_can_read_it() -> None:
    assert not manifest.unreadable(), "a marker of a promise or a case takes ids written out as strings"

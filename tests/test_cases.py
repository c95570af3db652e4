"""Each field case has a test that names it or a written reason, and each test names cases that exist."""

from __future__ import annotations

from tests import cases
from tests.support import manifest


def test_every_case_has_a_test_or_a_written_reason_and_never_both() -> None:
    named = manifest.named("case")
    missing = sorted(cases.CASES.keys() - named.keys() - cases.NOT_YET.keys())
    assert not missing, f"no test names {', '.join(missing)}: write one, or say in NOT_YET what it waits for"
    shown = sorted(cases.NOT_YET.keys() & named.keys())
    assert not shown, f"{', '.join(shown)} have tests now: take them out of NOT_YET in tests/cases.py"


def test_no_test_names_a_case_that_does_not_exist() -> None:
    unknown = {case: tests for case, tests in manifest.named("case").items() if case not in cases.CASES}
    assert not unknown, f"unknown cases: {unknown}"


def test_every_reason_belongs_to_a_case_and_says_something() -> None:
    assert cases.NOT_YET.keys() <= cases.CASES.keys()
    assert all(len(reason.split()) > 2 for reason in cases.NOT_YET.values())

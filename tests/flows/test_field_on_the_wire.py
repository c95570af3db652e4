"""The field cases that need the service: heard twice, and hearing itself."""

from __future__ import annotations

import pytest

from tests.field import wire
from tests.field.judge import Verdict

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]


@pytest.mark.case("A08", "A10", "A11")
@pytest.mark.promise("P260")
@pytest.mark.parametrize("case", wire.CASES)
def test_what_is_heard_twice_or_from_ourselves_is_no_second_turn(case: str) -> None:
    assert not [judged for judged in wire.trials(case) if judged.verdict is not Verdict.RIGHT]

"""A look at the orders that reads none of them is no fault of ours: the search goes on, and the log holds no traceback."""

from __future__ import annotations

import logging

import pytest

from tests.support.shop import Till

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]


@pytest.mark.promise("P138")
def test_a_look_that_reads_no_list_is_no_fault_and_proves_nothing(till: Till, caplog: pytest.LogCaptureFixture) -> None:
    till.to_review()
    till.sandbox.faults([{"tool": "checkout", "kind": "drop", "where": "after"}, {"tool": "get_orders", "kind": "drop"}])
    with caplog.at_level(logging.ERROR):
        said = till.say("confirm order")
    assert (till.phase, till.intent.state) == ("checkout_outcome_unknown", "unknown")
    assert "nothing was placed" not in said.lower()
    assert [record.getMessage() for record in caplog.records if "raised" in record.getMessage()] == []

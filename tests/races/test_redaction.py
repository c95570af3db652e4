"""Words are taken out of evidence while somebody reads the feed and somebody speaks: nobody waits for it, and nobody deadlocks.

Redaction locks many rows at once, by id. Whoever numbers locks the same rows, in whatever order its plan comes by them.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError, transaction

from interactions import clock, evidence, feed
from interactions.models import Utterance
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]  # SQLite has one lock, and so no order of them

FIRST_BATCH = 'UPDATE "interactions_utterance" SET "text"'


def redact() -> int:
    return evidence.redact(Utterance.objects.all(), at=clock.now())


class ByHand:
    """Numbers one row after the other, as the plan of one statement may."""

    @staticmethod
    def place(pk: int) -> None:
        Utterance.objects.filter(pk=pk).update(place=pk)


def test_control_whoever_numbers_in_another_order_than_redaction_deadlocks_with_it(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    ids = [talk.post(kitchen.device, word, source="typed").body["id"] for word in ("one", "two")]

    def numbering() -> None:
        with transaction.atomic():
            for pk in reversed(ids):
                ByHand.place(pk)

    raised = []
    reader, redaction = stage.act(numbering), stage.act(redact)
    reader.to(has_the_last := reader.halt_after(ByHand, "place"))
    redaction.start().is_blocked()
    has_the_last.go()
    for one in (reader, redaction):
        try:
            one.end()
        except OperationalError as error:
            raised.append(str(error))
    assert len(raised) == 1
    assert "deadlock detected" in raised[0]


@pytest.mark.promise("P221", "P226")
def test_a_reader_does_not_wait_for_a_redaction_and_finds_what_it_held_next_time(
    stage: Stage, kitchen: Any, script: Script
) -> None:
    for word in ("one", "two"):
        talk.post(kitchen.device, word, source="typed")
    redaction = stage.act(redact)
    redaction.to(holds := redaction.halt_at_sql(FIRST_BATCH))
    talk.post(kitchen.device, "three", source="typed")
    during = stage.act(lambda: feed.page(0)).start().end()
    assert [one.text for one in during.utterances] == ["three"]
    holds.go()
    assert redaction.end() == 2
    after = feed.page(during.cursor)
    assert [(one.text, one.redacted_at is not None) for one in after.utterances] == [("", True), ("", True)]


@pytest.mark.promise("P226")
def test_nobody_who_speaks_waits_for_a_redaction_of_what_they_said_before(stage: Stage, kitchen: Any, script: Script) -> None:
    said = {"audio_session_id": "a", "capture_epoch": "a", "start_ms": 0, "end_ms": 900}
    talk.post(kitchen.device, "open scripted", source="wake", **said)
    redaction = stage.act(redact)
    redaction.to(holds := redaction.halt_at_sql(FIRST_BATCH))
    twin = stage.act(lambda: talk.post(kitchen.device, "open scripted", source="stream", **said)).start().end()
    assert (twin.body["disposition"], twin.body["reason"]) == ("duplicate", "twin")
    holds.go()
    assert redaction.end() == 1

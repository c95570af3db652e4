"""What certification sees in the rows: each invariant that could pass because nobody looks is broken here once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from interactions.certification import invariants
from interactions.models import InteractionSession
from swiggy_instamart.certification import conversations
from tests.support import telling
from tests.support.people import Owned

pytestmark = [pytest.mark.django_db, pytest.mark.on_sqlite]


@pytest.fixture
def session(kitchen: Owned) -> InteractionSession:
    now = timezone.now()
    return InteractionSession.objects.create(
        user_id=kitchen.device.owner_id,
        client_id=kitchen.device.client_id,
        device=kitchen.device,
        mode="shopping",
        plugin="shop",
        phase="shopping",
        started_at=now,
        idle_at=now + timedelta(minutes=10),
        hard_at=now + timedelta(minutes=30),
    )


def found() -> list[str]:
    return [line for line in invariants.check({}, rewound=False, interrupted=()) if "waiting" in line]


def test_whoever_is_left_with_one_moment_as_the_last_word_is_a_violation(session: InteractionSession, kitchen: Owned) -> None:
    wait: dict[str, Any] = {"kind": "interaction.updated", "payload": {"text": "One moment.", "status": "working"}}
    telling.tell(kitchen, session_id=session.pk, **wait)
    assert found() == [f"{session} was left waiting in shopping"]


def test_whoever_was_told_how_it_ended_is_none(session: InteractionSession, kitchen: Owned) -> None:
    wait: dict[str, Any] = {"kind": "interaction.updated", "payload": {"text": "One moment.", "status": "working"}}
    telling.tell(kitchen, session_id=session.pk, **wait)
    telling.tell(kitchen, session_id=session.pk, payload={"text": "The shop did not answer.", "status": "active"})
    assert found() == []


def test_how_often_a_payment_is_polled_is_never_up_to_the_machine() -> None:
    """Points are numbered, so one more poll in front of them would have some runs miss theirs."""
    for conversation in conversations.ALL:
        world = conversation.world
        counted = world["autopay_polls"] is not None
        assert counted or world["polling_interval_ms"] > world["max_poll_ms"], conversation.name

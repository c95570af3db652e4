"""The words that spend, twice at once: one session, one review, one call, whoever works and however often it was said."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from interactions import clock, leases, processes, steps, sweep, turns
from interactions.leases import Lease
from interactions.models import Checkpoint, DeviceEvent, InboxItem, InteractionSession, Utterance
from swiggy_instamart.models import CheckoutIntent
from swiggy_instamart.shop import Swiggy
from tests.support import scripted, talk
from tests.support.interleave import Stage, without
from tests.support.scripted import Script
from tests.support.shop import Till

pytestmark = pytest.mark.django_db(transaction=True)

# What else refuses a second commit at the same revision of a session.
NUMBERS = (
    (DeviceEvent, "event_device_cause"),
    (Checkpoint, "checkpoint_session_revision"),
    (Checkpoint, "checkpoint_one_unsettled"),
)


@pytest.fixture
def session(script: Script, kitchen: Any) -> int:
    """A mode that waits for the words that spend."""
    script.decide = scripted.spending
    for text in ("open scripted", "ready"):
        talk.say(kitchen.device, text, source="typed")
    return talk.session_of(kitchen.device).pk


def anybody_commits(lease: Lease, *, seconds: float | None = None, **changes: Any) -> None:
    InteractionSession.objects.filter(pk=lease.session).update(**{"work_pending": True} | changes)


@pytest.fixture
def no_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that turns nobody away, and a guard that lets everybody commit."""
    monkeypatch.setattr(leases, "claim", lambda session: Lease(session, processes.name(), 1))
    monkeypatch.setattr(leases, "guard", anybody_commits)


def both_decide_on_the_same_words(stage: Stage, session: int) -> None:
    """Two workers have decided to spend on one utterance before either has committed."""
    workers = [stage.act(lambda: turns.drain(session)) for _ in range(2)]
    halts = [worker.halt_before(steps, "commit") for worker in workers]
    for worker, halt in zip(workers, halts, strict=True):
        worker.to(halt)
    for worker, halt in zip(workers, halts, strict=True):
        halt.go()
        worker.join()


@pytest.mark.postgres  # SQLite cannot drop a constraint of a table and keep its triggers
def test_control_without_lease_and_constraints_one_utterance_spends_twice(
    stage: Stage, session: int, script: Script, kitchen: Any, no_lease: None
) -> None:
    talk.post(kitchen.device, "confirm order", source="typed")
    with without(*NUMBERS, (Checkpoint, "checkpoint_consent_once")):
        both_decide_on_the_same_words(stage, session)
        assert [call.effect for call in script.calls] == ["spend", "spend"]


@pytest.mark.postgres
@pytest.mark.promise("P202", "P229")
def test_without_lease_and_every_other_constraint_one_consent_is_good_for_one_call(
    stage: Stage, session: int, script: Script, kitchen: Any, no_lease: None
) -> None:
    talk.post(kitchen.device, "confirm order", source="typed")
    with without(*NUMBERS):
        both_decide_on_the_same_words(stage, session)
        assert [call.effect for call in script.calls] == ["spend"]


@pytest.mark.promise("P202", "P229")
def test_without_the_lease_the_database_alone_lets_one_utterance_spend_once(
    stage: Stage, session: int, script: Script, kitchen: Any, no_lease: None
) -> None:
    talk.post(kitchen.device, "confirm order", source="typed")
    both_decide_on_the_same_words(stage, session)
    assert [call.effect for call in script.calls] == ["spend"]


@pytest.mark.promise("P202", "P204")
def test_said_twice_at_once_and_taken_by_three_workers_it_is_one_call(
    stage: Stage, session: int, script: Script, kitchen: Any
) -> None:
    for _ in range(6):
        script.calls.clear()
        phrase = partial(talk.post, kitchen.device, "confirm order", source="typed")
        stage.together(phrase, phrase, *[partial(turns.drain, session)] * 3)
        turns.drain(session)
        assert [call.effect for call in script.calls] == ["spend"]
        talk.say(kitchen.device, "ready", source="typed")


@pytest.mark.promise("P202", "P204")
def test_said_again_while_the_shop_is_being_called_it_is_one_checkout_and_an_answer(stage: Stage, till: Till) -> None:
    session = till.to_phrase()
    worker = stage.act(lambda: turns.drain(session))
    worker.to(calling := worker.halt_before(Swiggy, "checkout"))
    again = talk.post(till.device, "confirm order", source="typed")
    turns.drain(session)  # another worker
    calling.go()
    worker.end()
    till.handle()
    assert len(till.sandbox.calls("checkout")) == CheckoutIntent.objects.count() == 1
    assert till.phase == "awaiting_payment"
    assert DeviceEvent.objects.filter(device=till.device, payload__answers=again.body["id"]).exists()


@pytest.mark.promise("P204", "P202", "P226")
@pytest.mark.parametrize("seed", range(2))
def test_phrases_cancels_sweeps_and_workers_at_once_spend_at_most_once(stage: Stage, till: Till, seed: int) -> None:
    session = till.to_phrase()
    said = Utterance.objects.latest("pk")
    phrase = partial(talk.post, till.device, said.text, source="typed", in_reply_to=said.in_reply_to)
    acts: list[Callable[[], Any]] = [phrase] * 2
    acts += [lambda: turns.drain(session)] * 3 + [lambda: turns.drain(session, role=turns.Role.TURNS)]
    acts += [lambda: sweep.tick(clock.now())] * 2
    if seed % 2:
        acts.append(lambda: talk.post(till.device, "cancel order", source="typed"))
    random.Random(seed).shuffle(acts)
    stage.together(*acts)
    till.handle()
    assert len(till.sandbox.calls("checkout")) <= 1
    assert Checkpoint.objects.filter(policy="once").count() <= 1
    assert not InboxItem.objects.filter(status="waiting", session__status="active").exists()
    assert CheckoutIntent.objects.count() == len(till.sandbox.calls("checkout"))
    till.assert_gapless()

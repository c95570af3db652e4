"""What the database refuses by itself, asked in plain SQL, on whichever database the tests run on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from interactions.models import Checkpoint, Device, DeviceEvent, InteractionSession, PluginState, Utterance
from swiggy_instamart.models import Account, Order
from tests.support.people import Owned
from tests.support.telling import tell

SESSIONS, CHECKPOINTS, EVENTS = (model._meta.db_table for model in (InteractionSession, Checkpoint, DeviceEvent))


def sql(statement: str, *values: object) -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def copy_row(model: Any, pk: int, **changes: object) -> None:
    """INSERT ... SELECT of a row with some columns changed: what a hand at the database's own prompt would do."""
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    values = ", ".join("%s" if column in changes else column for column in columns)
    table = model._meta.db_table
    sql(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} WHERE id = %s",
        *(changes[column] for column in columns if column in changes),
        pk,
    )


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def session(kitchen: Owned, now: datetime) -> InteractionSession:
    return InteractionSession.objects.create(
        user_id=kitchen.device.owner_id,
        client_id="kitchen",
        device=kitchen.device,
        mode="m",
        plugin="p",
        phase="one",
        started_at=now,
        idle_at=now + timedelta(minutes=10),
        hard_at=now + timedelta(minutes=30),
    )


@pytest.fixture
def consent(kitchen: Owned, now: datetime) -> Utterance:
    return Utterance.objects.create(
        device=kitchen.device,
        owner_id=kitchen.device.owner_id,
        key="k",
        body_hash="h",
        text="confirm order",
        source="stream",
        segmentation="streaming_stt",
        received_at=now,
        disposition="accepted",
    )


@pytest.fixture
def settled(session: InteractionSession, consent: Utterance, now: datetime) -> Checkpoint:
    return Checkpoint.objects.create(
        session=session,
        revision=1,
        effect="checkout",
        policy="once",
        payload={"total": 26900},
        payload_hash="h",
        consent=consent,
        state="settled",
        outcome="done",
        result={"order": "1"},
        created_at=now,
        started_at=now,
        settled_at=now,
    )


@pytest.mark.promise("P229")
def test_a_second_active_session_of_one_user_and_client_is_refused(session: InteractionSession) -> None:
    with pytest.raises(IntegrityError):
        copy_row(InteractionSession, session.pk)
    copy_row(InteractionSession, session.pk, client_id="hall")
    copy_row(InteractionSession, session.pk, status="ended", end_reason="done")


@pytest.mark.promise("P229")
@pytest.mark.parametrize(
    ("change", "value"),
    [("status", "paused"), ("status", ""), ("status", "ended"), ("hard_at", timedelta(0)), ("hard_at", timedelta(seconds=-1))],
)
def test_a_session_that_cannot_be_is_refused(session: InteractionSession, change: str, value: Any) -> None:
    if isinstance(value, timedelta):
        value = connection.ops.adapt_datetimefield_value(session.started_at + value)
    with pytest.raises(IntegrityError):
        sql(f"UPDATE {SESSIONS} SET {change} = %s WHERE id = %s", value, session.pk)


@pytest.mark.promise("P229")
def test_a_checkpoint_settled_without_an_outcome_is_refused(settled: Checkpoint) -> None:
    for outcome in ("", "fine"):
        with pytest.raises(IntegrityError):
            copy_row(Checkpoint, settled.pk, revision=2, consent_id=None, outcome=outcome)
    with pytest.raises(IntegrityError):
        copy_row(Checkpoint, settled.pk, revision=2, consent_id=None, state="started")


@pytest.mark.promise("P229")
def test_one_consent_is_used_once(settled: Checkpoint) -> None:
    with pytest.raises(IntegrityError):
        copy_row(Checkpoint, settled.pk, revision=2)
    copy_row(Checkpoint, settled.pk, revision=2, consent_id=None)


def test_a_session_has_one_unsettled_checkpoint_at_most(settled: Checkpoint) -> None:
    begun = {"consent_id": None, "state": "started", "outcome": "", "settled_at": None}
    copy_row(Checkpoint, settled.pk, revision=2, **begun)
    with pytest.raises(IntegrityError):
        copy_row(Checkpoint, settled.pk, revision=3, **begun)


@pytest.mark.promise("P229")
def test_a_second_event_of_one_device_cause_and_ordinal_is_refused(kitchen: Owned) -> None:
    event = tell(kitchen)
    with pytest.raises(IntegrityError):
        copy_row(DeviceEvent, event.pk, seq=2)
    with pytest.raises(IntegrityError):
        copy_row(DeviceEvent, event.pk, cause="other")
    copy_row(DeviceEvent, event.pk, seq=2, ordinal=1)


@pytest.mark.promise("P229")
def test_a_second_open_order_of_one_account_is_refused(asha: Any, now: datetime) -> None:
    account = Account.objects.create(user=asha)
    order = Order.objects.create(account=account, session_id=1, device_id=1, opened_at=now)
    with pytest.raises(IntegrityError):
        copy_row(Order, order.pk, session_id=2)
    copy_row(Order, order.pk, session_id=2, closed_at=connection.ops.adapt_datetimefield_value(now), close_reason="done")


@pytest.mark.promise("P229")
def test_a_collector_brings_a_line_of_a_person_in_once_and_a_place_is_given_once(kitchen: Owned, consent: Utterance) -> None:
    collector = Device.objects.create(client_id="importer", scope="service")
    copy_row(Utterance, consent.pk, device_id=None, collector_id=collector.pk)
    brought = Utterance.objects.get(device=None)
    with pytest.raises(IntegrityError):
        copy_row(Utterance, brought.pk)
    copy_row(Utterance, brought.pk, key="another line")
    Utterance.objects.filter(pk=brought.pk).update(place=1)
    with pytest.raises(IntegrityError):
        copy_row(Utterance, brought.pk, key="a third line")


@pytest.mark.promise("P229")
def test_a_plugin_has_one_state_and_a_known_one(db: None, now: datetime) -> None:
    state = PluginState.objects.create(plugin="hermes", changed_at=now)
    with pytest.raises(IntegrityError):
        copy_row(PluginState, state.pk)
    with pytest.raises(IntegrityError):
        copy_row(PluginState, state.pk, plugin="recorder", status="tired")


@pytest.mark.promise("P230")
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("state", "started"),
        ("outcome", "failed"),
        ("result", "{}"),
        ("payload", "{}"),
        ("payload_hash", "other"),
        ("policy", "read"),
        ("effect", "search"),
        ("attempts", 9),
        ("consent_id", None),
        ("settled_at", None),
    ],
)
def test_a_settled_checkpoint_never_changes(settled: Checkpoint, column: str, value: object) -> None:
    with pytest.raises(DatabaseError):
        sql(f"UPDATE {CHECKPOINTS} SET {column} = %s WHERE id = %s", value, settled.pk)


@pytest.mark.promise("P230")
def test_a_settled_checkpoint_still_says_when_it_was_stepped(settled: Checkpoint) -> None:
    assert sql(f"UPDATE {CHECKPOINTS} SET stepped_at = %s, step_failures = 1 WHERE id = %s", timezone.now(), settled.pk) == 1
    settled.refresh_from_db()
    settled.save()  # every column, as it is


@pytest.mark.promise("P230")
def test_a_checkpoint_never_goes_back_and_a_begun_one_keeps_what_was_asked(settled: Checkpoint) -> None:
    copy_row(Checkpoint, settled.pk, revision=2, consent_id=None, state="staged", outcome="", settled_at=None, started_at=None)
    row = Checkpoint.objects.get(revision=2)
    assert sql(f"UPDATE {CHECKPOINTS} SET state = 'started' WHERE id = %s", row.pk) == 1
    for change in ("state = 'staged'", "payload = '{}'", "policy = 'read'", "payload_hash = ''", "effect = 'search'"):
        with pytest.raises(DatabaseError):
            sql(f"UPDATE {CHECKPOINTS} SET {change} WHERE id = %s", row.pk)
    assert sql(f"UPDATE {CHECKPOINTS} SET state = 'settled', outcome = 'done' WHERE id = %s", row.pk) == 1

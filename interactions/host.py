"""What a plugin may ask of the host. Everything here is safe to call twice and never calls a plugin's step itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from interactions import alarms, clock, doorbells, events, people, processes, registry, replies, sessions, watchdog
from interactions.contracts import Json, Policy, Reply
from interactions.models import Checkpoint, Device, DeviceEvent, InteractionSession
from interactions.plugins import ActionResult

log = logging.getLogger(__name__)

Tick = Callable[[datetime], None]

_ticks: dict[str, Tick] = {}


def signal(session_id: int, *, name: str, data: Json) -> bool:
    """Put a Signal into the session's inbox; False if it has ended, and then nothing is stored. Joins an open transaction."""
    with transaction.atomic():
        item = sessions.add(session_id, kind="signal", at=clock.now(), data={"name": name, "data": dict(data)})
    return item is not None


def tell(device_id: int, *, cause: str, reply: Reply, session_id: int | None = None) -> None:
    """Say something outside any turn, once per cause. Joins an open transaction; locks the device.

    What was meant for a device that was revoked since is said at the one its owner used last.
    """
    meant, device_id = device_id, _standing_in(device_id)
    session = InteractionSession.objects.filter(pk=session_id).first() if session_id else None
    context = replies.Context(
        device=device_id,
        session=session_id or 0,
        mode=session.mode if session else "",
        phase=session.phase if session else "",
        status=session.status if session else "",
        cause=cause,
        at=clock.now(),
        lang=session.lang if session else "en",
    )
    with transaction.atomic():
        events.hold(device_id)
        if not DeviceEvent.objects.filter(device__in=(meant, device_id), cause=cause).exists():
            replies.tell(context, replies=(reply,))


def language_of(*, session_id: int | None = None, user_id: int | None = None) -> str:
    """What was spoken in this session, or last by this person in any; else what the person is known to speak."""
    mine = InteractionSession.objects.filter(Q(pk=session_id) if session_id else Q(user=user_id))
    spoken = mine.order_by("-pk").values_list("lang", flat=True).first()
    return spoken or (people.language_of(user_id) if user_id else "en")


def _standing_in(device_id: int) -> int:
    revoked = Device.objects.filter(pk=device_id).exclude(revoked_at=None).first()
    if revoked is None or revoked.owner_id is None:
        return device_id
    others = Device.objects.filter(owner=revoked.owner_id, scope="device", revoked_at=None).order_by(
        F("last_seen").desc(nulls_last=True), "-pk"
    )
    return others.values_list("pk", flat=True).first() or device_id


def is_active(session_id: int) -> bool:
    """Whether this session still has the floor."""
    return InteractionSession.objects.filter(pk=session_id, status=InteractionSession.Status.ACTIVE).exists()


def active_sessions(mode: str, *, user_id: int | None = None, phase: str | None = None) -> list[int]:
    """The sessions of this mode that have the floor now, the oldest first; whoever's they are and wherever they stand."""
    active = InteractionSession.objects.filter(mode=mode, status=InteractionSession.Status.ACTIVE)
    mine = active if user_id is None else active.filter(user=user_id)
    there = mine if phase is None else mine.filter(phase=phase)
    return list(there.order_by("pk").values_list("pk", flat=True))


def end(session_id: int, *, reason: str) -> bool:
    """Ask a session to end, in its order, for a reason that its mode knows; False if it has. Joins an open transaction."""
    with transaction.atomic():
        return sessions.end(session_id, by="signal", at=clock.now(), reason=reason)


def place_of(session_id: int) -> str:
    """What a person calls the device that this session is at."""
    return device_name(InteractionSession.objects.values_list("device", flat=True).get(pk=session_id))


def device_of(user_id: int) -> int | None:
    """The device that this person used last, if they have one."""
    mine = Device.objects.filter(owner=user_id, scope="device", revoked_at=None).order_by(
        F("last_seen").desc(nulls_last=True), "-pk"
    )
    return mine.values_list("pk", flat=True).first()


def device_name(device_id: int) -> str:
    """What a person calls this device; empty where it is gone."""
    device = Device.objects.filter(pk=device_id).first()
    return str(device) if device is not None else ""


def call_plugin(plugin_id: str, action: str, data: Json) -> ActionResult:
    """Ask another plugin to do something; an unknown, disabled or raising one gives a failed result. Only from an effect."""
    plugin = registry.plugin(plugin_id)
    if plugin is None:
        return ActionResult(ok=False, error=f"no plugin {plugin_id!r} is enabled")
    try:
        result: object = plugin.call(action, data)
        if not isinstance(result, ActionResult):
            raise TypeError(f"an ActionResult is expected, and no {type(result).__name__}")
        return result
    except Exception as error:
        # The edge of a plugin: what it raises is no fault of whoever asked.
        log.exception("plugin %s raised on action %s", plugin_id, action)
        return ActionResult(ok=False, error=type(error).__name__)


def alarm(cause: str, text: str) -> None:
    """Tell the operator by the configured channel, once per cause. Joins an open transaction; no spoken words, no link."""
    alarms.sound(cause, text)


def mark_open(checkpoint: int, *, since: datetime | None) -> None:
    """What a lasting ONCE began goes on since then, or is over (None): until it is, its mode cannot be switched off.

    In the transaction that decides it, under the session's lock where that is still active.
    """
    wrong = Q(open_since__isnull=since is not None)
    Checkpoint.objects.filter(wrong, pk=checkpoint, policy=Policy.ONCE.value).update(open_since=since)


def ring_after_commit(row: int, task: str) -> None:
    """Ring a task of the plugin's own with the id of one of its rows."""
    doorbells.ring_after_commit(row, task)


def on_tick(name: str, tick: Tick) -> None:
    """Have ``tick(now)`` called on every sweep; it must be short and harmless when called twice at once."""
    _ticks[name] = tick


def ticks() -> dict[str, Tick]:
    return dict(_ticks)


# ---- a row of the plugin's own that one process holds -------------------------------------------------------------------


def holder() -> str:
    """A fresh name for this process; written into a row, it says who holds it."""
    return processes.name()


def gone(holder: str) -> bool:
    """True only if that process provably runs no more; elsewhere than on its own machine its lease decides."""
    return bool(holder) and processes.gone(holder)


@contextmanager
def leased(seconds: float) -> Iterator[None]:
    """This process dies before the lease ends that it holds, so that one which stood still cannot wake up and act on it."""
    watchdog.arm(seconds)
    try:
        yield
    finally:
        watchdog.disarm()

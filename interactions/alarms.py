"""What the operator must be told by more than a page: a row, delivered through the configured channel at least once.

Raised in the transaction that causes it, once per cause. The sweep rings for what is due; the delivery is an action of an
ordinary plugin, made by a worker, tried a bounded number of times, and red on the status page where it did not arrive.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db.models import F

from interactions import clock, configuration, doorbells, registry
from interactions.models import Alarm
from interactions.status import Light

log = logging.getLogger(__name__)

ATTEMPTS = 10  # with the waits below: about four hours
FIRST_S, LONGEST_S = 15, 1800
LOST = timedelta(days=1)  # what could not be told for so long is only on the pages


def sound(cause: str, text: str) -> None:
    """Raise an alarm, once per cause. Joins the open transaction. Neither spoken words nor a link may stand in ``text``."""
    at = clock.now()
    alarm, new = Alarm.objects.get_or_create(cause=cause, defaults={"text": text[:300], "created_at": at, "next_at": at})
    if new:
        log.error("alarm %s: %s", cause, alarm.text)
        doorbells.ring_after_commit(alarm.pk, doorbells.ALARM)


def due(now: datetime) -> None:
    """Ring for what was not delivered yet."""
    if configuration.current().host.operator.alarm is None:
        return
    waiting = Alarm.objects.filter(sent_at=None, next_at__lte=now, attempts__lt=ATTEMPTS, created_at__gt=now - LOST)
    for alarm in waiting.order_by("next_at").values_list("pk", flat=True)[:20]:
        doorbells.ring(alarm, doorbells.ALARM)


def deliver(alarm_id: int) -> None:
    """One attempt, counted before it is made; whoever takes it knows it by its cause, and drops the twin."""
    channel, now = configuration.current().host.operator.alarm, clock.now()
    alarm = Alarm.objects.filter(pk=alarm_id).first()
    if channel is None or alarm is None:
        return
    wait = timedelta(seconds=min(LONGEST_S, FIRST_S * 2**alarm.attempts))
    mine = Alarm.objects.filter(pk=alarm_id, sent_at=None, next_at__lte=now, attempts__lt=ATTEMPTS)
    if not mine.update(attempts=F("attempts") + 1, next_at=now + wait):
        return
    plugin = registry.plugin(channel.plugin)
    try:
        if plugin is None:
            error = f"plugin {channel.plugin} is off"
        else:
            result = plugin.call("alarm", {"target": channel.target, "text": alarm.text, "id": _delivery(alarm)})
            error = "" if result.ok else result.error or "refused"
    except Exception as fault:
        # The edge of a plugin: what it raises is one failed attempt.
        log.exception("alarm %s: the channel raised", alarm.cause)
        error = type(fault).__name__
    Alarm.objects.filter(pk=alarm_id, sent_at=None).update(last_error=error[:80], sent_at=None if error else clock.now())
    if error:
        log.warning("alarm %s not delivered: %s", alarm.cause, error)


def _delivery(alarm: Alarm) -> str:
    """One for all attempts; with its time, since a restored database gives out the numbers in a cause once more."""
    return f"alarm-{alarm.cause}-{alarm.created_at:%Y%m%d%H%M%S}"


def light() -> Light:
    """The line of ``/status``: red while an alarm of the last day reached nobody."""
    silent = Alarm.objects.filter(sent_at=None, created_at__gt=clock.now() - LOST).order_by("pk").first()
    if silent is None:
        return Light(True, "every alarm was delivered" if configuration.current().host.operator.alarm else UNSET)
    why = silent.last_error or ("not tried yet" if configuration.current().host.operator.alarm else UNSET)
    return Light(False, f"not delivered: {silent.text} ({why})")


UNSET = "no alarm channel: set operator.alarm in config.yml"

"""Celery's entrances. A message is a doorbell: acknowledged early, never retried, carrying only the id of a row."""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_process_init, worker_shutting_down

from interactions import alarms, chain, clock, doorbells, health, queues, sweep, timers, turns, watchdog

_stopping = False


@worker_process_init.connect
def _child_started(**_: object) -> None:
    watchdog.enable()
    timers.enable()


@worker_shutting_down.connect
def _shutting_down(**_: object) -> None:
    global _stopping
    _stopping = True


def _stop() -> bool:
    return _stopping


@shared_task(name="interactions.drain")
def drain(session_id: int) -> None:
    turns.drain(session_id, role=turns.Role.TURNS, stopping=_stop)


@shared_task(name="interactions.perform")
def perform(session_id: int) -> None:
    turns.drain(session_id, role=turns.Role.EFFECTS, stopping=_stop)


@shared_task(name="interactions.run_chain")
def run_chain(run_id: int) -> None:
    if chain.waits(run_id):
        doorbells.ring(run_id, doorbells.WAITING_CHAIN)
    else:
        chain.run(run_id)


@shared_task(name=doorbells.WAITING_CHAIN)
def run_waiting_chain(run_id: int) -> None:
    chain.run(run_id)


@shared_task(name=doorbells.ALARM)
def alarm(alarm_id: int) -> None:
    alarms.deliver(alarm_id)


@shared_task(name=doorbells.CHECK)
def check_plugin(state_id: int) -> None:
    health.check(state_id)


@shared_task(name="interactions.heartbeat")
def heartbeat(name: str) -> None:
    """Sent by each sweep to each queue, so that a deaf worker is seen."""
    sweep.beat(name, clock.now())


@shared_task(name="interactions.tick")
def tick() -> None:
    sweep.tick()
    queues.ask_for_heartbeats()

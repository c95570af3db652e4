"""What becomes of work that cannot be done as it should, and what a person hears of it: a wait, an apology, or the end.

One sentence costs an item; an outcome that cannot be stepped costs its session, which could not go on without it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from interactions import clock, handover, host, registry, saying, sessions, steps
from interactions.agenda import Work
from interactions.contracts import REMARK, Step
from interactions.leases import Lease
from interactions.models import InboxItem
from interactions.modes import Mode

MOMENT_S = 3  # a wait longer than this is said
ATTEMPTS = 3  # how often an item may take a worker down with it before it is set aside


def say_wait(work: Work, until: datetime) -> None:
    """Silence of more than a moment is explained once; the same effect put back again is not."""
    session, checkpoint, at = work.session, work.checkpoint, clock.now()
    mode = registry.modes().get(session.mode)
    if mode is None or checkpoint is None or (until - at).total_seconds() < MOMENT_S:
        return
    reply = mode.waits(sessions.standing(session), checkpoint.effect, until=until, at=at)
    if reply is not None:
        host.tell(session.device_id, cause=f"wait:{checkpoint.pk}", reply=reply, session_id=session.pk)


def after_raise(lease: Lease, work: Work, mode: Mode) -> bool:
    """What a raising step costs: an item one sentence; an outcome, after three tries and a plain failure, the session."""
    if work.item is not None:
        apologise(lease, work, mode, note="step raised")
        return True
    assert work.checkpoint is not None
    if work.checkpoint.step_failures >= ATTEMPTS:
        give_up(lease, work, mode)
    return False


def give_up(lease: Lease, work: Work, mode: Mode) -> None:
    broken = saying.tell(work.session.lang, "broken")
    steps.commit(lease, work, mode, Step(say=(broken,), end="internal_error"), at=clock.now(), by="error")


def apologise(lease: Lease, work: Work, mode: Mode, *, note: str) -> None:
    if work.item is not None and work.item.kind == handover.KIND:  # whoever asked waits for an answer, at another device
        handover.refuse(lease, work, code="handover_failed", at=clock.now())
        return
    sorry = saying.ask(work.session.lang, "sorry")
    if work.session.phase not in {spec.phase for spec in mode.effects.values()}:
        # A yes after it is none to the question before it. Where a phrase may spend, what was read out stays the latest prompt.
        sorry = replace(sorry, key=REMARK)
    steps.commit(lease, work, mode, Step(say=(sorry,)), at=clock.now(), by="", item_status=InboxItem.Status.DEAD, note=note)

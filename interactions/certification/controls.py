"""The system with one guard removed. Each control must be caught, or the harness cannot see what it is there to see.

Only ever applied in a forked worker of a run.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from interactions import effects, steps, watchdog
from interactions.agenda import Work
from interactions.certification.contracts import Act, Control
from interactions.contracts import Call, Policy
from interactions.leases import Lease
from interactions.models import Checkpoint
from interactions.modes import Mode


def call_first_record_later() -> None:
    """What spends is called before anything is written down about it."""
    commit = steps.commit
    outcomes: dict[str, Any] = {}
    once = effects._once

    def called_first(lease: Lease, work: Work, mode: Mode, step: Any, **rest: Any) -> Any:
        spec = mode.effects[step.effect.name] if step.effect else None
        if spec is not None and spec.policy is Policy.ONCE:
            session = work.session
            deadline = rest["at"] + timedelta(seconds=spec.budget_s)
            call = Call(step.effect.name, step.effect.payload, session.pk, session.user_id, 0, 1, deadline)
            outcomes[step.effect.name] = once(mode, call)
        return commit(lease, work, mode, step, **rest)

    steps.commit = called_first
    effects._once = lambda mode, call: outcomes.pop(call.effect)


def no_watchdog() -> None:
    """A frozen worker that wakes up goes on where it was, and no call is too late to begin: either alone would stop it."""
    watchdog.enable = lambda: None
    watchdog._enabled = False
    call: Any = vars(effects)["Call"]

    def endless(*args: Any, **rest: Any) -> Any:
        return call(*args, **{**rest, "deadline": rest["deadline"] + timedelta(hours=1)})

    vars(effects)["Call"] = endless


def send_once_again() -> None:
    """What was stored as begun and has no outcome is sent by whoever finds it."""
    perform = effects.perform

    def sent_again(lease: Lease, work: Work, mode: Mode, checkpoint: Checkpoint) -> None:
        if checkpoint.policy == Policy.ONCE.value:
            checkpoint.started_at = None
            effects.call_once(lease, work, mode, checkpoint)
        else:
            perform(lease, work, mode, checkpoint)

    effects.perform = sent_again


STEP, BEGIN = "interactions.steps.commit", "interactions.effects._begin"
CONTROLS = (
    Control("call first, record later", call_first_record_later, acts=(Act.KILL_BEFORE,), labels=(STEP,)),
    Control("no watchdog", no_watchdog, acts=(Act.STOP,), labels=(BEGIN,), money=False),
    Control("a ONCE without an outcome is sent again", send_once_again, acts=(Act.KILL_AFTER,), labels=(STEP,)),
)

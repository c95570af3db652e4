"""Guards taken away one at a time, to show that the random runs see what each of them is for.

A harness that finds nothing proves nothing until it has found what was broken on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from interactions import clock, effects, steps
from interactions.consent import Verdict
from interactions.contracts import Failed, Policy, Unknown
from swiggy_instamart import accounts, payments, reviews

Control = Callable[[], AbstractContextManager[Any]]


def _any_words_spend() -> AbstractContextManager[Any]:
    """Nobody asks whether the review was heard, by whom, and how long ago."""
    return mock.patch.object(reviews, "verdict", return_value=Verdict.OK)


def _sent_again() -> AbstractContextManager[Any]:
    """Whoever finds a checkout begun by another holder makes its call again."""
    real = effects.perform

    def perform(lease: Any, work: Any, mode: Any, checkpoint: Any) -> None:
        if checkpoint.policy != Policy.ONCE.value:
            return real(lease, work, mode, checkpoint)
        checkpoint.started_at = clock.now()
        return effects.call_once(lease, work, mode, checkpoint)

    return mock.patch.object(effects, "perform", perform)


def _no_last_look() -> AbstractContextManager[Any]:
    """What was said since the phrase is heard after the call."""
    return mock.patch.object(steps, "WAITING", "nothing waits")


def _never_quiet() -> AbstractContextManager[Any]:
    """A write that may still arrive keeps no other write back."""
    return mock.patch.object(accounts, "keep_quiet", return_value=None)


def _refused_is_not_placed() -> AbstractContextManager[Any]:
    """A checkout without an answer is taken for one that was not sent."""
    real = effects._once

    def once(mode: Any, call: Any) -> Any:
        outcome = real(mode, call)
        return Failed("not_sent") if isinstance(outcome, Unknown) else outcome

    return mock.patch.object(effects, "_once", once)


def _confirmed_each_time() -> AbstractContextManager[Any]:
    """Every poll of a paid order that is not yet confirmed confirms it again."""
    real = payments._act

    def act(held: Any, status: Any, *, over: bool) -> None:
        type(held).objects.filter(pk=held.pk).update(confirm_started_at=None)
        held.confirm_started_at = None
        real(held, status, over=over)

    return mock.patch.object(payments, "_act", act)


CONTROLS: dict[str, Control] = {
    "any words spend": _any_words_spend,
    "a checkout is sent again": _sent_again,
    "no last look": _no_last_look,
    "the account is never quiet": _never_quiet,
    "no answer is a no": _refused_is_not_placed,
    "confirmed each time": _confirmed_each_time,
}

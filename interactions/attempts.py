"""The attempts of one holder at a READ or REPLAY, within one budget: what is worth another try, and after which wait.

Each attempt after the first is counted before it begins. A request that had no answer is remembered: it may still land.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from interactions import asides, clock, outcomes
from interactions.contracts import (
    Abandoned,
    AbandonedError,
    Call,
    EffectSpec,
    Failed,
    NoAnswerError,
    NotSentError,
    NotYetError,
    Outcome,
    OvertakenError,
    TurnedDownError,
)
from interactions.modes import Mode

log = logging.getLogger(__name__)

BACKOFF_S = 0.5


@dataclass
class Attempts:
    """The attempts of one holder at a READ or REPLAY, within one budget."""

    mode: Mode
    spec: EffectSpec
    call: Call
    count: Callable[[], int]
    unanswered: bool = False

    def run(self) -> Outcome:
        for tried in range(1, self.spec.attempts + 1):
            outcome, retry_after_s = self._one()
            if outcome is not None:
                return outcome
            wait_s = retry_after_s if retry_after_s is not None else BACKOFF_S * 2 ** (tried - 1) * random.uniform(0.5, 1.0)
            if tried == self.spec.attempts or clock.now() + timedelta(seconds=wait_s) >= self.call.deadline:
                break
            if asides.rest(wait_s, self.call.abandoned):
                return Abandoned()
            self.call = replace(self.call, attempt=self.count())
        return Failed(self.code)

    def _one(self) -> tuple[Outcome | None, float | None]:
        self.code = "failed"
        try:
            return outcomes.done(self.mode.perform(self.call)), None
        except TurnedDownError as error:
            return outcomes.refused(error), None
        except OvertakenError as error:
            return outcomes.refused(error), None
        except AbandonedError:
            return Abandoned(), None
        except (NotSentError, NoAnswerError) as error:
            self.unanswered |= isinstance(error, NoAnswerError)
            self.code = error.code
            return None, error.retry_after_s
        except NotYetError:
            raise
        except (Exception, asyncio.CancelledError):
            # The edge of an effect: a fault of ours is a failure with a trace, not a dead worker.
            log.exception("checkpoint %s: %s raised", self.call.checkpoint, self.call.effect)
            self.unanswered = True
            return Failed("perform_failed"), None

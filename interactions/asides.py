"""What is heard while a READ is waited for: a word that ends things makes it pointless, a word that asks is answered meanwhile.

A READ holds the lease and no lock, and decides nothing, so a step that changes nothing may be committed in between. Whatever
would change more waits its turn.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from interactions import clock, configuration, handover, happenings, leases, sessions, steps, text, universal
from interactions.agenda import WAITING, Work
from interactions.contracts import Step
from interactions.errors import KernelError
from interactions.leases import Lease
from interactions.models import InboxItem, InteractionSession, Utterance
from interactions.modes import Mode

log = logging.getLogger(__name__)

LOOK_S = 0.2  # how often the inbox is looked at, however often and from however many threads it is asked


@dataclass
class Listening:
    """Asked again and again by whoever waits, from any thread: does nobody wait any more?"""

    lease: Lease
    session: int
    effect: str
    mode: Mode
    until: datetime  # the end of the READ's budget
    answers: int | None = None  # the utterance that asked for it
    _looked: float = 0.0
    _over: bool = False
    _left: set[int] = field(default_factory=set)  # what would change something, and waits its turn
    _busy: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self) -> bool:
        if not self._busy.acquire(blocking=False):
            return self._over
        try:
            if not self._over and time.monotonic() - self._looked >= LOOK_S:
                self._looked = time.monotonic()
                self._over = self._look()
            return self._over
        finally:
            self._busy.release()

    def _look(self) -> bool:
        names = configuration.current().host.assistant.names
        waiting = InboxItem.objects.filter(session=self.session, status=WAITING, kind__in=("heard", "end")).order_by("sequence")
        said = [
            (pk, universal.STOP if kind == "end" else universal.word(words, self.mode, names))
            for pk, kind, words in waiting.values_list("pk", "kind", "text")
        ]
        if any(word in universal.ENDING for _, word in said):
            return True
        for pk in (pk for pk, word in said if word in universal.ASKING and pk not in self._left):
            self._left.add(pk)
            try:
                self._answer(pk)
            except KernelError:
                log.warning("session %s: answered nothing while waiting: the lease is lost", self.session)
            except Exception:
                log.exception("session %s: mode %s raised while it was asked in between", self.session, self.mode.key)
        return False

    def _answer(self, pk: int) -> None:
        if self._may_spend():
            return  # whatever is said after the phrase holds back what it would spend, so it waits to be seen there
        session = InteractionSession.objects.select_related("device", "prompt").get(pk=self.session)
        held_s = max(0.0, (self.until - clock.now()).total_seconds()) + leases.margin_s()
        item = InboxItem.objects.select_related("utterance").get(pk=pk)
        work = Work(session, item=item, held_s=held_s)
        if session.version != self.mode.version or handover.is_stale(work):
            return
        at = clock.now()
        standing = replace(sessions.standing(session), working=self.effect)
        step = self.mode.step(standing, happenings.event_of(work, at=at))
        steps.check(self.mode, step)
        if step == Step(say=step.say, said=step.said, lang=step.lang):
            steps.commit(self.lease, work, self.mode, step, at=at, by="")

    def _may_spend(self) -> bool:
        """Whether the READ was asked for by the phrase that spends."""
        asked = Utterance.objects.filter(pk=self.answers or 0).values_list("text", flat=True).first()
        names = configuration.current().host.assistant.names
        phrases = [phrase for spec in self.mode.effects.values() for phrase in spec.phrases]
        return asked is not None and text.is_phrase(asked, phrases, names)


def rest(seconds: float, abandoned: Callable[[], bool]) -> bool:
    """Wait between two attempts; True as soon as nobody waits any more."""
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if abandoned():
            return True
        time.sleep(min(left, LOOK_S))
    return False

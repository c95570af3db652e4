"""The cases that need the service: what is heard twice, and what it hears of itself. Reports go in as a device's do.

The mode behind them is scripted, so that only what ingress decides is looked at: a turn, or none.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection

from interactions import clock, events, playback
from interactions.contracts import Heard, Reply, Step
from interactions.models import DeviceEvent
from tests.conftest import SCRATCH
from tests.field import judge, stages
from tests.field.expected import Act, Expected
from tests.field.judge import Judged, Trial
from tests.field.outcome import Outcome
from tests.support import people, scripted, talk
from tests.support.scripted import Script


@contextmanager
def service() -> Iterator[None]:
    """A database of its own, as the tests have it."""
    settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = f"{SCRATCH.name}/field.sqlite3"
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    logging.disable(logging.WARNING)  # nobody listens where the doorbells would ring
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        connection.creation.destroy_test_db(name, verbosity=0)


def trials(case: str) -> Iterator[Judged]:
    """What came of each report of the case."""
    for number, (said, turned, meant) in enumerate(CASES[case](), 1):
        seen, should = (frozenset({Act("turn" if turn else "no turn")}) for turn in (turned, meant))
        expected = Expected((should,))
        yield Judged(Trial(f"{case}:{number}", said, "service", expected), Outcome(seen, "", 0.0), judge.of(expected, seen))


# ---- the cases: what was said, whether it became a turn, whether it should ----------------------------------------------

Tried = tuple[str, bool, bool]
A_WORD = timedelta(milliseconds=400)
PAUSE = timedelta(milliseconds=700)


def _twice() -> Iterator[Tried]:
    """A08: one utterance as the recogniser's final and as its end marker; then its sound once more under another key."""
    with _kitchen(Reply("Two eggs added.")) as kitchen:
        sound = {"start_ms": 1000, "end_ms": 2400, "capture_epoch": "e1"}
        yield "add two eggs", kitchen.turned("add two eggs", key="first", **sound), True
        yield "the same key again", kitchen.turned("add two eggs", key="first", **sound), False
        yield "the same sound under a new key", kitchen.turned("add two eggs", key="second", **sound), False


def _itself() -> Iterator[Tried]:
    """A10: our own sentence, while it is being said."""
    with _kitchen(Reply("I added two Amul milk. Anything else?")) as kitchen:
        kitchen.turned("two amul milk")
        kitchen.plays("started")
        heard = kitchen.turned("I added two Amul milk anything else", pause=timedelta())
        yield "I added two Amul milk anything else", heard, False


def _its_prompt() -> Iterator[Tried]:
    """A11: our own question, right after it was said, five times; and honest answers to each question, which are turns."""
    with _kitchen(Reply("Shall I place this order?", key="place")) as kitchen:
        kitchen.turned("that's all")
        kitchen.plays("started")
        kitchen.plays("finished", words=5)
        for _ in range(5):
            heard = kitchen.turned("shall I place this order", pause=timedelta(seconds=1) - A_WORD * 5)
            kitchen.late -= timedelta(seconds=1)  # each of them a second after the end of the playback
            yield "shall I place this order", heard, False
    for stage, answers in ANSWERS.items():
        for answer in answers:
            replies = stages.at(stage).last.say
            with _kitchen(*replies) as kitchen:
                kitchen.turned("whatever was said before")
                kitchen.plays("started")
                kitchen.plays("finished", words=sum(len(reply.text.split()) for reply in replies))
                yield answer, kitchen.turned(answer), True


ANSWERS = {
    "choosing": ("two", "nandini", "the second one"),
    "label": ("office", "home"),
    "address": ("yes",),
    "single": ("yes",),
    "counting": ("two",),
    "old cart": ("keep cart",),
    "review": ("confirm order",),
}
CASES: Mapping[str, Callable[[], Iterator[Tried]]] = {"A08": _twice, "A10": _itself, "A11": _its_prompt}


# ---- a speaker ----------------------------------------------------------------------------------------------------------


class Kitchen:
    """A speaker with an open dialogue that answers everything with the same replies."""

    def __init__(self, script: Script, patch: pytest.MonkeyPatch) -> None:
        self.late = timedelta()  # by how much the clock is ahead of the one on the wall
        real = clock.now
        patch.setattr(clock, "now", lambda: real() + self.late)
        user = get_user_model().objects.create_user(f"asha-{get_user_model().objects.count()}")
        self.device = people.with_device(user, "kitchen").device
        self.script = script
        talk.say(self.device, "open scripted")

    def turned(self, said: str, *, pause: timedelta = PAUSE, **report: Any) -> bool:
        """Whether ``said``, begun ``pause`` after what was before, became a turn of the dialogue."""
        self.late += pause + A_WORD * len(said.split())
        before = len(self.script.heard())
        talk.say(self.device, said, **report)
        return len(self.script.heard()) > before

    def plays(self, state: str, *, words: int = 0) -> None:
        """The device reports how far it is with the last reply, after so many words of it."""
        self.late += A_WORD * words
        events.since(self.device.pk, 0, limit=100, now=clock.now())  # fetched, as a device does before it plays
        spoken = DeviceEvent.objects.filter(device=self.device, speak=True).latest("seq")
        assert playback.report(spoken.pk, state=state, at=clock.now())


@contextmanager
def _kitchen(*replies: Reply) -> Iterator[Kitchen]:
    with pytest.MonkeyPatch.context() as patch:
        script = scripted.install(patch)
        script.decide = lambda standing, event: Step(say=replies) if isinstance(event, Heard) else Step()
        yield Kitchen(script, patch)

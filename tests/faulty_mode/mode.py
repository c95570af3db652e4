"""The echo with faults on cue: a step that kills its process, and a step and a call that stand still while a file is there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from interactions.contracts import Call, Event, Heard, Reply, Standing, Step
from tests.echo_mode.mode import EchoMode


class FaultyMode(EchoMode):
    key = "faulty"
    phrases = ("open faulty",)

    def step(self, standing: Standing, event: Event) -> Step:
        match event:
            case Heard(text="die"):
                os.kill(os.getpid(), signal.SIGKILL)
            case Heard(text="stand still"):
                _stand_still()
                return Step(say=(Reply("I stood still."),))
        return super().step(standing, event)

    def perform(self, call: Call) -> Mapping[str, Any]:
        if call.payload.get("what") == "the clock":
            _stand_still()
        return super().perform(call)


def _stand_still() -> None:
    """As long as a test keeps the file, so that the process can be caught in the middle."""
    while (settings.CHRONICLE_DATA_DIR / "stand-still").exists():
        time.sleep(0.02)

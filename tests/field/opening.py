"""Whether a sentence opens the ordering mode: by its own phrases and an operator's further ones, with and without a wake."""

from __future__ import annotations

import time
from functools import partial

from interactions import activation, text
from swiggy_instamart.mode import SwiggyOrderMode
from tests.field.expected import Act
from tests.field.outcome import Outcome

NAMES = ("Hermes",)
FURTHER = ("swiggy order karo", "ऑर्डर स्विगी", "स्विगी ऑर्डर करो")  # as an operator may add them to plugins.yml
PHRASES = tuple((text.tokens(phrase), SwiggyOrderMode.key) for phrase in (*SwiggyOrderMode.phrases, *FURTHER))
OPENS = Act("opens")
CALLS = ("", "Hermes, ", "hey hermes ", "olly ", "please ", "um ")


def opened(said: str, *, wake: bool) -> activation.Activation | None:
    """A wake proves that we were meant, so some letters may be wrong; without one, none."""
    return activation.find(said, PHRASES, NAMES, slack=activation.SLACK if wake else 0)


def _outcome(said: str, *, wake: bool) -> Outcome:
    """What would come of it with no order open: it opens one, or it is none of our business."""
    began = time.process_time()
    found = opened(said, wake=wake)
    return Outcome(frozenset({OPENS} if found else ()), "", time.process_time() - began)


STAGES = {"asleep": partial(_outcome, wake=False), "woken": partial(_outcome, wake=True)}


def opens(said: str) -> list[str]:
    """Every way of calling before ``said`` that opens the mode."""
    return [f"{call}{said}" for call in CALLS for wake in (False, True) if opened(f"{call}{said}", wake=wake)]

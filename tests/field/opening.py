"""Whether a sentence opens the ordering mode: by its own phrases and an operator's further ones, with and without a wake."""

from __future__ import annotations

from interactions import activation, text
from interactions.ingress import SLACK
from swiggy_instamart.mode import SwiggyOrderMode

NAMES = ("Hermes",)
FURTHER = ("swiggy order karo", "ऑर्डर स्विगी", "स्विगी ऑर्डर करो")  # as an operator may add them to plugins.yml
PHRASES = tuple((text.tokens(phrase), SwiggyOrderMode.key) for phrase in (*SwiggyOrderMode.phrases, *FURTHER))
CALLS = ("", "Hermes, ", "hey hermes ", "olly ", "please ", "um ")


def opened(said: str, *, wake: bool) -> activation.Activation | None:
    """A wake proves that we were meant, so some letters may be wrong; without one, none."""
    return activation.find(said, PHRASES, NAMES, slack=SLACK if wake else 0)


def opens(said: str) -> list[str]:
    """Every way of calling before ``said`` that opens the mode."""
    return [f"{call}{said}" for call in CALLS for wake in (False, True) if opened(f"{call}{said}", wake=wake)]

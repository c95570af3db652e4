"""Ways to end the talk beyond the listed ones: "cancel what you are doing", "never mind, cancel that", "stop talking". Pure.

Ending a talk places nothing and keeps the basket, so many ways of it are taken; but only where every word belongs to it. What
names a thing ("cancel the milk", "stop the music") ends nothing.
"""

from __future__ import annotations

from swiggy_instamart import words
from swiggy_instamart.words import Phrases, Tokens

LONGEST = 16  # words
STOPS: Phrases = frozenset().union(*(phrases for said, phrases in words.UNIVERSAL if said in {"stop", "cancel"}))


def ends(said: Tokens) -> bool:
    """Whether ``said``, without names, fillers and courtesies, is made of ways to stop and of nothing else."""
    if len(said) > LONGEST:
        return False
    left, stopped = said, False
    while left:
        taken = max((_starting(left, table) for table in (STOPS, words.STOP_ASIDE, words.NEUTRAL)), key=len)
        action = _action(left)
        stopped |= bool(action) or taken in STOPS
        size = max(len(taken), len(action))
        if not size:
            return False
        left = left[size:]
    return stopped


def _action(left: Tokens) -> Tokens:
    """ "Cancel the current task": a word that stops, and what it stops, as far as that is our doing."""
    if left[0] not in words.STOP_VERBS:
        return ()
    size = next((at for at, word in enumerate(left[1:], 1) if word not in words.STOP_OBJECTS), len(left))
    return left[:size] if set(left[1:size]) & words.STOP_DOINGS else ()


def _starting(left: Tokens, phrases: Phrases) -> Tokens:
    sizes = range(min(words.LONGEST_PHRASE, len(left)), 0, -1)
    return next((left[:size] for size in sizes if left[:size] in phrases), ())

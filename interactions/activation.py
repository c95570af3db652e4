"""Finding an activation phrase at the start of an utterance: exact words, or near ones after a wake. Pure.

Opening a mode spends nothing, so a slip of the recogniser may be forgiven here; what stands before the phrase never is, unless
it calls the assistant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from interactions import text

LONGEST_PREAMBLE = 12  # fillers; more is a text made to keep us busy


@dataclass(frozen=True, slots=True)
class Activation:
    """A phrase opened an utterance. ``remainder`` is the rest as it was said; ``distance`` is 0 unless slack was allowed."""

    key: str
    phrase: text.Tokens
    remainder: str = ""
    distance: int = 0


def find(s: str, phrases: Sequence[tuple[text.Tokens, str]], names: Iterable[str], *, slack: int = 0) -> Activation | None:
    """The longest phrase at the start, after one name, fillers and courtesies.

    ``slack`` is how many letters may be wrong; it is for use after a wake only, where the words are known to be for us. It also
    lets the phrase come in pieces ("order swig gy") and the name misspelt.
    """
    names = tuple(names)
    words = text.tokens(s)
    rest = text.strip_courtesy(text.strip_name(text.strip_courtesy(words), names))
    if len(words) - len(rest) > LONGEST_PREAMBLE:
        return None
    for phrase, key in sorted(phrases, key=lambda p: len(p[0]), reverse=True):
        if text.starts_with(rest, phrase):
            return Activation(key, phrase, text.remainder(s, len(words) - len(rest) + len(phrase)))
    return _near(s, phrases, names, slack=slack) if slack else None


def _near(s: str, phrases: Sequence[tuple[text.Tokens, str]], names: Iterable[str], *, slack: int) -> Activation | None:
    words = text.tokens(s)
    rest = text.strip_courtesy(_strip_near_name(text.strip_courtesy(words), names))
    found: list[tuple[int, int, Activation]] = []
    for phrase, key in phrases:
        whole = "".join(phrase)
        for size in range(max(1, len(phrase) - 1), len(phrase) + 3):
            if size > len(rest):
                break
            distance = Levenshtein.distance("".join(rest[:size]), whole, score_cutoff=slack)
            if distance <= min(slack, len(whole) // 4):
                remainder = text.remainder(s, len(words) - len(rest) + size)
                found.append((distance, size, Activation(key, phrase, remainder, distance)))
    return min(found, key=lambda f: f[:2])[2] if found else None


def _strip_near_name(words: text.Tokens, names: Iterable[str]) -> text.Tokens:
    exact = text.strip_name(words, names)
    if exact != words or not words:
        return exact
    at = 1 if words[0] in text.GREETINGS else 0
    for name in (text.tokens(name) for name in names):
        near = " ".join(words[at : at + len(name)])
        if len(near) > 4 and Levenshtein.distance(near, " ".join(name), score_cutoff=2) <= 2:
            return words[at + len(name) :]
    return words

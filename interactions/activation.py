"""Finding an activation phrase at the start of an utterance: exact words, or near ones after a wake. Pure.

Opening a mode spends nothing, so a slip of the recogniser may be forgiven here; what stands before the phrase never is, unless
it calls the assistant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from interactions import text

Names = tuple[str, ...]
Phrases = Sequence[tuple[text.Tokens, str]]

SLACK = 2  # letters that a recogniser may get wrong, where the words are known to be for us
LONGEST_PREAMBLE = 12  # fillers; more is a text made to keep us busy


@dataclass(frozen=True, slots=True)
class Activation:
    """A phrase opened an utterance. ``remainder`` is the rest as it was said; ``distance`` is 0 unless slack was allowed."""

    key: str
    phrase: text.Tokens
    remainder: str = ""
    distance: int = 0


def find(s: str, phrases: Phrases, names: Iterable[str], *, slack: int = 0) -> Activation | None:
    """The longest phrase at the start, after names, fillers and courtesies; a phrase said twice is one.

    A name may be off by a letter. ``slack`` is how many letters of the phrase may be wrong; it is for use after a wake only,
    where the words are known to be for us. It also lets the phrase come in pieces ("order swig gy").
    """
    names = tuple(names)
    found = _find(s, phrases, names, slack=slack)
    while found and (again := _find(found.remainder, phrases, names, slack=0)) and again.key == found.key:
        found = replace(found, remainder=again.remainder)
    return found


def called(s: str, names: Iterable[str]) -> bool:
    """Whether the assistant is called by name at the start; a letter of it may be off."""
    words, names = text.strip_courtesy(text.tokens(s)), tuple(names)
    return text.strip_name(words, names) != words or text.strip_near_name(words, names, wrong=1) != words


def nearly(s: str, phrases: Phrases, names: Iterable[str], *, slack: int) -> text.Tokens | None:
    """The phrase that was just missed with one letter more than ``slack``; worth a question, never an opening."""
    words, names = text.tokens(s), tuple(names)
    rest = after_call(words, names, wrong=slack)
    found = _near(s, words, rest, phrases, names, slack=slack + 1, share=3)
    return found.phrase if found else None


def _find(s: str, phrases: Phrases, names: Names, *, slack: int) -> Activation | None:
    words = text.tokens(s)
    for wrong in (0, 1, *((2,) if slack else ())):
        rest = after_call(words, names, wrong=wrong)
        if len(words) - len(rest) > LONGEST_PREAMBLE:
            return None
        for phrase, key in sorted(phrases, key=lambda p: len(p[0]), reverse=True):
            if text.starts_with(rest, phrase):
                return Activation(key, phrase, _remainder(s, len(words) - len(rest) + len(phrase), names))
    return _near(s, words, rest, phrases, names, slack=slack) if slack else None


def _near(
    s: str, words: text.Tokens, rest: text.Tokens, phrases: Phrases, names: Names, *, slack: int, share: int = 4
) -> Activation | None:
    found: list[tuple[int, int, Activation]] = []
    for phrase, key in phrases:
        whole = "".join(phrase)
        for size in range(max(1, len(phrase) - 1), len(phrase) + 3):
            if size > len(rest):
                break
            distance = Levenshtein.distance("".join(rest[:size]), whole, score_cutoff=slack)
            if distance <= min(slack, len(whole) // share):
                left = _remainder(s, len(words) - len(rest) + size, names)
                found.append((distance, size, Activation(key, phrase, left, distance)))
    return min(found, key=lambda f: f[:2])[2] if found else None


def after_call(words: text.Tokens, names: Names, *, wrong: int) -> text.Tokens:
    """What follows the call for attention: fillers, courtesies, and names with up to ``wrong`` letters off, also repeated."""
    while True:
        rest = text.strip_courtesy(words)
        named = text.strip_name(rest, names)
        if named == rest and wrong:
            named = text.strip_near_name(rest, names, wrong=wrong)
        if named == rest:
            return rest
        words = named


def _remainder(s: str, count: int, names: Names) -> str:
    """As ``remainder``, and nothing if only a name and courtesies follow."""
    rest = text.remainder(s, count)
    return rest if text.strip_farewell(after_call(text.tokens(rest), names, wrong=0)) else ""

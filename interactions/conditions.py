"""Which sentences of the ordinary chain a plugin is given, by its condition, and what is left of a sentence for it. Pure.

Conditions are met by words, not by letters. The name or keyword that made a sentence a plugin's is taken away, and the rest
stays as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interactions import text
from interactions.plugins import ChainEvent, OrdinaryPlugin

_MARKS = re.compile(r"^(?:[ ,;:\u2013\u2014]|-(?!\d))+")  # what parted the word from the rest; a minus belongs to its number


def command(plugin: OrdinaryPlugin, event: ChainEvent, *, names: Sequence[str]) -> str | None:
    """The sentence as this plugin is to be given it, or None where its condition does not hold."""
    words = text.tokens(event.text)
    named = len(words) - len(text.strip_name(words, names))
    match plugin.entry.condition:
        case "wake_word":
            also = (*names, *plugin.entry.keywords)
            named = len(words) - len(text.strip_name(words, also))
            return _without(event.text, 0, named) if named or event.woken else None
        case "acoustic_wake_word":
            return _without(event.text, 0, named) if event.woken else None
        case "keyword_anywhere":
            return _without_keyword(event.text, words, plugin.entry.keywords)
        case _:
            return _without(event.text, 0, named)


def _without_keyword(said: str, words: text.Tokens, keywords: Sequence[str]) -> str | None:
    for keyword in sorted((text.tokens(keyword) for keyword in keywords), key=len, reverse=True):
        for start in range(len(words) - len(keyword) + 1):
            if keyword and words[start : start + len(keyword)] == keyword:
                return _without(said, start, len(keyword))
    return None


def _without(said: str, start: int, count: int) -> str:
    """The sentence as it was said, less ``count`` words from ``start``; by words where the spelling does not line up."""
    if not count:
        return said.strip()
    kept: list[str] = []
    position = 0
    for piece in said.split():
        size = len(text.tokens(piece))
        inside = start <= position and position + size <= start + count
        if not inside or (not size and not start <= position < start + count):
            kept.append(piece)
        position += size
    if position != len(text.tokens(said)) or len(text.tokens(" ".join(kept))) != position - count:
        words = text.tokens(said)
        return " ".join((*words[:start], *words[start + count :]))
    return _MARKS.sub("", " ".join(kept)).rstrip(" ,;:-\u2013\u2014")

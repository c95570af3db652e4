"""Which language somebody speaks, by the small words, verbs and numbers of what they said. Pure.

Products and loan words tell nothing: "one packet doodh" may be said by anybody. Where nothing tells, or as much speaks for two
languages, the conversation goes on in the one it is held in.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from interactions import text
from interactions.contracts import Event, Heard, Started
from swiggy_instamart import words


def spoken_in(event: Event) -> str | None:
    """The language of what was said with this event; a button that was tapped speaks ours."""
    if isinstance(event, Started | Heard) and event.source != "tap":
        return language(event.text)
    return None


def language(said: str) -> str | None:
    tokens = text.tokens(said)
    alone = len(tokens) == 1  # then it may be a name, or a number that a menu asked for
    single = [(token,) for token in tokens]
    told: list[tuple[Mapping[str, words.Phrases], Sequence[words.Tokens]]] = [
        (words.OWN, single),
        (words.OWN_NUMBERS, () if alone else single),
        (words.OWN_PAIRS, list(pairwise(tokens))),
    ]
    votes = Counter(lang for own, spoken in told for lang, phrases in own.items() for phrase in spoken if phrase in phrases)
    if not votes and not alone:
        votes += Counter(lang for token in tokens for lang in _by_script(token))
    (first, most), (_, less) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return first if most > less else None


def _by_script(token: str) -> set[str]:
    """The languages that are known by the script of this word."""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in token if letter.isalpha()}
    return {lang for lang, script in words.SCRIPTS.items() if script in scripts}

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
from swiggy_instamart import lexicon, words
from swiggy_instamart.lexicon import Phrases, Tokens

# Who speaks what. A language in another script is a file of its own, named after the language: hi_latn is Hindi.
_SPEAKERS = [(stem.partition("_")[0], file) for stem, file in lexicon.FILES.items() if "speaker" in file]


def _of_speakers(key: str, parted: str | None = None) -> Mapping[str, Phrases]:
    found: dict[str, Phrases] = {lang: frozenset() for lang, _ in _SPEAKERS}
    for lang, file in _SPEAKERS:
        found[lang] |= {text.tokens(phrase) for phrase in file["speaker"].get(key, "").split(parted)}
    return found


def _own_numbers() -> Mapping[str, Phrases]:
    """Numbers that are no other word, in this language or another."""
    found: dict[str, Phrases] = {lang: frozenset() for lang, _ in _SPEAKERS}
    for lang, file in _SPEAKERS:
        said = [said for kind in NUMBER_SECTIONS for said in file.get(kind, {}).values()]
        found[lang] |= {text.tokens(one) for many in said for one in many.split("|")}
    shared = {(word,) for word in words.FUNCTION | words.NUMBER_OR_VERB | words.NUMBER_BEFORE_UNIT | words.UNIT_OR_PRODUCT}
    return {
        lang: own - shared - frozenset().union(*(its for other, its in found.items() if other != lang))
        for lang, own in found.items()
    }


NUMBER_SECTIONS = ("numbers", "tens", "scales", "fractions", "shifts")
OWN = _of_speakers("own")
OWN_NUMBERS = _own_numbers()
OWN_PAIRS = _of_speakers("pairs", parted="|")
INTERJECTED = _of_speakers("interjected")  # of its own words those that people put before a sentence of any language
SHARED = _of_speakers("shared")  # words of this language that others use as well
SIGN, HINT = 2, 1  # what a word says for its language
SCRIPTS: Mapping[str, str] = {
    lang: file["speaker"]["script"].upper() for lang, file in _SPEAKERS if "script" in file["speaker"]
}


def spoken_in(event: Event) -> str | None:
    """The language of what was said with this event; a button that was tapped speaks ours."""
    if isinstance(event, Started | Heard) and event.source != "tap":
        return language(event.text)
    return None


def language(said: str) -> str | None:
    """The language with most signs. Where one has none of its own, words that another shares with it may only hold against
    others: "haan, add milk" is said in either.
    """
    tokens = text.tokens(said)
    alone = len(tokens) == 1  # then it may be a name, or a number that a menu asked for
    single = [(token,) for token in tokens]
    told: list[tuple[Mapping[str, Phrases], Sequence[Tokens], int]] = [
        (OWN, single, SIGN),
        (OWN_NUMBERS, () if alone else single, SIGN),
        (OWN_PAIRS, list(pairwise(tokens)), SIGN),
        (INTERJECTED, single, HINT - SIGN),
    ]
    votes = Counter[str]()
    for own, spoken, weight in told:
        for lang, phrases in own.items():
            votes[lang] += weight * sum(phrase in phrases for phrase in spoken)
    if not any(votes.values()) and not alone:
        votes.update(lang for token in tokens for lang in _by_script(token))
    signed = {lang for lang, count in votes.items() if count > 0}
    for lang, shared in SHARED.items():
        votes[lang] += HINT * sum(phrase in shared for phrase in single)
    (first, most), (_, less) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return first if most > less and first in signed else None


def _by_script(token: str) -> set[str]:
    """The languages that are known by the script of this word."""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in token if letter.isalpha()}
    return {lang for lang, script in SCRIPTS.items() if script in scripts}

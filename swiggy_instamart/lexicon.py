"""The files of ``languages`` as tokens: phrases, words, sections, and the many forms of a verb that ends a sentence.

Read once, when imported. A phrase is folded as an utterance is, so that both sides of every comparison are alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product

from interactions import lexicon, text

Tokens = tuple[str, ...]
Phrases = frozenset[Tokens]

FILES = lexicon.files(__file__)
_LANGUAGES = tuple(FILES.values())


def _of_all(kind: str, key: str) -> list[str]:
    found = [language[kind][key] for language in _LANGUAGES if key in language.get(kind, {})]
    if not found:
        raise KeyError(f"{kind}.{key} is in no file of swiggy_instamart/languages")
    return found


def phrases(key: str) -> Phrases:
    return frozenset(text.tokens(phrase) for listed in _of_all("phrases", key) for phrase in listed.split("|"))


@cache
def lengths(listed: Phrases) -> Mapping[str, tuple[int, ...]]:
    """By first word, how many words the phrases of a list have, most first: many lists are looked through at every word."""
    found: dict[str, set[int]] = {}
    for phrase in listed - {()}:
        found.setdefault(phrase[0], set()).add(len(phrase))
    return {word: tuple(sorted(sizes, reverse=True)) for word, sizes in found.items()}


def as_listed(key: str) -> tuple[str, ...]:
    """Phrases that the host compares, which folds them itself."""
    return tuple(phrase.strip() for listed in _of_all("phrases", key) for phrase in listed.split("|"))


def words(key: str) -> frozenset[str]:
    return frozenset(text.normalise(" ".join(_of_all("words", key))).split())


def sections(kind: str) -> tuple[Mapping[str, tuple[Tokens, ...]], ...]:
    """What each language says for the keys of one section, such as ``numbers``: the key -> the ways to say it."""
    return tuple(
        {str(key): tuple(map(text.tokens, said.split("|"))) for key, said in language.get(kind, {}).items()}
        for language in _LANGUAGES
    )


def _in(language: Mapping[str, Mapping[str, str]], kind: str, key: str) -> list[Tokens]:
    """What one language lists, a word alone being a phrase of one; nothing where it lists none."""
    listed = language.get(kind, {}).get(key, "")
    return [text.tokens(one) for one in (listed.split("|") if kind == "phrases" else listed.split()) if one.strip()]


def _glued(one: Tokens, other: Tokens) -> tuple[Tokens, Tokens]:
    """Two words as people write them: apart ("kar do") and in one ("kardo")."""
    return one + other, (*one[:-1], one[-1] + other[0], *other[1:])


def verbs(kind: str) -> Phrases:
    """The forms of a verb in a language that has many: whole ones, stems with a helper, and borrowed words that are "done"."""
    found: set[Tokens] = set()
    for language in _LANGUAGES:
        helpers, doing = (_in(language, "words", key) for key in ("helper", "doing"))
        done = [
            *doing,
            *(form for do in _in(language, "words", "do_stem") for helper in helpers for form in _glued(do, helper)),
        ]
        found |= {*_in(language, "phrases", f"{kind}_verb"), *(done if kind == "set" else ())}
        found |= {
            form for stem in _in(language, "phrases", f"{kind}_stem") for helper in helpers for form in _glued(stem, helper)
        }
        found |= {loan + form for loan in _in(language, "phrases", f"{kind}_loan") for form in done}
    return frozenset(found)


def stems(kind: str) -> Phrases:
    """What is left of a verb where its helper is taken for a verb of its own: "mangwa (do)", "order kar (do)"."""
    found: set[Tokens] = set()
    for language in _LANGUAGES:
        loans, done = _in(language, "phrases", f"{kind}_loan"), _in(language, "words", "do_stem")
        found |= {*_in(language, "phrases", f"{kind}_stem"), *(loan + do for loan in loans for do in done)}
    return frozenset(found)


def inflected(kind: str) -> frozenset[str]:
    """Words in all their endings, where a language lists stems and endings."""
    found: set[str] = set()
    for language in _LANGUAGES:
        listed = language.get("words", {})
        stems, endings = (listed.get(f"{kind}_{part}", "").split() for part in ("stem", "ending"))
        found |= {text.normalise(stem + ending) for stem in stems for ending in ("", *endings)}
    return frozenset(found)


def cart_places() -> Phrases:
    """ "To my shopping cart", "cart mein": in each language what stands before and after its words for the cart."""
    found: set[Tokens] = set()
    for language in _LANGUAGES:
        names, before, which, kind, after = (
            _in(language, "phrases", f"cart_{part}") for part in ("name", "before", "which", "kind", "after")
        )
        for parts in product(before or [()], [(), *which], [(), *kind], names, after or [()]):
            found.add(tuple(word for part in parts for word in part))
    return frozenset(found)


def called(kind: str) -> dict[Tokens, Tokens]:
    """What people say -> what the shop writes: in ``spellings`` the same word, in ``goods`` the same thing."""
    return {called: text.tokens(name) for language in sections(kind) for name, calls in language.items() for called in calls}

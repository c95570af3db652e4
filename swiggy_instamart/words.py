"""The word lists of all ``languages`` as tokens, and the one phrase that spends, which is in no list.

Read once, when imported. A phrase is folded as an utterance is, so that both sides of every comparison are alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from interactions import text

Tokens = tuple[str, ...]
Phrases = frozenset[Tokens]

# The published spellings of confirming. Compared by text.is_phrase only, never through any list below.
CONFIRM_PHRASES: tuple[str, ...] = ("confirm order", "कन्फर्म ऑर्डर", "कन्फ़र्म ऑर्डर", "कंफर्म ऑर्डर")

_LANGUAGES: tuple[Mapping[str, Mapping[str, str]], ...] = tuple(
    yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((Path(__file__).parent / "languages").glob("*.yml"))
)


def _of_all(kind: str, key: str) -> list[str]:
    found = [language[kind][key] for language in _LANGUAGES if key in language.get(kind, {})]
    if not found:
        raise KeyError(f"{kind}.{key} is in no file of swiggy_instamart/languages")
    return found


def _phrases(key: str) -> Phrases:
    return frozenset(text.tokens(phrase) for listed in _of_all("phrases", key) for phrase in listed.split("|"))


def _words(key: str) -> frozenset[str]:
    return frozenset(text.normalise(" ".join(_of_all("words", key))).split())


# Whole turns.
UNIVERSAL: tuple[tuple[str, Phrases], ...] = tuple((said, _phrases(said)) for said in ("stop", "cancel", "help", "repeat"))
WHOLE: tuple[tuple[str, Phrases], ...] = tuple(
    (said, _phrases(said))
    for said in ("complete", "show_cart", "clear", "keep", "put_back", "change_address", "resend", "skip", "take_over")
)
SKIP = _phrases("skip")
STOP = _phrases("stop")
STOP_FIRST = _words("stop_first")
CHANGE_ADDRESS_IF_ASKED = _phrases("change_address_if_asked")
PLACE = _phrases("place")
# YAML would read the keys "yes" and "no" as truth values.
YES = _phrases("affirm")
NO = _phrases("deny")
HESITATION = _phrases("hesitation")
NEUTRAL = _phrases("neutral") | {(filler,) for filler in text.FILLERS}
IGNORABLE = _words("ignorable")
DENIALS = _words("denials")
DENYING_WHAT_FOLLOWS = _words("denying_what_follows")

# Beginnings and ends of commands.
ADD = _phrases("add")
ADD_OR_AND = ADD | {("and",), ("plus",), ("also",)}
AGAIN = _phrases("again")
REMOVE = _phrases("remove")
CHANGE = _phrases("change")
MAKE_IT = _phrases("make_it")
DELIVER = _phrases("deliver")
WRAPPERS = _phrases("wrappers")
SCRATCH = _phrases("scratch")
CART_PLACES: Phrases = frozenset(
    text.tokens(f"{preposition} {which} {kind} {place}")
    for preposition in ("to", "in", "into", "from", "on", "onto", "off", "out of", "of")
    for which in ("", "the", "my", "our", "this")
    for kind in ("", "shopping", "grocery", "groceries", "swiggy")
    for place in ("cart", "basket", "list", "order", "bag")
)
TAILS = CART_PLACES | _phrases("tails")
MAKE_TAILS = TAILS | _phrases("make_tail")
HEADS = _words("heads")

# What is one product, and what is none.
NAMES = _phrases("joined") | _phrases("numbered")
NUMBERED = _phrases("numbered")
TAKING_AWAY = _words("taking_away")
DESCRIBING = _words("describing") | {"one", "item"}  # of the list just read; alone they name no product
FUNCTION = _words("function")
OFF_TOPIC = _words("off_topic")
SHOP_TALK = _words("shop_talk")  # of those, what may as well be said to a shop
NOT_A_WISH = _words("not_a_wish")
QUESTION = _words("question")
COUPON = _words("coupon")
LABEL_AROUND = _words("label_around")

LONGEST_PHRASE = 7  # words; held by a test

NUMBER_EXPECTED: Mapping[str, int] = {"to": 2, "too": 2, "for": 4, "won": 1, "ate": 8}
NUMBER_WORDS_HI: Mapping[str, int] = {
    "ek": 1, "do": 2, "teen": 3, "char": 4, "chaar": 4, "paanch": 5, "panch": 5, "chhe": 6, "saat": 7, "aath": 8, "nau": 9,
    "das": 10, "एक": 1, "दो": 2, "तीन": 3, "चार": 4, "पांच": 5, "पाँच": 5, "छह": 6, "सात": 7, "आठ": 8, "नौ": 9, "दस": 10,
}  # fmt: skip

"""The word lists of all ``languages`` as tokens, and the one phrase that spends, which is in no list.

Read once, when imported. A phrase is folded as an utterance is, so that both sides of every comparison are alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import yaml

from interactions import text

Tokens = tuple[str, ...]
Phrases = frozenset[Tokens]

# The published spellings of confirming. Compared by text.is_phrase only, never through any list below.
CONFIRM_PHRASES: tuple[str, ...] = ("confirm order", "कन्फर्म ऑर्डर", "कन्फ़र्म ऑर्डर", "कंफर्म ऑर्डर")

_FILES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "languages").glob("*.yml"))
}
_LANGUAGES = tuple(_FILES.values())


def _of_all(kind: str, key: str) -> list[str]:
    found = [language[kind][key] for language in _LANGUAGES if key in language.get(kind, {})]
    if not found:
        raise KeyError(f"{kind}.{key} is in no file of swiggy_instamart/languages")
    return found


def _phrases(key: str) -> Phrases:
    return frozenset(text.tokens(phrase) for listed in _of_all("phrases", key) for phrase in listed.split("|"))


def _words(key: str) -> frozenset[str]:
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


def _verbs(kind: str) -> Phrases:
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


def _cart_places() -> Phrases:
    """ "To my shopping cart", "cart mein": in each language what stands before and after its words for the cart."""
    found: set[Tokens] = set()
    for language in _LANGUAGES:
        names, before, which, kind, after = (
            _in(language, "phrases", f"cart_{part}") for part in ("name", "before", "which", "kind", "after")
        )
        for parts in product(before or [()], [(), *which], [(), *kind], names, after or [()]):
            found.add(tuple(word for part in parts for word in part))
    return frozenset(found)


def _called(kind: str) -> dict[Tokens, Tokens]:
    """What people say -> what the shop writes: in ``spellings`` the same word, in ``goods`` the same thing."""
    return {called: text.tokens(name) for language in sections(kind) for name, calls in language.items() for called in calls}


# Whole turns.
UNIVERSAL: tuple[tuple[str, Phrases], ...] = tuple((said, _phrases(said)) for said in ("stop", "cancel", "help", "repeat"))
WHOLE: tuple[tuple[str, Phrases], ...] = tuple(
    (said, _phrases(said))
    for said in (
        *("complete", "show_cart", "clear", "keep", "put_back", "change_address", "resend", "skip", "take_over"),
        *("undo", "other", "any", "same"),
    )
)
SKIP = _phrases("skip")
STOP = _phrases("stop")
STOP_FIRST = _words("stop_first")
STOP_ASIDE = _phrases("stop_aside")
STOP_VERBS = _words("stop_verbs")
STOP_OBJECTS = _words("stop_objects")
STOP_DOINGS = _words("stop_doings")  # of these, what says that our own doing is meant
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

# Answers that say more than yes or no: what agrees, disagrees, denies or doubts, and the small words around it.
AGREEING = _words("agreeing")
DISAGREEING = _words("disagreeing")
NEGATING = _words("negating")
NEGATING_BEHIND = _words("negating_behind")  # of those, what denies also the word before it
DENYING = NEGATING | DENIALS
DOUBTING = _words("doubting")
SAYING_YES = frozenset(phrase[0] for phrase in YES if len(phrase) == 1) - AGREEING
SAYING_NO = frozenset(phrase[0] for phrase in NO if len(phrase) == 1) - DISAGREEING - NEGATING
ANSWERING = SAYING_YES | SAYING_NO | AGREEING | DISAGREEING | NEGATING | DOUBTING | _words("answering") | text.FILLERS
RELATIVE = _words("relative")
JOINING = _words("joining")  # what stands between an answer and its rider

# What comes near the phrase that spends. It is only answered: see CONFIRM_PHRASES for what it would have to be.
CONFIRM_VERB = _words("confirm_verb")
CONFIRM_OBJECT = _words("confirm_object")
CONFIRM_AROUND = SAYING_YES - CONFIRM_VERB | _words("confirm_around") | text.FILLERS

# Beginnings and ends of commands.
ADD = _phrases("add")
AND = _words("and")
ALSO = _words("also")
ADD_OR_AND = ADD | {(word,) for word in ALSO}
AGAIN = _phrases("again")
REMOVE = _phrases("remove")
CHANGE = _phrases("change")
MAKE_IT = _phrases("make_it")
DELIVER = _phrases("deliver")
WRAPPERS = _phrases("wrappers")
SCRATCH = _phrases("scratch")
CORRECTION = SCRATCH | _phrases("correction")
ADD_VERBS, REMOVE_VERBS, SET_VERBS = (_verbs(kind) for kind in ("add", "remove", "set"))
WISH = _words("wish")
NOT_VERB = _phrases("not_verb")
PUT = _phrases("put")
THE_LAST = _phrases("the_last")
SAME_BEFORE, SAME_AFTER = _phrases("same_before"), _phrases("same_after")
ASK_BEFORE, ASK_IS, ASK_AFTER = _phrases("ask_before"), _phrases("ask_is"), _phrases("ask_after")
PRICE_BEFORE, PRICE_AFTER = _phrases("price_before"), _phrases("price_after")
CART_PLACES = _cart_places()
# Questions about the cart.
CART_NAMED = _phrases("cart_named")
CART_PREPOSITIONS = _phrases("cart_prepositions")
CART_KNOWING = _phrases("cart_knowing")
CART_ASKING_POLITELY = _phrases("cart_asking_politely")
CART_SHOWING = _words("cart_showing")
CART_SHOWN = _words("cart_shown")
CART_ASKING = _words("cart_asking")
CART_WHICH = _words("cart_which")
CART_HOLDING = _words("cart_holding")
CART_IF = _words("cart_if")
CART_CHANGING = _words("cart_changing")

TAILS = CART_PLACES | _phrases("tails")
MAKE_TAILS = TAILS | _phrases("make_tail")
HEADS = _words("heads")

# What is one product, and what is none.
NAMES = _phrases("joined") | _phrases("numbered")
NUMBERED = _phrases("numbered")
GOODS, SPELLINGS = _called("goods"), _called("spellings")
KNOWN = _phrases("known") | set(GOODS) | set(GOODS.values()) | set(SPELLINGS.values())
TAKING_AWAY = _words("taking_away")
ONE = _words("one_word")  # "the big one", "bada wala"
TRAITS: Mapping[str, frozenset[str]] = {trait: _words(trait) for trait in ("cheapest", "dearest", "largest", "smallest")}
MOST = _words("most")
NUMBERING = _words("numbering")
PARTICLES = _words("particle")
ONE_THING, TWO_THINGS = _phrases("one_thing"), _phrases("two_things")
DESCRIBING = _words("describing") | {"one", "item"}  # of the list just read; alone they name no product
FUNCTION = _words("function")
OFF_TOPIC = _words("off_topic")
SHOP_TALK = _words("shop_talk")  # of those, what may as well be said to a shop
NOT_A_WISH = _words("not_a_wish")
QUESTION = _words("question")
ASKING = _words("asking")  # of those, what asks wherever it stands
COUPON = _words("coupon")
LABEL_AROUND = _words("label_around")
OURS = _words("ours")  # what we claim, ask and teach with; a title that has them is called a name
OPTION = _words("option")  # before the number of what was read out
AROUND_ORDINAL = _words("around_ordinal")

# Questions about an order that was placed. Such a sentence holds no other word, so another shop's order is never ours.
INQUIRY_ASKS = _phrases("inquiry_asks")
INQUIRY_BOUGHT = _phrases("inquiry_bought")
INQUIRY_THING = _words("inquiry_thing")
INQUIRY_SHOP = _words("inquiry_shop")
INQUIRY_WHERE = _words("inquiry_where")
INQUIRY_OPENER = _words("inquiry_opener")
INQUIRY_STATE = _words("inquiry_state")
INQUIRY_WHAT = _words("inquiry_what")
INQUIRY_ORDERED = _words("inquiry_ordered")
INQUIRY_WAS = _words("inquiry_was")
INQUIRY_PREVIOUS = _words("inquiry_previous")
INQUIRY = frozenset().union(
    *(INQUIRY_THING, INQUIRY_SHOP, INQUIRY_WHERE, INQUIRY_OPENER, INQUIRY_STATE, INQUIRY_WHAT, INQUIRY_ORDERED),
    *(INQUIRY_WAS, INQUIRY_PREVIOUS, _words("inquiry_around"), (word for phrase in INQUIRY_ASKS for word in phrase)),
)

LONGEST_PHRASE = 7  # words; held by a test

# Numbers and units; what they are worth stands in sections of their own, see ``numbers`` and ``units``.
ARTICLES = _words("articles")
NUMBER_JOINS = _words("number_joins")
NUMBER_POINTS = _words("number_points")
NUMBER_DIVIDERS = _words("number_dividers")  # between two numbers; "one over three" is not three of anything
SMALL_PARTS = _words("small_parts")  # of one; nothing is sold by them
NUMBER_BEFORE_UNIT = _words("number_before_unit")  # a number only there; "saath" is as well "with"
NUMBER_OR_VERB = _words("number_or_verb")  # "do" is two, and is give
NOT_COUNTED = FUNCTION | HEADS | ARTICLES | {said[0] for said in ADD | REMOVE | CHANGE}  # none of these begins a product
APPROXIMATING = _words("approximating")  # behind a number they make it a rough one
UNIT_OF = _words("unit_of")
SIZE_OF = _words("size_of")
UNIT_ALONE = _words("unit_alone")  # said without a number, they mean one
UNIT_OR_PRODUCT = _words("unit_or_product")  # "pav" is a quarter, and is a bun
OTHER_UNITS = _words("other_units")  # known as units, and not sold by
ORDINAL_ENDINGS = _words("ordinal_endings")

# Who speaks what. A language in another script is a file of its own, named after the language: hi_latn is Hindi.
_SPEAKERS = [(stem.partition("_")[0], file) for stem, file in _FILES.items() if "speaker" in file]


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
    shared = {(word,) for word in FUNCTION | NUMBER_OR_VERB | NUMBER_BEFORE_UNIT | UNIT_OR_PRODUCT}
    return {
        lang: own - shared - frozenset().union(*(its for other, its in found.items() if other != lang))
        for lang, own in found.items()
    }


NUMBER_SECTIONS = ("numbers", "tens", "scales", "fractions", "shifts")
OWN = _of_speakers("own")
OWN_NUMBERS = _own_numbers()
OWN_PAIRS = _of_speakers("pairs", parted="|")
SCRIPTS: Mapping[str, str] = {
    lang: file["speaker"]["script"].upper() for lang, file in _SPEAKERS if "script" in file["speaker"]
}

"""Nothing but the published phrases is ever read as the consent that spends, whatever stands around or in them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import consent, text
from interactions.consent import Verdict
from swiggy_instamart import hearing, money_phrase, words
from swiggy_instamart.readings import Said, Waiting
from tests.support.ordering import Order

NAMES = ("Hermes",)
ROWS = [row for rows in money_phrase.GROUPS.values() for row in rows]
PLACED = "**placed**"


def confirms(said: str, waiting: Waiting = Waiting.REVIEW) -> bool:
    return hearing.read(said, names=NAMES, waiting=waiting).said is Said.CONFIRM


def published(said: str) -> bool:
    """What the page allows, spelt out again: the phrase, punctuation and spaces, and "[hey] name" in front."""
    left = unicodedata.normalize("NFC", said.strip()).lower()
    kinds = {unicodedata.category(char) for char in left}
    if any(kind[0] not in "LMPZ" or kind in ("Pc", "Zl", "Zp") for kind in kinds) or set(left) & text.STANDING_FOR_WORDS:
        return False
    kept = " ".join("".join(char if unicodedata.category(char)[0] in "LM" else " " for char in left).split())
    return any(
        kept == front + phrase for front in ("", "hermes ", "hey hermes ") for phrase in map(_nfc, words.CONFIRM_PHRASES)
    )


def _nfc(phrase: str) -> str:
    return unicodedata.normalize("NFC", phrase)


@pytest.mark.promise("P132", "P133")
@pytest.mark.parametrize("said", ROWS)
def test_each_row_of_the_page_holds_with_and_without_a_name_and_in_every_phase(said: str) -> None:
    for spoken in (said, f"Hermes, {said}", f"hey Hermes {said}"):
        allowed = published(spoken)
        assert (money_phrase.outcome(spoken) == PLACED) is allowed
        assert all(confirms(spoken, waiting) is allowed for waiting in Waiting)


@pytest.mark.promise("P132")
def test_the_page_has_rows_of_every_outcome() -> None:
    outcomes = {money_phrase.outcome(said) for said in ROWS}
    assert outcomes == {PLACED, "told how", "no", "stop", "an edit", "refused"}


@pytest.mark.promise("P201", "P202", "P253", "P261")
def test_the_page_names_every_ground_of_consent() -> None:
    assert set(money_phrase.GROUNDS) == set(Verdict) - {Verdict.OK, Verdict.NOT_THE_PHRASE}
    assert consent.LEAST_CONFIDENCE == 0.6
    assert "10 s" in money_phrase.GROUNDS[Verdict.OLD]
    assert "600 ms" in money_phrase.GROUNDS[Verdict.TOO_EARLY]


# ---- laws ---------------------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *(
            "confirm",
            "order",
            "कन्फर्म",
            "ऑर्डर",
            "Hermes",
            "hey",
            "yes",
            "please",
            "the",
            "my",
            "not",
            "don't",
            "and",
            "milk",
            "करो",
        ),
        *(
            " ",
            "  ",
            ",",
            ".",
            "!",
            "-",
            "'",
            "“",
            "\n",
            "\t",
            "\u200b",
            "\u200d",
            "\u00ad",
            "\u0301",
            "\u202e",
            "&",
            "/",
            "_",
            "1",
            "👍",
        ),
        *("о", "ο", "ｃｏｎｆｉｒｍ", "ﬁ", "İ", "ı", "CONFIRM", "ORDER", "\u00a0", "\u3000", "।", "\ufeff", "\u2028"),
    ]
)


@pytest.mark.promise("P132", "P133")
@given(st.lists(PIECES, max_size=8), st.sampled_from(list(Waiting)))
def test_pieces_of_the_phrase_in_any_order_confirm_only_as_the_page_says(pieces: list[str], waiting: Waiting) -> None:
    said = "".join(pieces)
    assert confirms(said, waiting) is published(said)
    assert confirms(" ".join(pieces), waiting) is published(" ".join(pieces))


@pytest.mark.promise("P132")
@given(st.text(max_size=10), st.sampled_from(words.CONFIRM_PHRASES), st.text(max_size=10))
def test_whatever_stands_around_the_phrase_makes_it_another_text(before: str, phrase: str, after: str) -> None:
    said = before + phrase + after
    assert confirms(said) is published(said)


@pytest.mark.promise("P132")
@given(st.sampled_from(words.CONFIRM_PHRASES), st.integers(0, 20), st.characters(codec="utf-8"))
def test_no_other_character_may_stand_in_the_place_of_a_letter(phrase: str, at: int, char: str) -> None:
    said = phrase[:at] + char + phrase[at + 1 :]
    assert confirms(said) is published(said)


@pytest.mark.promise("P132", "P210")
@pytest.mark.parametrize("around", ["{}", "haan {}", "हाँ, {}", "{} please", "Hermes, abhi {}"])
@pytest.mark.parametrize(
    "said",
    [
        *("order kar do", "order karo", "order kardo", "order de do", "order laga dijiye", "book kar do", "pakka kar do"),
        *("order place karo", "kharid lo", "checkout karo", "ऑर्डर कर दो", "ऑर्डर कीजिए", "ऑर्डर बुक कर दो", "पक्का करो"),
        *("खरीद लो", "place the order", "buy it"),
    ],
)
def test_what_asks_for_the_order_in_other_words_is_told_which_words_place_it(said: str, around: str) -> None:
    order = Order().to_review()
    order.say(around.format(said))
    assert order.words == order.sentence("how_to_confirm")
    assert (order.phase, order.pending) == ("awaiting_confirmation", None)


@pytest.mark.promise("P132")
@pytest.mark.parametrize(
    "said", ["order mat karo", "ऑर्डर मत करो", "order nahi karna", "don't place the order", "kya order kar du"]
)
def test_what_denies_or_asks_about_the_order_is_no_near_miss(said: str) -> None:
    assert hearing.read(said, names=NAMES, waiting=Waiting.REVIEW).said in (Said.NO, Said.NOTHING)


@pytest.mark.promise("P115")
@pytest.mark.parametrize("said", ["mangwa do", "le lo", "order de do", "ऑर्डर भेज दो", "khareed lo", "मंगवा दो", "bhijwa dijiye"])
def test_a_verb_without_a_thing_is_no_wish(said: str) -> None:
    assert hearing.read(said, names=NAMES).said is not Said.WANTED

"""Which language is spoken: by small words, verbs and numbers, in either script; names and loan words tell nothing."""

from __future__ import annotations

import pytest

from swiggy_instamart import tongues


@pytest.mark.parametrize(
    ("said", "lang"),
    [
        ("do packet doodh aur ek bread", "hi"),
        ("teen packet milk", "hi"),
        ("doodh add karo", "hi"),
        ("haan", "hi"),
        ("nahi", "hi"),
        ("doosra wala", "hi"),
        ("aadha kilo aloo", "hi"),
        ("do kilo aloo", "hi"),
        ("हाँ", "hi"),
        ("रुको", "hi"),
        ("अमूल दूध", "hi"),
        ("दो पैकेट दूध और एक ब्रेड", "hi"),
        ("add two milk", "en"),
        ("what is in my cart", "en"),
        ("half a kilo onions", "en"),
        ("no, the other one", "en"),
        # Mixed: by the small words, the verbs and the numbers.
        ("mujhe two milk chahiye", "hi"),
        ("मुझे two milk चाहिए", "hi"),
        ("I want two packets of doodh", "en"),
        # What is put before a sentence of any language does not decide it.
        ("haan, add two milk", "en"),
        ("accha, remove the bread", "en"),
        ("one packet atta aur milk", "en"),
        ("bhai two maggi", "en"),
        ("haan, add milk", None),
        ("please add dahi bhi", None),
        ("nahi, remove bread", None),
        ("haan doodh", "hi"),
        ("ek milk add karo", "hi"),
        # Said by anybody.
        ("doodh", None),
        ("milk", None),
        ("दूध", None),
        ("amul gold", None),
        ("yes", None),
        ("ok", None),
        ("cancel order", None),
        ("confirm order", None),
        ("two", None),
        ("ek", None),
        ("", None),
        ("...", None),
    ],
)
def test_the_language_is_told_by_its_own_words(said: str, lang: str | None) -> None:
    assert tongues.language(said) == lang


def test_no_word_is_two_languages_own() -> None:
    own, numbers = list(tongues.OWN.values()), list(tongues.OWN_NUMBERS.values())
    assert not (own[0] | numbers[0]) & (own[1] | numbers[1])
    assert all(own)

"""The languages that are spoken: each says everything, with the same facts in it, and offers answers that are understood."""

from __future__ import annotations

from string import Formatter
from types import ModuleType

import pytest

from interactions import languages, sentences
from swiggy_instamart import hearing, replies, wording
from swiggy_instamart.readings import Said, Waiting

PACKAGES = (languages, replies)
SPOKEN = {name: sentences.modules(package)[name].MESSAGES for package in PACKAGES for name in sentences.modules(package)}


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.promise("P245")
@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_language_says_everything_with_the_same_facts_in_it(package: ModuleType) -> None:
    found = sentences.modules(package)
    english = found["en"].MESSAGES
    assert len(found) > 1
    for lang, module in found.items():
        assert module.MESSAGES.keys() == english.keys(), f"{package.__name__}.{lang}: {module.MESSAGES.keys() ^ english.keys()}"
        for name, sentence in module.MESSAGES.items():
            assert places(sentence) == places(english[name]), f"{package.__name__}.{lang}: {name}"


ANSWERS: dict[str, tuple[Said, Waiting]] = {
    "yes": (Said.YES, Waiting.ADDRESS_YES),
    "no": (Said.NO, Waiting.ADDRESS_YES),
    "stop": (Said.STOP, Waiting.NOTHING),
    "help": (Said.HELP, Waiting.NOTHING),
    "repeat": (Said.REPEAT, Waiting.REVIEW),
    "skip": (Said.SKIP, Waiting.PICK),
    "option": (Said.SELECT, Waiting.PICK),
    "keep_cart": (Said.KEEP, Waiting.CART_DECISION),
    "clear_cart": (Said.CLEAR, Waiting.CART_DECISION),
    "show_cart": (Said.SHOW_CART, Waiting.NOTHING),
    "complete_order": (Said.COMPLETE, Waiting.NOTHING),
    "confirm_order": (Said.CONFIRM, Waiting.REVIEW),
    "cancel_order": (Said.CANCEL, Waiting.NOTHING),
    "change_address": (Said.CHANGE_ADDRESS, Waiting.ADDRESS_YES),
    "resend": (Said.RESEND, Waiting.NOTHING),
    "take_over": (Said.TAKE_OVER, Waiting.NOTHING),
}


@pytest.mark.promise("P213")
@pytest.mark.parametrize("lang", wording.LANGUAGES)
def test_every_answer_that_is_offered_is_understood(lang: str) -> None:
    say = wording.of(lang)
    offered = {name.removeprefix("answer.") for name in say.messages if name.startswith("answer.")}
    assert offered == ANSWERS.keys()
    for name, (meant, waiting) in ANSWERS.items():
        answer = say(f"answer.{name}", number=2)
        reading = hearing.read(answer, waiting=waiting)
        assert reading.said is meant, f"{lang}: {answer!r} is read as {reading.said}"
        assert name != "option" or reading.number == 2

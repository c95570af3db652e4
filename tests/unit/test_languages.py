"""The languages that are spoken: each says everything, with the same facts in it, and offers answers that are understood."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from pkgutil import walk_packages
from string import Formatter
from types import ModuleType

import pytest

from interactions import languages, saying, sentences
from swiggy_instamart import hearing, replies, wording
from swiggy_instamart.readings import Said, Waiting
from swiggy_instamart.words import BEGIN_PRACTICE

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


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_no_sentence_takes_the_name_of_one_in_another_room(package: ModuleType) -> None:
    for lang, module in sentences.modules(package).items():
        rooms = [import_module(found.name) for found in walk_packages(getattr(module, "__path__", ()), f"{module.__name__}.")]
        names = Counter(name for room in rooms for name in room.MESSAGES)
        assert [name for name, times in names.items() if times > 1] == [], lang


QUOTED = re.compile("“([^”{]+)”")
OPENING = ("ऑर्डर स्विगी", *BEGIN_PRACTICE)  # the first as config/plugins.yml adds it to the phrases of the mode

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


@pytest.mark.promise("P209")
@pytest.mark.parametrize("lang", [lang for lang in wording.LANGUAGES if lang != "en"])
def test_whatever_a_sentence_tells_to_say_is_understood(lang: str) -> None:
    """Words to say stand in quotes in every language but English, whose sentences are older than this."""
    say = wording.of(lang)
    told = {words: name for name, said in say.messages.items() for words in QUOTED.findall(said)}
    assert len(told) > 10
    for words, name in told.items():
        if words in OPENING:
            continue
        read = {hearing.read(words, waiting=waiting).said for waiting in Waiting}
        assert read - {Said.NOTHING, Said.WANTED}, f"{lang}: {name} tells to say {words!r}"


@pytest.mark.parametrize(("lang", "spoken"), [("hi", "hi"), ("hi-IN", "hi"), ("en_IN", "en"), ("xx", "en"), ("", "en")])
def test_the_host_speaks_the_nearest_language_it_has(lang: str, spoken: str) -> None:
    reply = saying.tell(lang, "broken")
    assert (reply.lang, reply.text) == (spoken, saying.of(spoken)("broken"))
    assert saying.ask(lang, "sorry").expects_reply

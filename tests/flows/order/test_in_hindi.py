"""An order held in Hindi, over the wire: every reply is in Hindi, its speech can be spoken, and what comes later is too."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interactions.models import Person
from swiggy_instamart import wording
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import Ledger, Money, Speaker

HI = wording.of("hi")
DEVANAGARI = re.compile(r"[\u0900-\u097f]")


def replies(speaker: Speaker) -> list[dict[str, Any]]:
    return speaker.of_kind("interaction.reply")


@pytest.mark.promise("P245")
@pytest.mark.parametrize(
    ("wish", "cart", "complete"),
    [("do toned milk", "cart dikhao", "order poora karo"), ("दो toned milk", "कार्ट दिखाओ", "ऑर्डर पूरा करो")],
)
def test_an_order_is_held_in_hindi_from_the_first_word_to_the_payment(
    asha_speaks: Speaker, ledger: Ledger, sandbox: SandboxProcess, wish: str, cart: str, complete: str
) -> None:
    asha_speaks.say("order swiggy")
    asha_speaks.say("haan ji")
    assert asha_speaks.question["lang"] == "hi"
    assert asha_speaks.question["text"] == HI("items")
    asha_speaks.say(wish)
    assert asha_speaks.choices[0] == "ऑप्शन 1"
    said = asha_speaks.say("ऑप्शन 1")
    assert said.startswith("कार्ट में है: 2 x ")
    asha_speaks.say(cart)
    said = asha_speaks.say(complete)
    assert "“कन्फर्म ऑर्डर” कहिए" in said
    assert "कन्फर्म ऑर्डर" in asha_speaks.choices
    assert re.search(r"एक सौ \S+ रुपये|\S+ रुपये", asha_speaks.question["speech"])
    assert asha_speaks.say("कन्फर्म ऑर्डर").startswith(HI("checking_out"))
    assert ledger.money == Money(checkouts=1, orders=1, confirms=0)
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment().startswith("Instamart ऑर्डर हो गया।")
    spoken = replies(asha_speaks)[1:]  # before the first answer nobody had said a word of Hindi
    assert {reply["lang"] for reply in spoken} == {"hi"}
    for reply in spoken:
        assert DEVANAGARI.search(reply["speech"])
        assert not re.search(r"\d|₹", reply["speech"]), reply["speech"]


@pytest.mark.promise("P245")
def test_a_name_does_not_change_the_language_and_a_sentence_does(asha_speaks: Speaker) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("doodh")
    assert asha_speaks.question["lang"] == "en"
    asha_speaks.say("mujhe ek packet doodh chahiye")
    assert asha_speaks.question["lang"] == "hi"
    asha_speaks.say("milk")
    asha_speaks.say("yes")
    assert asha_speaks.question["lang"] == "hi"
    asha_speaks.say("what is in my cart")
    assert asha_speaks.question["lang"] == "en"


@pytest.mark.promise("P245")
def test_a_session_begins_in_the_language_of_its_person(asha_speaks: Speaker) -> None:
    asha_speaks.say("hello")  # the person is known from their first word on
    assert Person.objects.update(lang="hi") == 1
    assert asha_speaks.say("order swiggy") == HI("propose", label="Home")
    assert asha_speaks.say("office", age_ms=120_000) != ""
    assert asha_speaks.events[-1]["lang"] == "hi"


@pytest.mark.promise("P245", "P141")
def test_what_comes_after_the_session_is_told_in_its_language(asha_speaks: Speaker, sandbox: SandboxProcess) -> None:
    asha_speaks.to_payment()
    asha_speaks.say("रुको")
    assert asha_speaks.ended
    sandbox.payment("success")
    assert asha_speaks.wait_for_payment().startswith("Instamart ऑर्डर हो गया।")
    assert asha_speaks.events[-1]["lang"] == "hi"

"""Yes and no in all their forms, what leaves the matter open, and what only comes near the phrase that spends."""

from __future__ import annotations

from collections import Counter

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.readings import Reading, Said, Waiting
from tests.support import field_data
from tests.support.ordering import Order, cart, line

YES_NO = [Waiting.REVIEW, Waiting.ADDRESS_YES]
LEAST_RIGHT = 0.85


def read(said: str, waiting: Waiting = Waiting.REVIEW) -> Said:
    return hearing.read(said, names=("Hermes",), waiting=waiting).said


# ---- the sense of an answer ---------------------------------------------------------------------------------------------


@pytest.mark.promise("P102")
@pytest.mark.parametrize("waiting", YES_NO)
@pytest.mark.parametrize(
    "said",
    [
        *("that is right", "yes that is absolutely right", "I think that's correct", "the answer is yes", "you are right"),
        *("what you just said is true", "yes you got it", "that would be great", "sure, no problem", "Yes, that's brilliant."),
        *("haan bilkul", "haan ji bilkul sahi hai", "sahi hai", "haan kar do", "theek hai chalega", "zaroor", "Hermes, haan"),
        *("haan na", "koi problem nahi", "कोई दिक्कत नहीं", "achha theek hai", "अच्छा ठीक है"),
        *("हाँ बिल्कुल", "जी सही है", "हाँ कर दो", "ठीक है", "बिल्कुल सही", "हां जी यही सही है"),
    ],
)
def test_agreeing_in_other_words_is_a_yes(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) is Said.YES


@pytest.mark.promise("P102")
@pytest.mark.parametrize("waiting", YES_NO)
@pytest.mark.parametrize(
    "said",
    [
        *("that is not right", "that's completely wrong", "the answer is no", "I would rather not", "it seems not"),
        *("that isn't the right answer", "that's not what I want", "no that is right", "I said NO not yes!", "never ever no"),
        *(
            "ji nahi",
            "bilkul nahi",
            "haan nahi",
            "theek nahi hai",
            "yeh sahi nahi hai",
            "galat hai",
            "nahi chahiye",
            "mat karo",
        ),
        *("जी नहीं", "हाँ नहीं रुको", "ठीक नहीं है", "नहीं भाई"),
        *("haan bilkul nahi", "ग़लत है", "बिल्कुल नहीं"),
    ],
)
def test_a_denial_wins_wherever_the_language_puts_it(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) is Said.NO


@pytest.mark.promise("P102")
@pytest.mark.case("A19")
@pytest.mark.parametrize("waiting", YES_NO)
@pytest.mark.parametrize(
    "said",
    [
        *("mhm", "uh-huh", "hmm", "I don't know", "not sure", "I'm not quite sure", "no idea", "I think so", "maybe yes"),
        *("is that right", "are you sure", "what is right", "kya yeh sahi hai", "सही है क्या", "mujhe nahi pata", "shayad"),
        *("not bad", "kuch galat nahi hai", "koi baat nahi", "कोई बात नहीं", "theek hai na", "haan ya na", "yes or no"),
        *("that is not wrong", "galat nahi hai", "yes... I said no onions", "yes that is not right", "haan theek nahi hai"),
        *(
            "if it is right",
            "right on the table",
            "can't say",
            "really great!",
            "your answer was good",
            "right after lunch",
            "sure if it is cheap",
            "yes when he comes",
        ),
    ],
)
def test_what_leaves_it_open_is_neither(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) is Said.NOTHING


@pytest.mark.case("C09")
@pytest.mark.parametrize("waiting", YES_NO)
@pytest.mark.parametrize(
    "said", ["did you lock the front door", "call mummy", "what a nice day", "the weather is fine today", "gaana bajao"]
)
def test_talk_of_other_things_is_neither(said: str, waiting: Waiting) -> None:
    assert read(said, waiting) is Said.NOTHING


@pytest.mark.promise("P112")
@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("doosra wala", 2),
        ("pehla wala do", 1),
        ("teesra wala chahiye", 3),
        ("दूसरा वाला", 2),
        ("पहला वाला दे दो", 1),
        ("option do", 2),
        ("number teen", 3),
        ("विकल्प दो", 2),
        ("the third one please", 3),
    ],
)
def test_an_ordinal_selects_in_every_language(said: str, number: int) -> None:
    assert hearing.read(said, waiting=Waiting.PICK) == Reading(Said.SELECT, number=number)


# ---- public answers -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P102")
def test_public_answers_are_never_read_as_their_opposite_and_mostly_right__B01_B04_B07() -> None:
    answers = [(said, "yes" if value else "no") for said, value in field_data.booleans() if any(map(str.isalpha, said))]
    clinc = field_data.rows("clinc-dialog-acts.jsonl")
    answers += [(row["text"], row["label"]) for row in clinc if row["label"] in ("yes", "no")]
    plain = {"affirm": "yes", "deny": "no"}
    rows = field_data.rows("nlupp-hotels.jsonl")
    answers += [
        (row["text"], plain[row["intents"][0]]) for row in rows if len(row["intents"]) == 1 and row["intents"][0] in plain
    ]
    found = Counter[str]()
    for said, meant in answers:
        heard = read(said)
        opposite = Said.NO if meant == "yes" else Said.YES
        assert heard is not opposite, said
        found["right" if heard.value == meant else "asked"] += 1
    assert found["right"] >= LEAST_RIGHT * len(answers), found


def test_public_doubts_and_thanks_are_no_answers__B04() -> None:
    for row in field_data.rows("clinc-dialog-acts.jsonl"):
        if row["label"] == "maybe":
            assert read(row["text"]) is not Said.YES, row
        if row["label"] in ("goodbye", "oos", "change_volume", "order_status", "what_can_i_ask_you"):
            assert read(row["text"]) not in (Said.YES, Said.ALMOST), row


# ---- near the phrase that spends ----------------------------------------------------------------------------------------


@pytest.mark.promise("P132", "P133")
@pytest.mark.parametrize(
    "said",
    [
        *(
            "confirm my order",
            "conform order",
            "confirm the order please",
            "order confirm",
            "yes confirm order",
            "um confirm order",
        ),
        *("confirm order. Thank you.", "confirmed", "confirm", "confirm it", "comfirm order", "confirm order confirm order"),
        *("Hermes Hermes confirm order", "please confirm order now", "confirm orders", "I want to confirm the order"),
        *("ऑर्डर कन्फर्म", "ऑर्डर कन्फर्म करो", "कन्फर्म ऑर्डर कर दो", "हाँ कन्फर्म ऑर्डर", "मेरा ऑर्डर कन्फर्म कर दीजिए"),
        *("order confirm karo", "haan order confirm kar do", "confirm\norder", "ｃｏｎｆｉｒｍ ｏｒｄｅｒ", "confirm ऑर्डर"),
    ],
)
def test_a_near_miss_is_known_as_one(said: str) -> None:
    assert read(said) is Said.ALMOST


@pytest.mark.promise("P133")
@pytest.mark.parametrize(
    "said",
    [
        *(
            "don't confirm order",
            "do not confirm the order",
            "should I confirm order",
            "can I confirm the order",
            "confirm order no wait",
        ),
        *("he said confirm order", "add confirm order biscuits", "complete order confirm order", "confirm order and add milk"),
        *(
            "cancel order",
            "order mat confirm karo",
            "ऑर्डर कन्फर्म मत करो",
            "kya order confirm hai",
            "complete order",
            "order milk",
        ),
    ],
)
def test_a_denial_a_question_or_more_words_are_no_near_miss(said: str) -> None:
    assert read(said) not in (Said.ALMOST, Said.CONFIRM, Said.YES)


@pytest.mark.promise("P132", "P133")
@pytest.mark.parametrize("said", ["confirm my order", "conform order", "ऑर्डर कन्फर्म", "order confirm", "confirm order please"])
def test_a_near_miss_at_the_review_is_told_how_and_spends_nothing(said: str) -> None:
    order = Order().to_review()
    order.say(said)
    assert (order.phase, order.calls[-1]) == ("awaiting_confirmation", "review")
    assert order.sentence("answer.confirm_order") in order.words
    order.say("confirm order")
    order.settle({"cart": cart(line("milk-1", 2))})
    assert order.phase == "checkout_in_progress"


@pytest.mark.promise("P101", "P102")
@pytest.mark.parametrize("said", ["confirm order", "confirm the order please", "ऑर्डर कन्फर्म"])
def test_before_there_is_a_review_neither_answers_another_question(said: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert (order.phase, order.last.effect) == ("confirm_address", None)
    order = Order().to_shopping()
    order.say(said)
    assert (order.phase, order.last.effect, order.last.said) == ("shopping", None, "no review")


# ---- an answer to nothing -----------------------------------------------------------------------------------------------


@pytest.mark.case("C13")
@pytest.mark.parametrize("said", ["yes", "haan", "sahi hai", "हाँ"])
def test_a_yes_among_several_options_chooses_none_and_asks_again(said: str) -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    asked = [choice.say for choice in order.last.say[-1].choices]
    order.say(said)
    assert order.last.effect is None
    assert order.last.say[-1].key == "offer"
    assert len(order.last.say[-1].choices) == len(asked)


@pytest.mark.case("C13")
@pytest.mark.parametrize("said", ["yes", "haan", "no", "नहीं", "that is right"])
def test_a_yes_or_a_no_right_after_the_opening_does_nothing(said: str) -> None:
    order = Order().to_shopping()
    order.say(said)
    assert (order.phase, order.last.effect) == ("shopping", None)
    assert order.last.say[-1].expects_reply


@pytest.mark.parametrize("said", ["haan daal do", "haan de do", "theek hai daal do", "हाँ डाल दो"])
def test_a_yes_with_only_a_verb_of_adding_is_a_yes(said: str) -> None:
    assert read(said, Waiting.PICK) is Said.YES
    assert read(f"nahi {said.split(maxsplit=1)[1]}", Waiting.PICK) is not Said.YES


@pytest.mark.parametrize("said", ["ek aur daal do", "एक और डाल दो", "do do aur"])
def test_one_more_of_nothing_names_nothing(said: str) -> None:
    assert hearing.read(said, waiting=Waiting.NOTHING) in (Reading(Said.NOTHING), Reading(Said.MORE, number=1))


@pytest.mark.parametrize(("said", "number"), [("do number", 2), ("teen number", 3), ("दो नंबर", 2)])
def test_a_number_may_stand_before_the_word_for_it(said: str, number: int) -> None:
    assert hearing.read(said, waiting=Waiting.PICK) == Reading(Said.SELECT, number=number)

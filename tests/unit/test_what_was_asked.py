"""What was asked last is what a yes, a no or a bare number answers; every question stays the one it is until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from interactions.contracts import Failed
from swiggy_instamart import words
from tests.support.ordering import Order, cart, line, variant


def elsewhere() -> Order:
    """The cart turned out to be for another address than the one that was agreed to."""
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("complete order")
    held = cart(line("milk-1", 2), address="a3")
    order.settle({"cart": held, "scan": True, "reachable": True, "maybe": [], "blocked": False})
    return order


# ---- a cart for another address -----------------------------------------------------------------------------------------


@pytest.mark.promise("P102", "P216")
def test_a_cart_for_another_address_is_asked_about_in_the_same_words_after_silence_and_on_request() -> None:
    order = elsewhere()
    question = order.words
    assert question.startswith("The cart is for another address than the one you confirmed.")
    assert order.last.say[-1].key == "lost"
    order.silence(1)
    assert order.words == question
    order.say("repeat")
    assert order.words == question
    order.say("was that the one from before then")
    assert order.words == f"I did not catch a yes or a no. {question}"
    order.say("yes")
    assert order.calls[-1] == "rebuild"


@pytest.mark.promise("P209")
def test_help_at_a_cart_for_another_address_says_what_a_yes_does_there() -> None:
    order = elsewhere()
    order.say("help")
    assert order.words.startswith("Say yes to put its items together for the address you confirmed")
    assert [choice.say for choice in order.last.say[-1].choices] == ["yes", "no", "clear cart", "change address"]


# ---- at another device --------------------------------------------------------------------------------------------------


def lost() -> Order:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    order.say("complete order")
    order.settle({"cart": cart(), "scan": True, "reachable": True, "maybe": [], "blocked": False})
    return order


def proposed() -> Order:
    order = Order().to_shopping()
    order.say("same as last time")
    order.settle({"lines": [line("milk-1", 2)]})
    return order


@pytest.mark.promise("P205", "P259")
@pytest.mark.parametrize(
    ("open_", "key"), [(lost, "lost"), (elsewhere, "lost"), (proposed, "as_before")], ids=["lost", "elsewhere", "proposed"]
)
def test_a_question_that_goes_on_at_another_device_is_answered_there(open_: Callable[[], Order], key: str) -> None:
    order = open_()
    question = order.words
    order.prompt = None  # nothing was asked at that device yet
    order.signal("moved")
    assert order.words.endswith(question)
    assert order.last.say[-1].key == key
    order.silence(1)
    assert order.words == question
    order.say("yes")
    assert order.calls[-1] == "rebuild"


# ---- remarks, and the question that was open before them ----------------------------------------------------------------


def one_offer() -> Order:
    order = Order().to_shopping(held=cart(line("butter", name="Butter")))
    order.say("bread")
    order.find()
    return order


def offers() -> Order:
    order = Order().to_shopping(held=cart(line("butter", name="Butter")))
    order.say("milk")
    order.find()
    return order


def counting() -> Order:
    return Order().to_shopping().add("milk", "option 1", now=cart(line("milk-1")))


def packs() -> Order:
    order = Order().to_shopping()
    order.say("half a kilo onions")
    order.find(onions=[variant("onions-1", "Onions", size="1 bunch")])
    order.say("option 1")
    return order


def taking_over() -> Order:
    order = Order()
    order.start()
    order.settle({"addresses": [], "elsewhere": {"session": 3, "place": "hall", "placing": False, "paying": False}})
    return order


QUESTIONS: dict[str, tuple[Callable[[], Order], list[str]]] = {
    "one offer": (one_offer, ["yes", "theek hai", "हाँ", "one", "chalega"]),
    "offers": (offers, ["two", "do", "chalega"]),
    "lost": (lost, ["yes", "haan ji", "sure"]),
    "elsewhere": (elsewhere, ["yes", "okay"]),
    "proposed": (proposed, ["yes", "ok"]),
    "counting": (counting, ["three", "teen", "only three", "three packets", "I want three", "teen chahiye"]),
    "packs": (packs, ["three", "तीन"]),
    "address": (lambda: Order().to_address(), ["yes", "theek hai"]),
    "taking over": (taking_over, ["yes", "haan"]),
}
SHOPPING = [name for name in QUESTIONS if name not in ("address", "taking over")]


def still_there(order: Order) -> None:
    order.silence(2)


def looked_in(order: Order) -> None:
    order.say("did you lock the front door")


def listening_quietly(order: Order) -> None:
    for _ in range(3):
        order.say("was that the one from before then")


def no_review(order: Order) -> None:
    order.say("confirm order")


def coupons(order: Order) -> None:
    order.say("any coupons")
    order.settle({"tools": []})


def too_many(order: Order) -> None:
    order.say("milk, bread, eggs, butter, curd and rice")


def still_working(order: Order) -> None:
    order.standing = replace(order.standing, working="search")
    order.say("help")
    order.standing = replace(order.standing, working="")


def told_of_an_order(order: Order) -> None:
    order.signal("settled", utterance=1, placed=False)


def told_of_a_payment(order: Order) -> None:
    order.signal("payment", utterance=1, result="paid", total_paise=9900, late=True)


def searched(order: Order) -> None:
    order.signal("searched", read=True)


def repeated(order: Order) -> None:
    order.silence(2)
    order.told = order.told and replace(order.told, said="still there")  # so that this is what comes again
    order.say("repeat")


def shown(order: Order) -> None:
    order.say("show cart")
    order.settle({"cart": order.standing.state["cart"]})


def not_shown(order: Order) -> None:
    order.say("show cart")
    order.settle(Failed("timeout"))


def unfit(order: Order) -> None:
    order.say("make the bread 25")


REMARKS: dict[str, tuple[Callable[[Order], None], list[str]]] = {
    "are you still there": (still_there, [*SHOPPING, "address"]),
    "still ordering": (looked_in, [*SHOPPING, "address"]),
    "I am listening": (listening_quietly, [*SHOPPING, "address"]),
    "nothing to confirm": (no_review, SHOPPING),
    "coupons": (coupons, SHOPPING),
    "too many items": (too_many, ["lost", "elsewhere", "proposed", "counting"]),
    "still working on it": (still_working, list(QUESTIONS)),
    "an order was settled": (told_of_an_order, [*SHOPPING, "address"]),
    "a payment went through": (told_of_a_payment, [*SHOPPING, "address"]),
    "orders were looked through": (searched, [*SHOPPING, "address"]),
    "said again": (repeated, [*SHOPPING, "address"]),
    "the cart": (shown, ["one offer", "offers", "counting", "packs"]),
    "the cart could not be read": (not_shown, ["one offer", "offers", "counting", "packs"]),
    "how many": (unfit, ["one offer", "offers", "counting", "packs"]),
}
PAIRS = [(remark, name, said) for remark, (_, names) in REMARKS.items() for name in names for said in QUESTIONS[name][1]]


def open_in(order: Order) -> object:
    names = ("offers", "lost", "proposed", "count_for", "address", "other")
    return order.phase, [order.standing.state.get(name) for name in names]


@pytest.mark.promise("P102", "P112", "P253")
@pytest.mark.parametrize(("remark", "question", "said"), PAIRS)
def test_what_is_said_to_a_remark_is_no_answer_to_the_question_before_it_which_is_asked_again(
    remark: str, question: str, said: str
) -> None:
    order = QUESTIONS[question][0]()
    was = open_in(order)
    REMARKS[remark][0](order)
    assert open_in(order) == was
    assert order.prompt is not None
    assert order.prompt.key == "remark"
    calls = order.calls
    order.say(said)
    assert (order.calls, open_in(order), order.last.take_over) == (calls, was, None)
    assert order.last.say[-1].key not in (None, "remark")
    order.say(said)
    assert order.calls != calls or order.last.take_over


@pytest.mark.promise("P253")
@pytest.mark.parametrize("remark", REMARKS)
def test_a_no_to_a_remark_takes_nothing_and_changes_no_cart(remark: str) -> None:
    act, names = REMARKS[remark]
    for name in names:
        order = QUESTIONS[name][0]()
        act(order)
        calls = order.calls
        order.say("no")
        assert (order.calls, order.last.take_over) == (calls, None), name


@pytest.mark.promise("P253")
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("again", ["silence", "repeat", "help", "hmm", "was that the one from before then", "twice missed"])
def test_what_asks_the_question_again_is_answered_at_once(question: str, again: str) -> None:
    build, answers = QUESTIONS[question]
    order = build()
    if again == "silence":
        order.silence(1)
    elif again == "twice missed":
        order.say("was that the one from before then")
        if question != "taking over":
            order.say("was that the one from before then")
    else:
        order.say(again)
    calls = order.calls
    order.say(answers[0])
    assert order.calls != calls or order.last.take_over


@pytest.mark.promise("P253", "P273")
@pytest.mark.parametrize("question", [*SHOPPING, "address"])
@pytest.mark.parametrize("between", ["where is my order", "what did I order", "take it over", "order swiggy"])
def test_an_answer_given_in_between_ends_with_the_question_which_is_answered_at_once(question: str, between: str) -> None:
    build, answers = QUESTIONS[question]
    order = build()
    asked = open_in(order)
    order.say(between)
    if order.pending is not None:
        order.settle({"orders": [], "unlisted": [], "maybe": []})
    assert open_in(order) == asked
    calls = order.calls
    order.say(answers[0])
    assert order.calls != calls


@pytest.mark.promise("P112")
@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("said", ["option 2", "the second one", "Nandini"])
def test_what_names_an_option_chooses_it_after_any_remark(remark: str, said: str) -> None:
    act, names = REMARKS[remark]
    if "offers" in names:
        order = offers()
        act(order)
        order.say(said)
        assert order.calls[-1] == "cart"
        assert order.phase == "cart_update_in_progress"


@pytest.mark.promise("P113")
def test_a_number_counts_what_how_many_was_asked_of() -> None:
    order = counting()
    order.say("25")
    assert order.words.endswith("How many?")
    order.say("three")
    assert order.pending is not None
    assert (order.pending.payload["edit"]["spin"], order.pending.payload["edit"]["quantity"]) == ("milk-1", 3)


@pytest.mark.promise("P113")
@pytest.mark.parametrize("said", ["make the bread 25", "change item 2 to 30"])
@pytest.mark.parametrize("answer", ["three", "make it three", "teen"])
def test_how_many_is_asked_of_the_line_that_was_named_and_not_of_the_last_one(said: str, answer: str) -> None:
    milk, bread = line("milk-1"), line("bread-1", name="Brown Bread")
    order = Order().to_shopping().add("milk", "option 1", now=cart(milk, bread))
    order.say(said)
    assert order.words.endswith("How many?")
    order.silence(1)
    assert order.words == "Say how many Brown Bread 500 ml you want in all, or what else you need."
    order.say(answer)
    order.settle({"cart": cart(milk, bread)})
    assert order.pending is not None
    assert [(row["spin"], row["quantity"]) for row in order.pending.payload["after"]] == [("milk-1", 1), ("bread-1", 3)]


@pytest.mark.promise("P113", "P115")
def test_a_count_for_words_that_fit_two_lines_or_none_counts_nothing() -> None:
    held = cart(line("milk-1", name="Amul Milk"), line("milk-2", name="Nandini Milk"))
    for said, answer in (("milk", "Say it with the whole name."), ("paneer", "I do not see that in the cart.")):
        order = Order().to_shopping(held=held)
        order.say(f"make the {said} 25")
        assert answer in order.words
        order.say("three")
        assert "write" not in order.calls


@pytest.mark.promise("P112")
def test_an_option_that_is_not_there_is_answered_with_those_that_are() -> None:
    order = offers()
    question = order.words
    order.say("option 9")
    assert order.words == f"There is no such option. {question}"
    order.say("two")
    assert order.phase == "cart_update_in_progress"


@pytest.mark.promise("P112")
@pytest.mark.parametrize("said", ["two", "chalega"])
def test_a_number_said_to_a_proposal_chooses_none_of_the_options_before_it(said: str) -> None:
    order = offers()
    order.say("same as last time")
    order.settle({"lines": [line("bread-1", name="Bread")]})
    question, calls = order.words, order.calls
    order.say(said)
    assert (order.words, order.calls) == (question, calls)
    order.say("yes")
    assert order.calls[-1] == "rebuild"


def test_the_yes_that_a_failed_call_asks_for_again_counts() -> None:
    order = Order().to_address()
    order.say("yes")
    order.settle(Failed("timeout"))
    assert order.words.endswith("Say it again to try once more.")
    order.say("yes")
    assert order.calls[-2:] == ["cart", "cart"]


# ---- the words that spend -----------------------------------------------------------------------------------------------


def every_key() -> set[str]:
    """Of everything that is said in all of these dialogues."""
    orders = []
    for _, (act, names) in REMARKS.items():
        for name in names:
            orders.append(QUESTIONS[name][0]())
            act(orders[-1])
    orders += [Order().to_payment(), Order().to_review()]
    return {reply.key for order in orders for step in order.steps for reply in step.say if reply.key}


@pytest.mark.promise("P253", "P261")
def test_the_phrase_counts_after_the_review_s_own_prompt_and_after_no_other() -> None:
    keys = every_key()
    assert {"remark", "offer", "lost", "as_before", "count", "packs", "address", "take_over", "payment", "review:1"} <= keys
    for phrase in words.CONFIRM_PHRASES:
        for key in sorted(keys | {"review:2", "review", ""}):
            order = Order().to_review()
            assert order.prompt is not None
            order.prompt = replace(order.prompt, key=key)
            order.say(phrase)
            assert (order.last.effect is not None) == (key == "review:1"), (key, phrase)


@pytest.mark.promise("P253", "P261")
@pytest.mark.parametrize(
    "remark", [name for name in REMARKS if name not in ("the cart could not be read", "how many", "too many items")]
)
def test_a_remark_at_the_review_leaves_the_read_back_the_prompt_or_ends_the_review(remark: str) -> None:
    order = Order().to_review()
    prompt = order.prompt
    if remark == "the cart":
        order.say("show cart")
    elif remark == "nothing to confirm":
        order.say("yes")
    else:
        REMARKS[remark][0](order)
    assert prompt is not None
    if order.phase == "awaiting_confirmation":
        assert order.prompt is not None
        assert order.prompt.key == prompt.key == "review:1"
    else:
        assert order.standing.state["review"] is None
        order.say("confirm order")
        assert "recheck" not in order.calls


@pytest.mark.promise("P202", "P253")
def test_outside_a_review_everything_that_is_spoken_has_a_key_and_none_has_a_review_s() -> None:
    for act, names in REMARKS.values():
        for name in names:
            order = QUESTIONS[name][0]()
            act(order)
            for reply in order.last.say:
                assert reply.key or not reply.speak
                assert not (reply.key or "").startswith("review")


# ---- what is asked of others meanwhile ----------------------------------------------------------------------------------


@pytest.mark.promise("P102")
@pytest.mark.parametrize("open_", [proposed, lost, elsewhere])
@pytest.mark.parametrize("call", ["tools", "understand"])
def test_a_question_outlives_what_somebody_else_is_asked_meanwhile(open_: Callable[[], Order], call: str) -> None:
    order = open_()
    was = open_in(order)
    order.mode._model = True
    order.say("any coupons" if call == "tools" else "was that the one from before then")
    assert order.calls[-1] == call
    assert open_in(order) == was
    order.settle(Failed("timeout"))
    if call == "tools":
        order.say("yes")
    order.say("yes")
    assert order.calls[-1] == "rebuild"

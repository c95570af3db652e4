"""Which question is open is one fact of the state: whatever is said opens a question, or leaves exactly that one standing."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactions import text
from interactions.contracts import REMARK, Choice, Failed, Outcome, Playback, Reply, Signal, Step, Unknown
from swiggy_instamart import machine, prompts, questions, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.readings import Said
from swiggy_instamart.turn import Turn
from tests.support.ordering import ADDRESSES, MILK, Order, cart, line, variant

MILK_2, BREAD = line("milk-1", 2, name="Amul Milk"), line("bread-1", name="Brown Bread")
CARTS = [cart(MILK_2), cart(), cart(MILK_2, BREAD), cart(MILK_2, address="a3")]
ELSEWHERE = {"session": 3, "place": "hall", "placing": False, "paying": False}
REVIEWED = {"scan": True, "reachable": True, "maybe": [], "blocked": False}
HURT: list[Outcome] = [Failed("timeout"), Failed("rate_limited")]
OUTCOMES: dict[str, list[Outcome | dict[str, Any]]] = {
    "addresses": [{"addresses": ADDRESSES, "elsewhere": None}, {"addresses": [], "elsewhere": ELSEWHERE}, *HURT],
    "cart": [*({"cart": one} for one in CARTS), *HURT],
    "recall": [{"lines": [MILK_2]}, {"lines": []}, *HURT],
    "rebuild": [
        {"lines": [MILK_2], "missing": [], "unchecked": []},
        {"lines": [], "missing": [MILK_2], "unchecked": []},
        *HURT,
    ],
    "tools": [{"tools": []}, {"tools": ["apply_coupon"]}, *HURT],
    "write": [
        *({"cart": one, "report": {}, "overtaken": False} for one in CARTS[:3]),
        {"cart": CARTS[2], "report": {}, "overtaken": True},
        Unknown("timeout"),
    ],
    "clear": [{"cart": cart()}, {"cart": CARTS[0]}, *HURT],
    "review": [*({"cart": one, **REVIEWED} for one in CARTS), {"cart": CARTS[0], **REVIEWED, "scan": False}, *HURT],
    "recheck": [{"cart": CARTS[2]}, {"cart": cart()}, *HURT],
    "orders": [{"orders": [], "unlisted": [], "maybe": []}, *HURT],
}
SHELVES: list[list[dict[str, Any]]] = [MILK, MILK[:1], [], [variant("onions-1", "Onions", size="1 bunch")]]
SAID = [
    *("yes", "no", "skip", "two", "option 1", "any", "the other one", "one thing", "haan", "nahi", "okay"),
    *("milk", "milk and bread", "add chips and dip", "half a kilo onions", "I need two litres", "one more", "make it three"),
    *("make the bread 25", "make the milk 25", "remove the milk", "replace two milk with bread", "remove five milk", "undo"),
    *("replace five milk with bread", "make it 30", "remove item 9", "milk, bread, eggs, butter, curd and rice"),
    *("keep cart", "clear cart", "show cart", "same as last time", "put it back", "change address", "office", "any coupons"),
    *("complete order", "confirm order", "confirm my order", "order swiggy", "take it over", "where is my order"),
    *("help", "repeat", "hmm", "was that the one from before then", "did you lock the front door"),
]
SIGNALS: list[tuple[str, dict[str, Any]]] = [
    ("moved", {}),
    ("recovered", {}),
    ("searched", {"read": True}),
    ("settled", {"utterance": 1, "placed": False}),
    ("payment", {"utterance": 1, "result": "paid", "total_paise": 9900, "late": True}),
]
ACTS = st.one_of(
    st.sampled_from(SAID), st.sampled_from(SAID), st.sampled_from(SAID), st.sampled_from([1, 2]), st.sampled_from(SIGNALS)
)
ANSWERS = ("yes", "two", "any")
# A look in on somebody who was talking about something else ends with the question, and asks another one all the same.
LOOKED_IN = "aside"


def turn(order: Order) -> Turn:
    return Turn(order.standing, order.now, order.mode.options, ("Hermes",))


def act(order: Order, what: Any, at: int) -> None:
    """One thing happens; where a call is waited for, that is its outcome."""
    if order.pending is not None and order.pending.name == "search":
        shelf = {item["query"]: SHELVES[(at + n) % len(SHELVES)] for n, item in enumerate(order.pending.payload["items"])}
        order.settle(HURT[0]) if at % 7 == 6 else order.find(**shelf)
    elif order.pending is not None:
        outcomes = OUTCOMES[order.pending.name]
        order.settle(outcomes[at % len(outcomes)])
    elif isinstance(what, int):
        order.silence(what)
    elif isinstance(what, tuple):
        order.event(Signal(order.now, what[0], what[1]))
    else:
        order.say(what)


def tried(order: Order, said: str) -> Order:
    """What would come of these words, with everything left as it is."""
    other = copy.copy(order)
    other.steps = [*order.steps]
    other.say(said)
    return other


def spends(reply: Reply) -> bool:
    return any(text.is_phrase(choice.say, words.CONFIRM_PHRASES, ("Hermes",)) for choice in reply.choices)


def holds(order: Order) -> None:
    """What must be true of the sentences of the last decision, whatever came before."""
    now, step = turn(order), order.last
    question = questions.open_question(now)
    review = now.review.key if now.phase is Phase.REVIEW and now.review else None
    for reply in step.say:
        assert not spends(reply) or (reply.key == review and reply.speak), "the words that spend stand beside their review"
        if now.phase is Phase.REVIEW:
            assert reply.key in (None, review)
        elif reply.speak and reply.kind == "interaction.reply":
            assert reply.key in (REMARK, question.key), f"{reply.text!r} asks {reply.key}, and {question.key} is open"
            asks = reply.text.rstrip().endswith("?")
            assert not asks or reply.key != REMARK or step.said == LOOKED_IN, f"{reply.text!r} asks what nobody waits for"
    if order.pending is None and now.phase in machine.BEFORE and (now.phase is not Phase.STARTING or now.other):
        _answered_by_the_open_question_alone(order, now)


def _answered_by_the_open_question_alone(order: Order, now: Turn) -> None:
    asked, last = questions.asked(now), order.prompt
    assert now.say(f"help.{asked}", label="it", example="it", numbers="1")
    for choice in questions.open_question(now).choices:
        if choice.say in ("yes", "no"):
            assert Said(choice.say) in prompts.TAKES[asked]
    if last is None or last.key != REMARK or now.phase is Phase.REVIEW:
        return
    for said in ANSWERS:
        after = tried(order, said)
        assert (after.last.effect, after.last.take_over) == (None, None), f"{said} to a remark"
        assert questions.asked(turn(after)) is asked
    order_on_silence = copy.copy(order)
    order_on_silence.steps = [*order.steps]
    order_on_silence.silence(1)
    assert order_on_silence.words == questions.short(now).text


@pytest.mark.promise("P102", "P253", "P261")
@given(st.lists(st.tuples(ACTS, st.integers(0, 20)), max_size=30), st.booleans())
def test_every_sentence_opens_a_question_or_leaves_the_open_one_standing(acts: list[tuple[Any, int]], shopping: bool) -> None:
    order = Order()
    if shopping:
        order.to_shopping(held=cart(MILK_2))
    else:
        order.start()
    for what, at in acts:
        before = turn(order)
        act(order, what, at)
        if order.last.end is not None or order.phase in machine.AFTER:
            break
        holds(order)
        if order.last.say and all(reply.key == REMARK for reply in order.last.say) and order.phase == before.phase:
            assert questions.asked(turn(order)) is questions.asked(before), f"{order.words!r} ends {questions.asked(before)}"


# ---- the words that spend -----------------------------------------------------------------------------------------------


def offered(order: Order) -> bool:
    return any(spends(reply) for reply in order.last.say)


@pytest.mark.promise("P213", "P261")
@pytest.mark.parametrize(
    "said",
    ["yes", "confirm my order", "help", "hmm", "was that the one from before then", "did you lock the front door", "any"],
)
def test_the_words_that_spend_are_no_answer_to_a_remark_at_the_review(said: str) -> None:
    order = Order().to_review()
    assert offered(order)
    for _ in range(4):
        order.say(said)
        assert order.phase == "awaiting_confirmation"
        assert not offered(order) or order.last.say[-1].key == "review:1"


@pytest.mark.promise("P213", "P261")
@pytest.mark.parametrize("phase", ["shopping", "awaiting_confirmation"])
@pytest.mark.parametrize("key", [None, "items", "review:1", "review:2"])
@pytest.mark.parametrize("phrase", words.CONFIRM_PHRASES)
def test_no_sentence_but_the_standing_read_back_can_offer_the_words_that_spend(
    phrase: str, key: str | None, phase: str
) -> None:
    order = Order().to_review()
    reply = Reply("Nearly.", choices=(Choice(phrase, "yes"), Choice("repeat")), key=key)
    (said,) = prompts.keyed(Step(phase=phase, say=(reply,)), order.standing).say
    stands = (key, phase) == ("review:1", "awaiting_confirmation")
    assert spends(said) is stands
    assert (said.key == "review:1") is stands


@pytest.mark.promise("P213", "P261")
def test_neither_silence_nor_the_cart_nor_an_order_asked_about_offers_the_words_that_spend() -> None:
    order = Order().to_review()
    for rung in (1, 2, 3):
        order.silence(rung)
        assert not offered(order)
    for said in ("show cart", "order swiggy", "take it over", "where is my order"):
        order.say(said)
        if order.pending is not None:
            order.settle({"orders": [], "unlisted": [], "maybe": []})
        assert not offered(order) or order.last.say[-1].key == "review:1"


@pytest.mark.promise("P201", "P248")
@pytest.mark.parametrize(("code", "more"), [("not_heard", {"heard_upto": 0}), ("cut", {"playback": "interrupted"})])
def test_a_review_that_was_not_heard_whole_is_read_back_once_more_and_then_counts(code: str, more: dict[str, Any]) -> None:
    order = Order().to_review()
    review = order.words
    assert order.prompt is not None
    if "playback" in more:
        more = {"playback": Playback(order.prompt.reply_id, more["playback"])}
    order.say("confirm order", **more)
    assert order.words == f"{order.sentence(f'unheard.{code}')} {review}"
    assert (order.last.say[-1].key, offered(order), order.calls[-1]) == ("review:1", True, "review")
    order.say("confirm order")
    assert order.calls[-1] == "recheck"


@pytest.mark.promise("P261")
@pytest.mark.parametrize("void", ["no", "change address", "recovered"])
def test_a_review_that_is_over_is_neither_read_again_nor_offered(void: str) -> None:
    order = Order().to_review()
    review, told = order.words, order.told
    order.signal(void) if void == "recovered" else order.say(void)
    order.told = told  # as if nothing had been spoken since
    order.say("repeat")
    assert review not in order.words
    assert not offered(order)


# ---- one or two, and of what --------------------------------------------------------------------------------------------


FUZZY = variant("mix-1", "Party Mix")


def one_or_two() -> Order:
    order = Order().to_shopping()
    order.say("chips and dip")
    order.find(**{"chips and dip": [FUZZY], "chips": [FUZZY], "dip": [FUZZY]})
    assert order.last.say[-1].key == "one_or_two"
    return order


def of_what() -> Order:
    order = Order().to_shopping()
    order.say("I need two litres")
    assert order.last.say[-1].key == "of_what"
    return order


def proposed() -> Order:
    order = Order().to_shopping(held=cart(BREAD))
    order.say("same as last time")
    order.settle({"lines": [MILK_2]})
    return order


def lost() -> Order:
    order = Order().to_shopping(held=cart(MILK_2))
    order.say("complete order")
    order.settle({"cart": cart(), **REVIEWED})
    return order


OPEN = {"one or two": one_or_two, "of what": of_what, "proposed": proposed, "lost": lost}


@pytest.mark.promise("P102", "P209", "P216")
@pytest.mark.parametrize("at", OPEN)
def test_each_of_them_is_asked_again_by_silence_by_repeat_by_help_and_at_another_device(at: str) -> None:
    order = OPEN[at]()
    question, key = order.words, order.last.say[-1].key
    asked = questions.asked(turn(order))
    for again in ("silence", "repeat", "moved", "help", "was that the one from before then"):
        if again == "silence":
            order.silence(1)
        else:
            order.signal("moved") if again == "moved" else order.say(again)
        assert order.last.say[-1].key == key
        assert again == "help" or order.words.endswith(question)
        assert questions.asked(turn(order)) is asked
    order.say("help")
    assert order.words == order.sentence(f"help.{asked}")


@pytest.mark.promise("P102", "P117")
@pytest.mark.parametrize("said", ["skip", "no", "leave it", "no thanks"])
@pytest.mark.parametrize("at", OPEN)
def test_a_no_or_a_skip_ends_each_of_them_for_good(at: str, said: str) -> None:
    order = OPEN[at]()
    calls = order.calls
    order.say(said)
    assert order.words == "All right. What would you like?"
    for after in ("yes", "two", "one thing", "repeat"):
        order.say(after)
        assert (order.calls, any(turn(order).asking.values())) == (calls, False)


@pytest.mark.promise("P117")
def test_what_was_open_before_a_refused_proposal_is_asked_next() -> None:
    order = Order().to_shopping()
    order.say("milk")
    order.find()
    offer = order.words
    order.say("same as last time")
    order.settle({"lines": [MILK_2]})
    order.say("no")
    assert order.words == f"All right. {offer}"
    order.say("two")
    assert order.calls[-1] == "cart"


@pytest.mark.promise("P253")
@pytest.mark.parametrize("said", ["two", "ek", "दो", "both", "separate", "it's one thing", "no"])
def test_what_is_said_to_a_remark_settles_neither_one_nor_two(said: str) -> None:
    order = one_or_two()
    order.silence(2)
    order.say(said)
    assert (order.last.say[-1].key, bool(order.standing.state["unsettled"])) == ("one_or_two", True)


@pytest.mark.promise("P253")
@pytest.mark.parametrize("at", ["proposed", "lost", "one or two"])
@pytest.mark.parametrize(
    "between", ["I need two litres", "make the paneer 25", "remove item 9", "show cart", "undo", "option 9"]
)
def test_what_could_not_be_done_leaves_the_question_before_it_open(at: str, between: str) -> None:
    order = OPEN[at]()
    was = {**turn(order).asking, "broken_off": None}
    order.say(between)
    if order.pending is not None:
        order.settle({"cart": order.standing.state["cart"]})
    assert {**turn(order).asking, "broken_off": None} == was
    order.say("no" if between == "I need two litres" else "repeat")
    assert {**turn(order).asking, "broken_off": None} == was


def test_a_yes_to_of_what_answers_nothing_under_it() -> None:
    order = proposed()
    order.say("I need two litres")
    calls = order.calls
    order.say("yes")
    assert (order.calls, order.last.say[-1].key) == (calls, "of_what")
    order.say("no")
    assert order.last.say[-1].key == "as_before"
    order.say("yes")
    assert order.calls[-1] == "rebuild"


@pytest.mark.promise("P210")
def test_what_it_is_of_may_be_said_after_the_question_came_again() -> None:
    order = of_what()
    order.silence(1)
    order.say("hmm")
    order.say("milk")
    assert order.pending is not None
    assert [item["query"] for item in order.pending.payload["items"]] == ["milk"]


# ---- what cannot be had, and what did not work ----------------------------------------------------------------------------


@pytest.mark.promise("P113", "P253")
@pytest.mark.parametrize("said", ["replace five milk with bread", "remove five milk"])
@pytest.mark.parametrize("answer", ["yes", "two", "no"])
def test_not_so_many_is_a_statement_that_nothing_answers(said: str, answer: str) -> None:
    order = Order().to_shopping(held=cart(MILK_2))
    order.say(said)
    if order.pending is not None:
        order.settle({"cart": cart(MILK_2)})
    assert order.words == "There are not so many of Amul Milk 500 ml in the cart, so I changed nothing."
    calls = order.calls
    order.say(answer)
    assert order.calls == calls


@pytest.mark.promise("P253")
@pytest.mark.parametrize("at", ["proposed", "lost"])
def test_a_yes_whose_call_failed_may_be_said_again(at: str) -> None:
    order = OPEN[at]()
    order.say("yes")
    for _ in range(2):
        assert order.calls[-1] == "rebuild"
        order.settle(Failed("timeout"))
        assert "Say it again to try once more." in order.words
        order.silence(1)
        assert order.last.say[-1].key == ("as_before" if at == "proposed" else "lost")
        order.say("yes")
    assert order.calls[-1] == "rebuild"


# ---- an order at another device -------------------------------------------------------------------------------------------


@pytest.mark.promise("P205", "P259")
@pytest.mark.parametrize("said", ["no", "skip", "leave it", "nahi"])
@pytest.mark.parametrize("asked", [True, False])
def test_who_does_not_want_it_here_after_all_is_let_go(said: str, asked: bool) -> None:
    order = Order()
    order.start()
    order.settle({"addresses": [], "elsewhere": ELSEWHERE})
    if asked:
        order.say("yes")
        assert order.last.take_over == 3
    order.say(said)
    assert (order.last.end, order.last.take_over) == ("order_open_elsewhere", None)

"""Opening an order: who may, which address, and nothing touched before the yes."""

from __future__ import annotations

import pytest

from interactions.contracts import Failed, Refused, Settled, Unknown
from swiggy_instamart import wording
from tests.support.ordering import ADDRESSES, Order, cart, line

HOME_TWICE = [*ADDRESSES, {"id": "a9", "label": "home", "line": "9 Twin Road"}]


@pytest.mark.promise("P095", "P170")
def test_a_person_who_is_not_linked_hears_so_and_the_mode_ends() -> None:
    order = Order()
    order.start()
    order.settle(Refused("not_linked"))
    assert "not linked to you" in order.words
    assert order.last.end == "not_linked"
    assert order.calls == ["addresses"]


@pytest.mark.promise("P096")
def test_missing_credentials_end_as_not_configured() -> None:
    order = Order()
    order.start()
    order.settle(Refused("not_configured"))
    assert order.last.end == "not_configured"
    assert "not set up" in order.words


def test_an_expired_sign_in_says_how_to_renew_it() -> None:
    order = Order()
    order.start()
    order.settle(Refused("sign_in"))
    assert order.last.end == "sign_in_needed"
    assert "sign in again" in order.words


def test_a_sign_in_that_ends_soon_is_told_before_the_question() -> None:
    order = Order()
    order.start()
    order.settle({"addresses": ADDRESSES, "elsewhere": None, "sign_in_ending": True})
    assert [reply.text for reply in order.last.say][-1] == "Use Home for delivery?"
    assert "ends within a day" in order.words


@pytest.mark.promise("P097")
def test_no_saved_address_ends_with_advice() -> None:
    order = Order().to_address(addresses=[])
    assert order.last.end == "no_address"
    assert "Add one in the Swiggy app" in order.words


@pytest.mark.promise("P098", "P238")
@pytest.mark.parametrize("setting", ["Home", "home", "HOME"])
def test_the_whole_label_is_proposed_as_saved(setting: str) -> None:
    order = Order(preferred_address_label=setting).to_address()
    assert order.words == "Use Home for delivery?"
    assert order.standing.state["address"]["id"] == "a1__t"


@pytest.mark.promise("P238")
def test_the_shipped_label_is_home_and_is_said_as_swiggy_saved_it() -> None:
    rows = [{"id": "x", "label": "hOmE", "line": ""}]
    assert Order().to_address(addresses=rows).words == "Use hOmE for delivery?"


@pytest.mark.promise("P099", "P100")
def test_a_longer_label_is_not_chosen_and_the_first_address_never_is() -> None:
    order = Order().to_address(addresses=[ADDRESSES[0], ADDRESSES[2]])
    assert order.phase == "select_address"
    assert order.words == "Which saved address should I use: Home 2 or Office?"
    assert order.standing.state["address"] is None


@pytest.mark.promise("P100")
@pytest.mark.parametrize("preferred", ["Parents", None])
def test_a_label_that_is_missing_or_not_configured_is_asked_for(preferred: str | None) -> None:
    assert Order(preferred_address_label=preferred).to_address().phase == "select_address"


@pytest.mark.promise("P100")
def test_a_label_saved_twice_is_not_guessed() -> None:
    order = Order().to_address(addresses=HOME_TWICE)
    assert order.phase == "select_address"
    assert "saved more than once" in order.words


@pytest.mark.promise("P101", "P102")
@pytest.mark.parametrize("text", ["hmm", "maybe", "confirm order", "is it far", "what now", "two", "2"])
def test_an_unclear_answer_repeats_the_question_and_calls_nothing(text: str) -> None:
    order = Order().to_address()
    before = order.kept
    order.say(text)
    assert order.phase == "confirm_address"
    assert order.words.endswith("Use Home for delivery?")
    assert order.calls == ["addresses"]
    assert order.kept == before


@pytest.mark.promise("P101")
def test_the_cart_is_read_only_after_the_yes() -> None:
    order = Order().to_address()
    order.say("no")
    order.say("office")
    assert order.words == "Use Office for delivery?"
    assert order.calls == ["addresses"]
    order.say("yes")
    assert order.calls == ["addresses", "cart"]


@pytest.mark.promise("P103")
def test_change_address_asks_for_a_label_and_the_chosen_one_is_confirmed_too() -> None:
    order = Order().to_address()
    order.say("change address")
    assert order.phase == "select_address"
    order.say("Home 2")
    assert order.words == "Use Home 2 for delivery?"
    order.say("yes")
    order.settle({"cart": cart()})
    assert order.standing.state["address"]["id"] == "a2__t"


@pytest.mark.promise("P104")
def test_an_exact_label_beats_longer_ones_and_a_partial_one_of_several_is_refused() -> None:
    rows = [
        {"id": str(n), "label": label, "line": ""} for n, label in enumerate(("Office North", "Office South", "Home", "Home 2"))
    ]
    order = Order(preferred_address_label=None).to_address(addresses=rows)
    order.say("office")
    assert order.phase == "select_address"
    assert "more than one address" in order.words
    order.say("home")
    assert order.words == "Use Home for delivery?"


@pytest.mark.parametrize("outcome", [Failed("timeout"), Unknown("gave_up"), Refused("rate_limited")])
def test_addresses_that_cannot_be_read_leave_the_session_where_it_was(outcome: Failed | Unknown | Refused) -> None:
    order = Order()
    order.start("two milk")
    order.settle(outcome)
    assert (order.phase, order.last.end) == ("starting", None)
    order.say("try again")
    assert order.calls == ["addresses", "addresses"]
    assert order.pending is not None
    assert order.pending.payload == {"text": "two milk"}


@pytest.mark.promise("P107")
def test_what_was_asked_for_with_the_activation_comes_after_address_and_cart() -> None:
    order = Order().to_address("two milk")
    order.say("yes")
    order.settle({"cart": cart(line("butter", name="Butter"))})
    assert order.phase == "existing_cart_decision"
    order.say("keep cart")
    assert order.pending is not None
    assert order.pending.name == "search"
    assert [item["query"] for item in order.pending.payload["items"]] == ["milk"]
    assert order.standing.state["pending"] == ""


def test_an_order_open_elsewhere_is_named_and_nothing_is_opened() -> None:
    order = Order()
    order.start()
    order.settle({"addresses": [], "elsewhere": {"place": "hall", "paying": False, "placing": False, "session": 9}})
    assert order.last.end is None
    assert "already open at hall" in order.words
    assert order.last.rows == ()


@pytest.mark.promise("P205")
@pytest.mark.parametrize(("waits", "said"), [("paying", "still being paid for"), ("placing", "being placed right now")])
def test_an_order_that_cannot_be_taken_over_now_is_named_and_not_offered(waits: str, said: str) -> None:
    order = Order()
    order.start()
    order.settle(
        {"addresses": [], "elsewhere": {"place": "hall", "paying": False, "placing": False, "session": None} | {waits: True}}
    )
    assert order.last.end == "order_open_elsewhere"
    assert said in order.words
    assert "at hall" in order.words


def offered() -> Order:
    order = Order()
    order.start()
    order.settle({"addresses": [], "elsewhere": {"place": "hall", "paying": False, "placing": False, "session": 9}})
    return order


@pytest.mark.promise("P205")
def test_a_yes_to_the_offer_asks_for_that_session_once_and_waits() -> None:
    order = offered()
    order.say("take it over")
    assert order.last.take_over == 9
    order.say("take it over")
    order.say("yes")
    assert order.last.take_over is None
    assert (order.phase, order.calls) == ("starting", ["addresses"])


@pytest.mark.promise("P205")
@pytest.mark.parametrize("code", ["handover_gone", "handover_busy", "handover_lost", "handover_failed"])
def test_why_it_did_not_come_is_said_and_ends_the_question(code: str) -> None:
    for happened in ("signal", "constraint"):
        order = offered()
        order.say("take it over")
        if happened == "signal":
            order.signal("not_moved", code=code)
        else:
            order.event(Settled(order.now, "record", {}, Refused("constraint", code)))
        assert order.words == wording.ENGLISH(f"not_taken.{code}")
        assert order.last.end == code


@pytest.mark.promise("P205")
def test_a_question_about_another_order_that_nobody_answers_ends_without_a_word() -> None:
    order = offered()
    order.deadline()
    assert (order.words, order.last.end) == ("", "idle_timeout")


@pytest.mark.promise("P205")
def test_the_constraint_on_open_orders_has_the_order_looked_for_again_so_that_it_is_said_where_it_is() -> None:
    order = Order()
    order.start("two milk")
    order.settle(Refused("constraint", "order_one_open"))
    assert (order.phase, order.calls) == ("starting", ["addresses", "addresses"])
    assert order.standing.state["pending"] == "two milk"


@pytest.mark.parametrize("phase", ["to_address", "to_shopping", "to_review", "to_payment"])
def test_help_and_repeat_work_everywhere_and_change_nothing(phase: str) -> None:
    order = Order()
    getattr(order, phase)()
    before = (order.phase, order.standing.state, order.calls)
    order.say("help")
    assert order.words
    order.say("repeat")
    assert order.words
    assert (order.phase, order.standing.state, order.calls) == before


@pytest.mark.promise("P101", "P102")
@pytest.mark.parametrize("said", ["show cart", "clear the cart", "keep cart", "remove the milk", "complete order"])
def test_what_comes_after_the_address_is_told_to_wait_for_it_and_the_question_stays(said: str) -> None:
    order = Order().to_address()
    before = order.kept
    order.say(said)
    assert order.kept == before
    assert order.words == "The address comes first; the cart and what you need come after it. Use Home for delivery?"
    order.say("no")
    order.say(said)
    assert order.words.startswith("The address comes first; ")
    assert "Which saved address should I use" in order.words
    assert order.phase == "select_address"
    assert order.calls == ["addresses"]


PLACES = [*ADDRESSES, {"id": "a4", "label": "House No 4", "line": "4 Lake Road"}]


@pytest.mark.promise("P100", "P210")
@pytest.mark.parametrize(
    ("said", "label"),
    [
        *((said, "Office") for said in ("nahi office pe", "no, at the office", "nahin, ऑफिस", "नहीं, ऑफिस में", "no no, office")),
        *((said, "Office") for said in ("nahi daftar bhejo", "ghar nahi office", "not home but the office", "nope, my office")),
        *(
            (said, "Office")
            for said in ("ghar mat bhejo, office bhejo", "घर नहीं ऑफिस पे", "no, office please", "not home, office")
        ),
        *((said, "Office") for said in ("no, to office", "not to home, to office", "don't send it to home but to office")),
        ("no, house no four", "House No 4"),
        ("nahi, home 2 pe", "Home 2"),
    ],
)
def test_a_denial_that_names_another_address_proposes_that_one(said: str, label: str) -> None:
    order = Order().to_address(addresses=PLACES)
    order.say(said)
    assert order.phase == "confirm_address"
    assert label in order.words
    assert order.standing.state["address"]["label"] == label
    assert order.calls == ["addresses"]


@pytest.mark.promise("P100", "P210")
@pytest.mark.parametrize(
    "said",
    [
        *("nahi", "no, at my sister's", "nahi, gym pe", "no, not the office", "office nahi", "nahi ghar nahi", "not at home"),
        *("ऑफिस मत भेजो", "no, home", "nahi mera ghar galat hai", "not home or office", "not to office", "don't send to office"),
        *("do not deliver it to the office", "never to office please", "mat bhejo office", "मत भेजो ऑफिस"),
    ],
)
def test_a_denial_that_names_no_other_address_asks_which(said: str) -> None:
    order = Order().to_address()
    order.say(said)
    assert order.phase == "select_address"
    assert order.calls == ["addresses"]


@pytest.mark.promise("P100")
@pytest.mark.parametrize("said", ["nahi office pe", "ghar nahi, office", "no, the office"])
def test_the_question_which_address_is_answered_by_a_denial_of_one_and_the_name_of_another(said: str) -> None:
    order = Order().to_address()
    order.say("no")
    order.say(said)
    assert order.standing.state["address"]["label"] == "Office"

"""From what is wanted to what the shop's cart holds: search, choice, counts, and what the shop makes of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from swiggy_instamart.shop import Swiggy
from tests.flows.order.dialogue import NOTHING, Clock, Ledger, Speaker
from tests.support.shopper import Shopper

MILK = "Nandini Toned Milk 500 ml"
EGGS = "Eggoz Farm Eggs White 6 pieces"

# ---- what was in the cart before ----------------------------------------------------------------------------------------


@pytest.mark.promise("P105")
def test_a_cart_that_holds_something_is_kept_or_cleared_and_nothing_else_changes_it(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "eggs", "quantity": 2}])
    asha_speaks.say("order swiggy")
    assert "Keep cart or clear cart?" in asha_speaks.say("yes")
    calls = ledger.calls
    assert "keep cart" in asha_speaks.say("milk")
    for text in ("yes", "no", "complete order", "confirm order", "show cart"):
        assert asha_speaks.say(text), text
        assert (asha_speaks.phase, ledger.calls) == ("existing_cart_decision", calls)
    assert sum(ledger.cart.values()) == 2
    assert ledger.money == NOTHING


@pytest.mark.promise("P106")
def test_keep_cart_writes_nothing(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    sandbox.cart([{"find": "eggs", "quantity": 2}])
    assert asha_speaks.to_shopping().phase == "shopping"
    assert ledger.count("update_cart", "clear_cart") == 0
    assert sum(ledger.cart.values()) == 2


@pytest.mark.promise("P106")
@pytest.mark.parametrize("clear", ["works", "unverified"])
def test_clear_cart_clears_once_and_reads_it_back(
    clear: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(clear=clear)
    sandbox.cart([{"find": "eggs"}])
    asha_speaks.say("order swiggy")
    asha_speaks.say("yes")
    assert asha_speaks.say("clear cart") == "The cart is empty now. What would you like?"
    assert ledger.calls[-2:] == ["clear_cart", "get_cart"]
    assert ledger.cart == {}
    assert ledger.count("clear_cart") == 1


@pytest.mark.promise("P106")
def test_a_clear_that_did_not_clear_is_said_and_stays_in_the_decision(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.settings(clear="silent")
    sandbox.cart([{"find": "eggs"}])
    asha_speaks.say("order swiggy")
    asha_speaks.say("yes")
    assert "was not cleared. Keep cart, or clear cart again?" in asha_speaks.say("clear cart")
    assert asha_speaks.phase == "existing_cart_decision"
    assert ledger.count("clear_cart") == 1


# ---- search -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P108", "P109")
def test_three_samples_of_one_item_start_together_at_the_confirmed_address(
    asha_speaks: Speaker, sandbox: SandboxProcess, shopper: Shopper, ledger: Ledger
) -> None:
    asha_speaks.to_shopping()
    sandbox.settings(sampling=True, latency_ms=500)  # longer than a busy machine needs to send three calls
    asha_speaks.say("milk")
    asked = sandbox.calls("search_products")
    assert [call["arguments"] for call in asked] == [{"addressId": shopper.address("Home"), "query": "milk"}] * 3
    assert max(call["at"] for call in asked) < min(call["ended_at"] for call in asked)
    state = asha_speaks.session.state["offers"][0]["variants"]
    assert len({row["spin"] for row in state}) == len(state)


@pytest.mark.promise("P110", "P111")
def test_three_options_are_read_out_organic_ones_first_and_none_that_is_sold_out(
    asha_speaks: Speaker, sandbox: SandboxProcess
) -> None:
    gone = sandbox.catalogue(find="nandini toned milk", in_stock=False)
    said = asha_speaks.to_shopping().say("milk")
    options = asha_speaks.question["data"]["options"]
    assert len(options) == 3
    assert all("₹" in option for option in options)
    assert f"{gone['name']} {gone['size']}" not in said
    assert "Akshayakalpa" not in said  # the sponsored row comes first at the shop
    assert asha_speaks.choices == ["option 1", "option 2", "option 3", "skip"]


@pytest.mark.promise("P112", "P114")
def test_a_number_or_an_ordinal_alone_selects(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    for chosen, text in enumerate(("two", "the second one", "option 2", "number 2", "2"), 1):
        asha_speaks.say("milk")
        second = asha_speaks.question["data"]["options"][1].removeprefix("2: ").partition(",")[0]
        asha_speaks.say(text)
        assert ledger.cart == {second: chosen}, text


@pytest.mark.promise("P112")
@pytest.mark.parametrize("text", ["we are two people here", "option 9"])
def test_c13_a_number_in_a_sentence_or_out_of_range_chooses_nothing(text: str, asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping().say("milk")
    asha_speaks.say(text)
    assert ledger.count("update_cart") == 0


@pytest.mark.promise("P124")
def test_c13_a_yes_where_none_was_asked_chooses_nothing(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    question = asha_speaks.say("milk")
    said = asha_speaks.say("yes")
    assert said.endswith(question)
    assert said != question, "and it says that nothing was chosen"
    assert ledger.count("update_cart", "checkout") == 0


@pytest.mark.promise("P116")
def test_six_items_at_once_are_refused_without_searching(asha_speaks: Speaker, ledger: Ledger) -> None:
    said = asha_speaks.to_shopping().say("milk, bread, eggs, butter, salt and sugar")
    assert said == "That was more than 5 items at once. Tell me up to 5 at a time."
    assert ledger.count("search_products") == 0


@pytest.mark.promise("P117", "P118")
def test_several_items_are_searched_together_and_chosen_one_by_one(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    sandbox.settings(latency_ms=60)
    said = say("milk, unobtainium, eggs and salt")
    sandbox.settings(latency_ms=0)
    assert said.startswith("I found nothing in stock for unobtainium. For milk I found")
    asked = sandbox.calls("search_products")
    queries = [call["arguments"]["query"] for call in asked]
    assert (sorted(queries[:3]), queries[3:]) == (["eggs", "milk", "unobtainium"], ["salt"])
    assert asked[3]["at"] >= min(call["ended_at"] for call in asked[:3])  # three at once, and no more
    assert "For eggs I found" in say("option 1")
    assert "For salt I found" in say("skip")
    assert "Anything else?" in say("option 1") or "what else" in asha_speaks.question["text"]
    assert set(ledger.cart.values()) == {1}
    assert len(ledger.cart) == 2


@pytest.mark.case("D03")
def test_d03_a_search_that_finds_nothing_at_all_is_called_down_and_is_not_repeated(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_shopping()
    sandbox.settings(search_down=True)
    assert "found nothing in stock for lime juice" in asha_speaks.say("lime juice")
    said = asha_speaks.say("milk")
    assert "search finds nothing at all just now" in said
    assert "out of stock" not in said
    assert ledger.count("search_products") == 6


@pytest.mark.case("D06")
@pytest.mark.promise("P118")
def test_d06_a_shop_that_asks_to_wait_is_left_alone_and_the_basket_is_kept(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    say("milk")
    say("option 1")
    sandbox.faults([{"tool": "search_products", "kind": "status", "status": 429}])
    before = ledger.count("search_products")
    assert "Swiggy asks us to wait" in say("eggs, salt, sugar, bread and butter")
    assert ledger.count("search_products") - before == 3  # one wave, and not the next
    assert len(ledger.cart) == 1
    assert asha_speaks.phase == "shopping"


@pytest.mark.case("D09")
@pytest.mark.promise("P118")
def test_d09_what_could_not_be_searched_is_called_unchecked_and_not_unavailable(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_shopping()
    sandbox.faults([{"tool": "search_products", "nth": 3, "kind": "status", "status": 429}])
    said = asha_speaks.say("eggs, salt, sugar, bread and butter")
    assert "I could not check" in said
    assert "bread" in said
    assert "butter" in said
    assert "nothing in stock" not in said
    assert ledger.count("search_products") == 3


@pytest.mark.case("D05")
def test_d05_no_sentence_promises_that_the_cart_shows_in_the_app(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_review()
    for text in ("I'll finish it on my phone", "show cart", "no", "can I finish it in the app", "show cart", "cancel order"):
        assert "app" not in asha_speaks.say(text).casefold().replace(".", "").split(), text
    assert ledger.count("update_cart", "checkout") == 0


@pytest.mark.case("D07")
def test_d07_that_there_are_no_coupons_is_learnt_from_the_tools_that_are_served_and_the_order_goes_on(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    say = asha_speaks.to_review().say
    lists = sandbox.ledger()["rpc"].get("tools/list", 0)
    assert say("apply a coupon").startswith("Coupons aren't available here.")
    assert sandbox.ledger()["rpc"]["tools/list"] == lists + 1
    sandbox.faults([{"tool": "tools/list", "kind": "status", "status": 500}])
    assert "could not ask Swiggy about coupons" in say("is there a coupon?")
    monkeypatch.setattr(Swiggy, "tools", lambda self: frozenset({"checkout", "apply_coupon"}))
    assert "I do not use coupons" in say("use my voucher")
    assert not any("coupon" in tool for tool in ledger.calls)
    say("repeat")
    assert "waits for your payment" in say("confirm order")  # the review stood all the while


# ---- counts -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P113", "P114", "P115")
def test_counts_are_raised_set_and_removed_in_plain_words(asha_speaks: Speaker, ledger: Ledger) -> None:
    say = asha_speaks.to_shopping().say
    say("two milk")
    say("option 1")
    assert ledger.cart == {MILK: 2}
    say("milk")
    assert say("option 1").startswith(f"The cart has 3 x {MILK}.")
    say("make it five")
    assert ledger.cart == {MILK: 5}
    say("eggs")
    say("option 1")
    say("remove item 1")
    assert MILK not in ledger.cart
    eggs = ledger.cart
    assert "1 to 20" in say("make it 21")
    assert ledger.cart == eggs
    say("make it zero")
    assert ledger.cart == {}
    assert ledger.money == NOTHING


@pytest.mark.promise("P119")
def test_show_cart_reads_three_lines_a_count_and_the_total(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": find} for find in ("milk", "eggs", "bread", "salt", "sugar")])
    said = asha_speaks.to_shopping().say("show cart")
    assert "and 2 more; " in said
    assert f"₹{ledger.total // 100} to pay" in said
    assert len(asha_speaks.question["data"]["cart"]) == 5


@pytest.mark.case("D16")
def test_d16_half_a_kilo_is_the_pack_and_every_amount_is_the_shops(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.catalogue(find="onion", price_paise=8225)  # the pack; the kilo would be ₹164.50
    say = asha_speaks.to_shopping().say
    said = [say(text) for text in ("half a kilo onions", "option 1", "show cart", "complete order")]
    assert ledger.cart == {"Fresho Onion 500 g": 1}
    assert "Fresho Onion 500 g, ₹82.25" in said[0]
    assert f"₹{ledger.total // 100} to pay" in said[2]  # with its fees, rounded as the shop rounds
    assert f"₹{ledger.total // 100} to pay" in said[3]
    assert not any("164" in sentence or "329" in sentence for sentence in said)


@pytest.mark.promise("P210", "P113")
def test_amounts_become_the_packs_on_sale_and_each_choice_says_them_before_they_are_written(
    asha_speaks: Speaker, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    assert "Fresho Onion, 1 kg at ₹39 and 500 g at ₹21" in say("one and a half kilo onions")
    assert "1 x Fresho Onion 1 kg" in say("option 1")
    onions = {"Fresho Onion 1 kg": 1, "Fresho Onion 500 g": 1}
    assert ledger.cart == onions
    assert "Eggoz Farm Eggs White, 2 x 6 pieces at ₹68 each" in say("a dozen eggs")
    say("skip")
    assert "Fresho Cauliflower 1 piece" in say("a kilo of cauliflower")
    assert "How many shall I take?" in say("option 1")
    assert ledger.cart == onions, "nothing is written on a guess"
    say("do")
    assert ledger.cart == {**onions, "Fresho Cauliflower 1 piece": 2}
    assert ledger.money == NOTHING


# ---- what the shop makes of a write -------------------------------------------------------------------------------------


@pytest.mark.promise("P208")
def test_a_capped_line_is_said_with_its_numbers(asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger) -> None:
    sandbox.catalogue(find="nandini toned milk", cap=3)
    say = asha_speaks.to_shopping().say
    say("five milk")
    said = say("option 1")
    assert f"Of {MILK} you can have 3, not 5." in said
    assert ledger.cart == {MILK: 3}
    assert "3 x" in say("complete order")
    assert ledger.money == NOTHING


@pytest.mark.case("D11")
@pytest.mark.promise("P208")
def test_d11_a_line_that_a_write_left_out_is_named_and_asking_again_sets_it_and_doubles_nothing(
    asha_speaks: Speaker, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    say = asha_speaks.to_shopping().say
    for text in ("two milk", "option 1", "three eggs", "option 1", "bread"):
        say(text)
    real = Swiggy.update_cart
    monkeypatch.setattr(Swiggy, "update_cart", lambda self, address, lines: real(self, address, list(lines)[:2]))
    before = ledger.cart
    said = say("option 1")  # taken as a success, with two of three lines
    assert "did not stay in the cart." in said
    assert "Bread" in said
    assert sorted(ledger.cart.values()) == [2, 3]
    assert ledger.cart == before
    monkeypatch.undo()
    for text in ("bread", "option 1"):
        said = say(text)
    assert "did not stay" not in said
    assert sorted(ledger.cart.values()) == [1, 2, 3]
    assert [row["quantity"] for row in ledger.arguments("update_cart")[-1]["items"]] == [2, 3, 1]
    assert ledger.money == NOTHING


@pytest.mark.case("D11")
@pytest.mark.promise("P208")
def test_d11_a_line_that_was_removed_is_named_and_the_others_stand(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    say("milk")
    say("option 1")
    say("eggs")
    sandbox.catalogue(find="nandini toned milk", in_stock=False)  # sold out before the next write
    said = say("option 1")
    assert f"Swiggy removed 1 x {MILK}; it is out of stock." in said
    assert MILK not in ledger.cart
    assert len(ledger.cart) == 1
    assert ledger.money == NOTHING


@pytest.mark.case("D18")
@pytest.mark.promise("P208")
def test_d18_a_line_from_the_app_survives_the_merge_and_a_foreign_one_is_named(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    sandbox.cart([{"find": "eggs", "quantity": 2}])
    say = asha_speaks.to_shopping().say
    say("bread")
    say("option 1")
    assert sorted(ledger.cart.values()) == [1, 2]  # eggs and bread
    sandbox.settings(foreign_survives=True)
    sandbox.cart([{"find": "salt", "quantity": 2}])
    say("remove salt")
    assert sorted(ledger.cart.values()) == [1, 2, 2]
    assert "which I did not put there" in asha_speaks.question["text"]
    assert "2 x" in asha_speaks.question["text"]
    assert ledger.money == NOTHING


@pytest.mark.case("D02", "D19")
@pytest.mark.promise("P208")
@pytest.mark.parametrize("text", ["complete order", "show cart", "option 1"])
def test_d02_a_cart_that_the_shop_did_not_keep_is_read_once_more_said_and_never_ordered(
    text: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    sandbox.settings(read_after_write="empty")
    say("milk")
    say("option 1")
    if text == "option 1":
        say("bread")
    reads, writes = ledger.count("get_cart"), ledger.count("update_cart")
    question = f"Swiggy's cart is empty now. It held 1 x {MILK}, and I changed nothing. Shall I put it back?"
    assert say(text) == question
    assert ledger.count("get_cart") - reads == 2
    assert ledger.count("update_cart") == writes
    assert "nothing to confirm" in say("confirm order")
    sandbox.settings(read_after_write="ok")
    assert "nothing to confirm" in say("repeat")
    assert say("yes") == question  # what was said last had asked nothing
    assert say("yes").startswith(f"The cart has 1 x {MILK}.")
    assert ledger.cart == {MILK: 1}
    assert ledger.money == NOTHING


@pytest.mark.case("D19")
@pytest.mark.parametrize("answer", ["no", "rebuild the cart"])
def test_d19_a_cart_that_expired_is_put_together_again_only_on_a_yes(
    answer: str, asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_review()
    sandbox.cart(action="expire")
    said = asha_speaks.say("confirm order")
    assert f"2 x {MILK} is gone." in said
    assert said.endswith("The cart is empty. Shall I put it back?")
    asha_speaks.say(answer)
    assert ledger.cart == ({} if answer == "no" else {MILK: 2})
    asha_speaks.say("yes")  # the question is over
    assert ledger.count("update_cart") == (answer != "no")
    assert ledger.money == NOTHING


@pytest.mark.promise("P208")
def test_an_answer_without_the_cart_is_followed_by_one_reading(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    asha_speaks.to_shopping().say("milk")
    sandbox.faults([{"tool": "update_cart", "kind": "form", "form": "prose"}])
    assert asha_speaks.say("option 1").startswith(f"The cart has 1 x {MILK}.")
    assert ledger.calls[-3:] == ["get_cart", "update_cart", "get_cart"]


@pytest.mark.case("D14")
@pytest.mark.promise("P103", "P208")
@pytest.mark.parametrize("reviewed", [False, True])
def test_d14_another_address_needs_a_yes_and_then_the_basket_is_built_for_it_and_every_change_is_said(
    reviewed: bool, asha_speaks: Speaker, sandbox: SandboxProcess, shopper: Shopper, ledger: Ledger
) -> None:
    here, there = shopper.address("Home"), shopper.address("Home 2")
    shopper.put(("nandini toned milk", 4), ("tata salt", 3), at=here)
    sandbox.cart([{"spin": shopper.find("heritage cow milk", at=here, size="1 L")["spinId"]}])  # not at the other store
    skus = {line["skuId"] for line in shopper.cart()["items"]}
    say = asha_speaks.to_shopping().say
    if reviewed:
        say("complete order")
    sandbox.catalogue(find="tata salt", cap=2)
    writes = ledger.count("update_cart")
    assert say("deliver to home 2 instead") == "Use Home 2 for delivery?"
    assert "nothing to confirm" not in say("confirm order")  # no review here any more, and no cart call before the yes
    assert ledger.count("update_cart", "clear_cart") == writes
    said = say("yes")
    assert "not to be had here now, so it is left out." in said
    assert "you can have 2, not 3." in said
    written = ledger.arguments("update_cart")[-1]
    assert written["selectedAddressId"] == there
    assert {item["skuId"] for item in written["items"]}.isdisjoint(skus)
    assert sorted(ledger.cart.values()) == [2, 4]
    assert "Your order: " in (review := say("complete order"))
    assert "To Home 2." in review
    assert ledger.money == NOTHING


@pytest.mark.case("D14")
def test_d14_a_cart_of_another_address_that_was_there_is_built_for_this_one_only_on_a_yes(
    asha_speaks: Speaker, shopper: Shopper, ledger: Ledger
) -> None:
    shopper.put(("nandini toned milk", 4), at=shopper.address("Home 2"))
    say = asha_speaks.say
    say("order swiggy")
    assert "filled for another address" in say("yes")
    say("keep cart")
    writes = ledger.count("update_cart")
    assert "for another address than the one you confirmed" in say("complete order")
    assert ledger.count("update_cart") == writes
    assert say("yes").startswith(f"The cart has 4 x {MILK}.")
    assert "Your order: 4 x " in say("complete order")
    assert ledger.money == NOTHING


def test_a_cart_changed_at_the_phone_meanwhile_is_merged_and_not_clobbered(
    asha_speaks: Speaker, sandbox: SandboxProcess, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    say("milk")
    sandbox.cart([{"find": "eggs", "quantity": 3}])
    say("option 1")
    assert sorted(ledger.cart.values()) == [1, 3]


@pytest.mark.promise("P112")
def test_c14_sounds_without_words_are_not_answers_and_cancel_always_works(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping().say("milk")
    assert [asha_speaks.say(text) for text in ("", " ", ".")] == ["", "", ""]
    assert "closed the order" in asha_speaks.say("cancel")
    assert asha_speaks.ended == "cancelled"
    assert ledger.money == NOTHING


def test_c05_an_answer_after_the_time_limit_is_told_that_the_basket_is_kept(
    asha_speaks: Speaker, clock: Clock, ledger: Ledger
) -> None:
    say = asha_speaks.to_shopping().say
    say("milk")
    say("option 1")
    say("eggs")
    clock.forward(601)
    assert say("option 1") == (
        "The order timed out. Nothing was placed, and the items stay in your Swiggy cart. "
        "What you said after that came too late, so I did nothing with it."
    )
    assert asha_speaks.ended == "idle_timeout"
    assert ledger.cart == {MILK: 1}
    assert ledger.money == NOTHING


def test_c11_a_service_that_was_stopped_goes_on_with_the_same_basket(
    asha_speaks: Speaker, clock: Clock, ledger: Ledger, restart: Callable[[], None]
) -> None:
    say = asha_speaks.to_shopping().say
    say("two milk")
    say("option 1")
    restart()
    clock.forward(60)
    say("and a bread")
    say("option 1")
    assert sorted(ledger.cart.values()) == [1, 2]
    assert "Your order" in say("complete order")
    asha_speaks.play()
    restart()
    clock.forward(300)
    assert "too old by now, so nothing was placed" in say("confirm order")
    assert ledger.money == NOTHING

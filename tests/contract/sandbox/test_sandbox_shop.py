"""Addresses, search and the cart on the wire, with every quirk that the field reported of them."""

from __future__ import annotations

import json

import pytest

from swiggy_instamart.sandbox.process import SandboxProcess
from tests.support.shopper import Shopper


def test_home_is_not_the_first_address_and_one_is_served_by_nobody(shopper: Shopper) -> None:
    rows = shopper.data("get_addresses")["addresses"]
    assert [row["addressTag"] for row in rows] == ["Home 2", "Home", "Farm House"]
    assert "__" in rows[1]["id"]
    assert rows[2]["id"].isdigit()
    nothing = shopper.data("search_products", addressId=rows[2]["id"], query="milk")
    assert nothing == {"nextOffset": "1", "products": [], "similarProducts": []}


@pytest.mark.parametrize(("home", "count"), [("once", 1), ("twice", 2), ("absent", 0)])
def test_home_can_be_double_or_absent(shopper: Shopper, swiggy: SandboxProcess, home: str, count: int) -> None:
    swiggy.settings(home=home)
    labels = [row["addressTag"] for row in shopper.data("get_addresses")["addresses"]]
    assert labels.count("Home") == count


def test_many_addresses_come_in_pages_of_ten(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.settings(many_addresses=True)
    first, last = shopper.data("get_addresses"), shopper.data("get_addresses", page=3, pageSize=10)
    assert (len(first["addresses"]), first["pagination"]["hasMore"]) == (10, True)
    assert first["pagination"]["totalPages"] == 3
    assert [row["addressTag"] for row in last["addresses"]][-2:] == ["Home", "Farm House"]
    assert last["pagination"]["hasMore"] is False
    assert shopper.refusal("get_addresses", pageSize=24).startswith("Invalid")


@pytest.mark.parametrize("form", ["structured", "wrapped", "json", "prose_json", "prose", "field"])
def test_every_form_carries_the_same_answer(shopper: Shopper, swiggy: SandboxProcess, home: str, form: str) -> None:
    swiggy.settings(form=form)
    addresses, found = shopper.result("get_addresses"), shopper.result("search_products", addressId=home, query="limited chips")
    text = found["content"][0]["text"]
    if form in ("structured", "wrapped"):
        envelope = found["structuredContent"] if form == "structured" else found["structuredContent"]["result"]
        assert envelope["data"]["products"]
    else:
        assert "structuredContent" not in found
    if form == "json":
        assert json.loads(text)["success"] is True
    if form in ("prose_json", "field"):
        prose, _, tail = text.partition("\n\n")
        assert "{Limited}" in prose  # a brace in a name, before the object begins
        assert json.loads(tail)["data"]["products"]
    if form in ("prose", "field"):
        assert f"[Home] 12 Demo Road, Koramangala, Bengaluru 560034 (ID: {home})" in addresses["content"][0]["text"]
        assert "{" not in addresses["content"][0]["text"]


def test_a_refusal_comes_in_the_form_that_is_on(shopper: Shopper, swiggy: SandboxProcess) -> None:
    swiggy.settings(form="json")
    assert json.loads(shopper.result("checkout")["content"][0]["text"])["success"] is False


def test_an_address_can_be_added_refused_and_deleted(shopper: Shopper, swiggy: SandboxProcess) -> None:
    words = ("fullAddress", "addressLine", "addressLine2", "city", "postalCode", "addressCategory", "userName", "userPhone")
    made = shopper.data("create_address", **dict.fromkeys(words, "x"), addressTag="Office")["addressId"]
    assert shopper.address("Office") == made
    shopper.data("delete_address", addressId=made)
    assert len(shopper.data("get_addresses")["addresses"]) == 3
    swiggy.settings(create_address_refused=True)
    assert "beta users" in shopper.refusal("create_address", **dict.fromkeys(words, "x"))


def test_a_variant_has_one_spin_everywhere_and_another_sku_at_each_store(shopper: Shopper, home: str) -> None:
    here, there = shopper.find("onion", at=home), shopper.find("onion", at=shopper.address("Home 2"))
    assert here["spinId"] == there["spinId"]
    assert here["skuId"] != there["skuId"]
    assert here["price"]["offerPrice"] == 21


def test_a_search_mixes_sponsored_rows_in_and_says_so(shopper: Shopper, home: str) -> None:
    rows = shopper.data("search_products", addressId=home, query="milk")["products"]
    assert rows[0]["isPromoted"] is True
    assert rows[1]["displayName"] == "Nandini Toned Milk"
    assert {v["isInStockAndAvailable"] for row in rows for v in row["variations"]} == {True, False}
    assert all(row["inStock"] for row in rows)  # rosier than the variations


def test_search_comes_in_pages_with_a_string_for_the_next(shopper: Shopper, home: str) -> None:
    first = shopper.data("search_products", addressId=home, query="fresho")
    second = shopper.data("search_products", addressId=home, query="fresho", offset=20)
    assert (len(first["products"]), first["nextOffset"]) == (20, "20")
    assert second["products"]
    assert "nextOffset" not in second
    ids = [row["productId"] for row in first["products"] + second["products"]]
    assert len(ids) == len(set(ids))


def test_samples_differ_from_search_to_search_and_repeat_with_the_seed(
    shopper: Shopper, swiggy: SandboxProcess, home: str
) -> None:
    def three() -> list[list[str]]:
        swiggy.reset()
        swiggy.settings(sampling=True, sampling_seed=4)
        rows = [shopper.data("search_products", addressId=home, query="milk")["products"] for _ in range(3)]
        return [[row["productId"] for row in sample] for sample in rows]

    once = three()
    assert once[0] != once[1]
    assert three() == once


def test_a_search_outage_is_a_success_with_nothing_while_go_to_items_work(
    shopper: Shopper, swiggy: SandboxProcess, home: str
) -> None:
    swiggy.settings(search_down=True)
    assert shopper.data("search_products", addressId=home, query="milk")["nextOffset"] == "1"
    assert len(shopper.data("your_go_to_items", addressId=home)["products"]) == 5


def test_the_cart_is_replaced_whole_and_its_bill_rounds_up(shopper: Shopper, home: str) -> None:
    shopper.put(("toned milk", 2), ("onion", 1), at=home)
    cart = shopper.put(("toned milk", 1), at=home)
    assert [(row["itemName"], row["quantity"]) for row in cart["items"]] == [("Nandini Toned Milk", 1)]
    lines = {row["label"]: row["value"] for row in cart["billBreakdown"]["lineItems"]}
    expected = {"Item Total": "₹24.00", "Handling Fee": "₹9.80", "Delivery Partner Fee": "₹30.00", "Small Cart Fee": "₹20.00"}
    assert lines == expected
    assert cart["billBreakdown"]["toPay"]["value"] == cart["cartTotalAmount"] == "₹84"
    assert shopper.cart()["items"] == cart["items"]


def test_the_echo_shows_only_the_base_of_the_address(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    cart = shopper.put(("onion", 1), at=home)
    assert cart["selectedAddressDetails"]["id"] == home.partition("__")[0] != home
    swiggy.settings(echo_address="missing")
    assert "selectedAddressDetails" not in shopper.cart()


def test_caps_and_missing_stock_are_successes_that_say_so(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    eggs = shopper.find("classic eggs", at=home)
    swiggy.catalogue(spin=eggs["spinId"], in_stock=False)
    onion = shopper.find("onion", at=home, size="1 kg")
    items = [{"spinId": v["spinId"], "skuId": v["skuId"], "quantity": 9} for v in (eggs, onion)]
    cart = shopper.data("update_cart", selectedAddressId=home, items=items)
    assert [row["spinId"] for row in cart["removedOutOfStockItems"]] == [eggs["spinId"]]
    reduced = cart["reducedQuantityItems"][0]
    assert (reduced["requestedQuantity"], reduced["cappedQuantity"]) == (9, 5)
    assert [row["quantity"] for row in cart["items"]] == [5]


def test_a_sku_of_another_store_and_a_missing_one_add_nothing(shopper: Shopper, home: str) -> None:
    there = shopper.find("onion", at=shopper.address("Home 2"))
    items = [
        {"spinId": there["spinId"], "skuId": there["skuId"], "quantity": 1},
        {"spinId": shopper.find("potato", at=home)["spinId"], "quantity": 1},
    ]
    cart = shopper.data("update_cart", selectedAddressId=home, items=items)
    assert cart["items"] == []
    assert [row["spinId"] for row in cart["unserviceableItems"]] == [there["spinId"]]


def test_a_row_that_ran_out_stays_in_the_cart_and_leaves_the_bill(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    cart = shopper.put(("toned milk", 2), ("onion", 1), at=home)
    swiggy.catalogue(spin=cart["items"][0]["spinId"], in_stock=False)
    again = shopper.cart()
    assert [row["isInStockAndAvailable"] for row in again["items"]] == [False, True]
    assert again["billBreakdown"]["lineItems"][0]["value"] == "₹21.00"


def test_a_foreign_row_can_survive_a_replacement(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    swiggy.cart([{"find": "classic eggs", "quantity": 1}])
    assert [row["itemName"] for row in shopper.cart()["items"]] == ["Suguna Classic Eggs"]
    assert len(shopper.put(("onion", 1), at=home)["items"]) == 1
    swiggy.cart([{"find": "classic eggs", "quantity": 1}])
    swiggy.settings(foreign_survives=True)
    assert len(shopper.put(("onion", 1), at=home)["items"]) == 2


@pytest.mark.parametrize(("switch", "after", "verified"), [("works", 0, True), ("unverified", 0, None), ("silent", 1, True)])
def test_a_cart_is_cleared_or_only_said_to_be(
    shopper: Shopper, swiggy: SandboxProcess, home: str, switch: str, after: int, verified: bool | None
) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(clear=switch)
    assert shopper.data("clear_cart")["verified"] is verified
    assert len(shopper.cart()["items"]) == after


def test_a_write_can_be_read_back_empty_or_stale(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    swiggy.settings(read_after_write="stale_once")
    assert len(shopper.put(("onion", 1), at=home)["items"]) == 1
    assert [len(shopper.cart()["items"]) for _ in range(2)] == [0, 1]
    swiggy.settings(read_after_write="empty")
    assert len(shopper.put(("onion", 1), at=home)["items"]) == 1
    assert [len(shopper.cart()["items"]) for _ in range(2)] == [0, 0]


def test_a_cart_left_alone_too_long_empties_itself(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(clock_ahead_s=1700)
    assert len(shopper.cart()["items"]) == 1
    swiggy.settings(clock_ahead_s=1900)
    assert shopper.cart()["cartAbsent"] is True


def test_a_surge_comes_and_goes_between_two_reads(shopper: Shopper, swiggy: SandboxProcess, home: str) -> None:
    shopper.put(("onion", 1), at=home)
    swiggy.settings(surge="flap")
    assert [shopper.cart()["cartTotalAmount"] for _ in range(3)] == ["₹111", "₹81", "₹111"]

"""The mode's calls against the sandbox: what is sent, what is sent again, and what is not sent at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from interactions.contracts import AbandonedError, Call, NotSentError, NotYetError, OvertakenError, TurnedDownError
from swiggy_instamart import accounts, effects
from swiggy_instamart.models import Order
from swiggy_instamart.options import Options
from tests.support import talk
from tests.support.shop import Till

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgres]


@pytest.fixture
def till(till: Till) -> Till:
    return till.to_shopping()


def call(till: Till, effect: str, **payload: Any) -> Call:
    session = talk.session_of(till.device)
    return Call(effect, payload, session.pk, session.user_id, 1, 1, timezone.now() + timedelta(seconds=20))


def perform(made: Call) -> Any:
    return effects.perform(made, options=Options())


def found(till: Till, *queries: str, samples: int = 3) -> list[Any]:
    items = [{"query": query, "count": None, "amount": None, "unit": None} for query in queries]
    address = talk.session_of(till.device).state["address"]["id"]
    return perform(call(till, "search", address=address, items=items, samples=samples))["found"]


def line_of(till: Till, query: str, quantity: int) -> dict[str, Any]:
    row = found(till, query, samples=1)[0]["variants"][0]
    return {key: row[key] for key in ("spin", "sku", "name", "size", "price_paise", "max_quantity")} | {
        "quantity": quantity,
        "available": True,
    }


def write(till: Till, before: list[Any], after: list[Any]) -> Call:
    address = talk.session_of(till.device).state["address"]["id"]
    return call(till, "write", address=address, before=before, after=after, edit={})


def held(till: Till) -> dict[str, int]:
    return {row["spin"]: row["quantity"] for row in perform(call(till, "cart", why="show"))["cart"]["lines"]}


# ---- search -------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P108", "P109")
def test_samples_of_one_item_are_asked_for_together_and_merged(till: Till) -> None:
    till.sandbox.settings(sampling=True, latency_ms=200)
    began = timezone.now()
    rows = found(till, "milk")[0]["variants"]
    took = timezone.now() - began
    calls = till.sandbox.calls("search_products")
    assert len(calls) == 3
    assert took < timedelta(milliseconds=3 * 200)  # one after the other would take longer
    assert len({row["spin"] for row in rows}) == len(rows)
    assert {one["arguments"]["addressId"] for one in calls} == {talk.session_of(till.device).state["address"]["id"]}


@pytest.mark.promise("P117")
def test_several_items_are_asked_for_once_each_and_three_at_a_time(till: Till) -> None:
    till.sandbox.settings(latency_ms=200)
    began = timezone.now()
    rows = found(till, "milk", "bread", "butter", "eggs")
    took = timezone.now() - began
    assert [row["query"] for row in rows] == ["milk", "bread", "butter", "eggs"]
    assert len(till.sandbox.calls("search_products")) == 4
    assert timedelta(milliseconds=400) <= took < timedelta(milliseconds=800)


@pytest.mark.promise("P110")
def test_promoted_rows_come_last_and_nothing_out_of_stock_is_offered(till: Till) -> None:
    rows = found(till, "milk")[0]["variants"]
    flags = [row["promoted"] for row in rows]
    assert flags == sorted(flags)


def test_at_the_first_sign_of_throttling_no_more_is_asked(till: Till) -> None:
    till.sandbox.faults([{"tool": "search_products", "kind": "status", "status": 429, "nth": 2}])
    rows = found(till, "milk", "bread", "butter", "eggs", "curd")
    assert len(till.sandbox.calls("search_products")) == 3
    assert [bool(row["error"]) for row in rows[3:]] == [True, True]


# ---- cart ---------------------------------------------------------------------------------------------------------------


@pytest.mark.case("D14")
@pytest.mark.promise("P153")
def test_a_basket_on_its_way_to_another_address_is_sent_again_until_it_is_there(till: Till) -> None:
    milk = line_of(till, "milk", 2)
    there = next(row["id"] for row in perform(call(till, "addresses"))["addresses"] if row["label"] == "Home 2")
    [moved] = perform(call(till, "rebuild", address=there, lines=[milk]))["lines"]
    assert (moved["spin"], moved["quantity"]) == (milk["spin"], 2)
    assert moved["sku"] != milk["sku"]
    again = replace(call(till, "write", address=there, before=[milk], after=[moved], edit={}, moved=True), attempt=2)
    for held in ([milk], []):  # nothing of it was done; it died between clearing and writing
        perform(write(till, [], [milk]) if held else call(till, "clear", before=[]))
        sent = len(till.sandbox.calls("update_cart"))
        assert perform(again)["cart"]["address_id"] == there.partition("__")[0]
        assert len(till.sandbox.calls("update_cart")) == sent + 1
    perform(again)  # and it was there
    assert len(till.sandbox.calls("update_cart")) == sent + 1


@pytest.mark.promise("P120", "P153")
def test_a_write_that_is_there_already_is_not_sent_again(till: Till) -> None:
    milk = line_of(till, "milk", 2)
    made = write(till, [], [milk])
    perform(made)
    again = perform(replace(made, attempt=2))
    assert not again["overtaken"]
    assert len(till.sandbox.calls("update_cart")) == 1
    assert held(till) == {milk["spin"]: 2}


@pytest.mark.promise("P153", "P156")
def test_a_write_that_did_not_arrive_is_sent_again_as_stored(till: Till) -> None:
    milk = line_of(till, "milk", 2)
    perform(replace(write(till, [], [milk]), attempt=2))
    assert held(till) == {milk["spin"]: 2}


@pytest.mark.promise("P153")
def test_a_cart_changed_since_is_told_and_not_written_over(till: Till) -> None:
    milk = line_of(till, "milk", 2)
    till.sandbox.cart([{"find": "eggs", "quantity": 1}], action="set")
    result = perform(replace(write(till, [], [milk]), attempt=2))
    assert result["overtaken"]
    assert result["report"]["foreign"]
    assert till.sandbox.calls("update_cart") == []


def test_a_success_that_kept_something_else_is_reported_with_its_numbers(till: Till) -> None:
    till.sandbox.settings(foreign_survives=True)
    till.sandbox.cart([{"find": "eggs", "quantity": 2}], action="set")
    milk = line_of(till, "milk", 1)
    report = perform(write(till, [], [milk]))["report"]
    assert [row["quantity"] for row in report["foreign"]] == [2]


def test_removing_the_last_line_empties_the_cart(till: Till) -> None:
    milk = line_of(till, "milk", 1)
    perform(write(till, [], [milk]))
    perform(write(till, [milk], []))
    assert held(till) == {}


@pytest.mark.promise("P106")
def test_a_clear_that_only_says_so_is_seen_by_reading(till: Till) -> None:
    till.sandbox.cart([{"find": "eggs", "quantity": 1}], action="set")
    till.sandbox.settings(clear="silent")
    assert perform(call(till, "clear"))["cart"]["lines"]
    till.sandbox.settings(clear="works")
    assert perform(call(till, "clear"))["cart"]["lines"] == []


@pytest.mark.promise("P120", "P264")
def test_nothing_is_written_or_ordered_before_the_account_is_quiet(till: Till) -> None:
    milk = line_of(till, "milk", 1)
    accounts.keep_quiet(till.device.owner_id, until=timezone.now() + timedelta(seconds=30))
    for made in (write(till, [], [milk]), call(till, "clear"), call(till, "recheck", utterance=1, said_at="", revision=1)):
        with pytest.raises(NotYetError):
            perform(made)
    with pytest.raises(NotSentError):
        perform(call(till, "checkout", address="a", said_at=timezone.now().isoformat()))
    assert till.sandbox.calls("update_cart") == till.sandbox.calls("checkout") == []


@pytest.mark.promise("P120")
def test_a_session_without_the_open_order_writes_and_orders_nothing(till: Till) -> None:
    milk = line_of(till, "milk", 1)
    Order.objects.update(session_ended_at=timezone.now())
    with pytest.raises(OvertakenError):
        perform(write(till, [], [milk]))
    with pytest.raises(NotSentError):
        perform(call(till, "checkout", address="a", said_at=timezone.now().isoformat()))
    assert till.sandbox.calls("checkout") == []


# ---- review and checkout ------------------------------------------------------------------------------------------------


@pytest.mark.promise("P261")
def test_words_that_grew_old_before_the_call_send_nothing(till: Till) -> None:
    old = (timezone.now() - timedelta(seconds=11)).isoformat()
    with pytest.raises(NotSentError):
        perform(call(till, "checkout", address="a", said_at=old))
    assert till.sandbox.calls("checkout") == []


@pytest.mark.promise("P126")
def test_a_review_reads_cart_and_payment_options_together(till: Till) -> None:
    till.sandbox.cart([{"find": "eggs", "quantity": 1}], action="set")
    before = len(till.sandbox.calls())
    result = perform(call(till, "review", address="a"))
    tools = {one["tool"] for one in till.sandbox.calls()[before:]}
    assert tools == {"get_cart", "get_payment_options"}
    assert result["scan"] is True


@pytest.mark.promise("P130")
def test_a_cart_that_only_takes_cash_offers_no_scan(till: Till) -> None:
    till.sandbox.settings(upi=False)
    assert perform(call(till, "review", address="a"))["scan"] is False


# ---- who may ------------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P095", "P170")
def test_the_shop_is_not_asked_for_a_person_who_is_not_linked(till: Till, ravi: Any) -> None:
    before = len(till.sandbox.calls())
    with pytest.raises(TurnedDownError) as refused:
        perform(replace(call(till, "addresses", text=""), user=ravi.pk))
    assert refused.value.code == "not_linked"
    assert len(till.sandbox.calls()) == before


@pytest.mark.promise("P096")
def test_missing_credentials_are_not_configured_and_the_shop_is_not_asked(till: Till, settings: Any, tmp_path: Path) -> None:
    before = len(till.sandbox.calls())
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path
    with pytest.raises(TurnedDownError) as refused:
        perform(call(till, "addresses", text=""))
    assert refused.value.code == "not_configured"
    assert len(till.sandbox.calls()) == before


def test_a_stop_ends_the_waiting_of_every_search_of_a_wave_and_leaves_no_connection(till: Till) -> None:
    till.sandbox.settings(latency_ms=3000)
    asked = call(till, "search", address="a", items=[{"query": "milk"}, {"query": "bread"}], samples=3)
    began = timezone.now()
    with pytest.raises(AbandonedError):
        perform(replace(asked, abandoned=lambda: Order.objects.exists()))
    assert timezone.now() - began < timedelta(seconds=2)

"""One whole order over the wire: real processes, a real device, and the shop's ledger as the judge."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.support.system import Speaker, System, converse, spoken
from tests.support.waiting import wait_until

pytestmark = pytest.mark.on_postgres

CART_TOOLS = {"get_cart", "update_cart", "clear_cart", "get_payment_options", "checkout"}


def waves(calls: list[dict[str, Any]]) -> list[list[str]]:
    """The calls as round trips: what was in flight together is one."""
    found: list[list[str]] = []
    busy_until = 0.0
    for call in sorted(calls, key=lambda call: call["at"]):
        if call["at"] >= busy_until:
            found.append([])
        found[-1].append(call["tool"])
        busy_until = max(busy_until, call["ended_at"])
    return found


@pytest.mark.promise("P146", "P158", "P165", "P244")
def test_a_whole_order_is_spoken_once_in_order_and_bought_once(house: System, kitchen: Speaker) -> None:
    house.shop(autopay_s=0.5)
    greetings = house.ledger()["rpc"].get("initialize", 0)
    trips: dict[str, list[list[str]]] = {}
    with kitchen.listening() as device:
        for line in ("order swiggy", "yes", "milk", "option 1", "make it two", "show cart", "complete order"):
            # So long that calls that are sent together overlap on a loaded machine too.
            house.shop(latency_ms=400 if line in ("milk", "complete order") else 20)
            seen = len(house.calls())
            converse(device, line)
            trips[line] = waves(house.calls()[seen:])
        house.shop(latency_ms=20)
        seen = len(house.calls())
        converse(device, "confirm order", "@until interaction.ended")
    ledger = house.ledger()

    numbers = [event.seq for event in device.heard]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "a number is missing, doubled or out of order"
    assert len(numbers) == house.value("SELECT COUNT(*) FROM interactions_deviceevent"), "something stored was not delivered"
    answers = [event.data["answers"] for event in device.heard if event.data.get("answers")]
    assert answers == sorted(answers), "replies out of order"

    counts = ledger["counts"]
    assert {name: counts[name] for name in ("checkouts", "committed", "paid", "placed")} == dict.fromkeys(
        ("checkouts", "committed", "paid", "placed"), 1
    )
    assert counts["confirms"] <= 1
    assert trips["order swiggy"] == [["get_addresses"]], "the cart was touched before the address was confirmed"
    assert len(trips["yes"]) == 1
    assert len(trips["milk"]) == 1
    assert len(trips["option 1"]) <= 2
    assert len(trips["make it two"]) <= 2
    assert len(trips["complete order"]) == 1
    confirming = [call["tool"] for call in ledger["calls"][seen:]]
    assert confirming[:2] == ["get_cart", "checkout"]
    assert not CART_TOOLS & set(confirming[2:]), "the cart was touched after the checkout"
    assert ledger["rpc"].get("initialize", 0) - greetings <= 4, "more handshakes than effects children"


@pytest.mark.promise("P165", "P250")
def test_the_same_order_without_an_event_stream(house: System, kitchen: Speaker) -> None:
    house.shop(autopay_s=0.5)
    told = kitchen.order_by_cursor()
    assert all(later["id"] == earlier["id"] + 1 for earlier, later in pairwise(told))
    counts = house.ledger()["counts"]
    assert (counts["checkouts"], counts["paid"], counts["placed"]) == (1, 1, 1)


@pytest.mark.promise("P061", "P205")
def test_one_account_has_one_order_and_other_people_go_on_talking(
    house: System, kitchen: Speaker, hall: Speaker, bedroom: Speaker
) -> None:
    assert "Home" in kitchen.ask("order swiggy")
    other = hall.answer_to(hall.accepted("order swiggy"))
    assert "already open at kitchen" in other["text"]
    assert "stays there" in hall.ask("no")
    assert house.session(other["session_id"], "end_reason") == "order_open_elsewhere"
    stranger = bedroom.answer_to(bedroom.accepted("order swiggy"))
    assert house.session(stranger["session_id"], "end_reason") == "not_linked"
    assert bedroom.ask("open echo good evening").endswith("good evening")
    kitchen.ask("yes")
    assert [call["tool"] for call in house.calls()] == ["get_addresses", "get_cart"], "somebody else's words reached the shop"


@pytest.mark.promise("P205", "P259")
def test_an_order_goes_on_at_another_device(house: System, kitchen: Speaker, hall: Speaker) -> None:
    """Every part of it in a worker of its own: the question, the move, and what is said after it."""
    start = kitchen.replies()["cursor"]  # an earlier test may have spoken there
    kitchen.ask("order swiggy")
    assert "take it over" in hall.ask("order swiggy")
    cursor = hall.accepted("take it over")["cursor"]

    def arrived() -> bool:
        told = hall.replies(after=cursor)["events"]
        return any("Use Home for delivery?" in one["data"].get("text", "") for one in told)

    wait_until(arrived, 20, "the order is in the hall")
    hall.ask("yes")
    assert [call["tool"] for call in house.calls()] == ["get_addresses", "get_cart"]
    told = [one["data"].get("text") for one in kitchen.replies(after=start)["events"]]
    assert "Your order goes on at hall now." in told


@pytest.mark.promise("P061")
def test_two_people_talk_at_the_same_time(house: System, kitchen: Speaker, bedroom: Speaker) -> None:
    with kitchen.listening() as hers, bedroom.listening() as his:
        converse(hers, "open echo")
        converse(his, "open echo")
        ours = [spoken(converse(device, f"number {n}")) for n in range(3) for device in (hers, his)]
    assert ours == [[f"You said: number {n}"] for n in range(3) for _ in range(2)]

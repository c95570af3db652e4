"""Worker processes that die or stand still in the middle of a call: what was begun is finished once, or called unknown."""

from __future__ import annotations

import os
import signal
import time
from datetime import UTC, datetime

import pytest

from interactions import client
from interactions.client import Event
from tests.support.system import BOUND_S, Speaker, System, converse, frozen, spoken
from tests.support.waiting import wait_until

RESUMED_S = 10.0  # from the death, or from the end of the call's time, to the next word
UNKNOWN = "I don't know whether"


def shopping(device: client.Device) -> int:
    """A session that waits for a choice of milk."""
    return int(converse(device, "order swiggy", "yes", "milk")[-1].data["session_id"])


def reviewed(device: client.Device) -> int:
    """A session whose order was read back."""
    session = shopping(device)
    converse(device, "option 1", "complete order")
    return session


def until_said(device: client.Device, words: str, *, within: float = BOUND_S) -> Event:
    *_, said = device.until(lambda event: words in str(event.data.get("text") or ""), within)
    return said


def next_said(device: client.Device) -> Event:
    *_, said = device.until(lambda event: bool(event.data.get("text")), BOUND_S)
    return said


@pytest.mark.race
@pytest.mark.promise("P152", "P156")
def test_a_search_whose_worker_died_is_made_again(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        session = int(converse(device, "order swiggy", "yes")[-1].data["session_id"])
        house.fault("search_products", "hang", nth=1)
        device.say("milk")
        house.wait_call("search_products")
        died = time.monotonic()
        os.kill(house.holder(session), signal.SIGKILL)
        until_said(device, "Milk")
        assert time.monotonic() - died < RESUMED_S


@pytest.mark.race
@pytest.mark.promise("P152", "P153", "P155", "P156")
@pytest.mark.parametrize(
    ("where", "meanwhile", "writes", "answer"),
    [
        pytest.param("before", None, 2, "The cart has", id="it never arrived"),
        pytest.param("after", None, 1, "The cart has", id="it had arrived"),
        pytest.param("before", "eggs", 1, "nothing", id="somebody else changed the cart"),
    ],
)
def test_a_cart_write_whose_worker_died_is_done_once_with_the_same_payload_or_not_at_all(
    house: System, kitchen: Speaker, where: str, meanwhile: str | None, writes: int, answer: str
) -> None:
    with kitchen.listening() as device:
        session = shopping(device)
        house.fault("update_cart", "hang", where=where, times=1)
        device.say("option 1")
        house.wait_call("update_cart")
        shown = device.say("show cart")
        lost_until = house.shorten_call(session, to_s=2)
        os.kill(house.holder(session), signal.SIGKILL)
        if meanwhile is not None:
            house.edit_cart(meanwhile)
        until_said(device, answer)
        assert (datetime.now(UTC) - lost_until).total_seconds() < RESUMED_S
        assert next_said(device).data["answers"] == shown["id"], "what was said next is not what is handled next"
    calls = house.calls("update_cart")
    assert len(calls) == writes
    assert all(call["arguments"] == calls[0]["arguments"] for call in calls)
    assert all(call["at"] >= lost_until.timestamp() for call in calls[1:]), "written while the lost call could still arrive"
    assert [line["quantity"] for line in house.ledger()["cart"]["lines"]] == [1]
    assert house.sql("SELECT DISTINCT attempts FROM interactions_inboxitem") == [(1,)], "an input was handled again"


@pytest.mark.race
@pytest.mark.promise("P154", "P155", "P156")
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_checkout_whose_worker_died_is_called_unknown_and_never_made_again(
    house: System, kitchen: Speaker, where: str
) -> None:
    with kitchen.listening() as device:
        session = reviewed(device)
        house.fault("checkout", "hang", where=where, times=1)
        device.say("confirm order")
        house.wait_call("checkout")
        died = time.monotonic()
        os.kill(house.holder(session), signal.SIGKILL)
        unknown = until_said(device, UNKNOWN)
        assert time.monotonic() - died < RESUMED_S
        looked = house.wait_call("get_orders")
        assert datetime.fromisoformat(unknown.data["at"]).timestamp() <= looked["at"], "looked up before it was said"
        if where == "after":
            *_, ended = device.until(lambda event: event.kind == "interaction.ended", BOUND_S)
            assert ended.data["reason"] == "checkout_order_seen"
    assert len(house.calls("checkout")) == 1


@pytest.mark.race
@pytest.mark.promise("P154")
def test_a_checkout_whose_holder_stood_still_past_its_lease_changes_nothing_when_it_wakes_up(
    house: System, kitchen: Speaker
) -> None:
    with kitchen.listening() as device:
        session = reviewed(device)
        house.fault("checkout", "slow", where="after", seconds=0.5, times=1)
        device.say("confirm order")
        house.wait_call("checkout")
        with frozen(house.holder(session)):
            house.sql("UPDATE interactions_interactionsession SET lease_until = %s WHERE id = %s", datetime.now(UTC), session)
            until_said(device, UNKNOWN)
        *_, ended = device.until(lambda event: event.kind == "interaction.ended", BOUND_S)
        assert ended.data["reason"] == "checkout_order_seen"
        said = [event.data["text"] for event in device.heard if event.data.get("text")]
    assert len(house.calls("checkout")) == 1
    assert len(said) == len(set(said)), "something was said twice"


@pytest.mark.race
@pytest.mark.promise("P154", "P156")
def test_a_holder_that_stood_still_past_its_lease_is_dead_before_it_can_check_out(house: System, kitchen: Speaker) -> None:
    with kitchen.listening() as device:
        session = reviewed(device)
        house.fault("get_cart", "slow", seconds=1, times=1)
        reads = len(house.calls("get_cart"))
        device.say("confirm order")
        house.wait_call("get_cart", count=reads + 1)
        holder = house.holder(session)
        with frozen(holder):
            house.wait_call("get_cart", count=reads + 2)  # somebody else went on
            said = spoken(list(device.until(lambda event: event.data.get("phase") != "awaiting_confirmation", BOUND_S)))
        wait_until(lambda: not os.path.exists(f"/proc/{holder}"), BOUND_S, "the frozen holder to die as it wakes up")  # noqa: PTH110
    assert len(house.calls("checkout")) <= 1, said

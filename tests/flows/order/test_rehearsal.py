"""Practice: a whole order at the practice shop, said to be practice, while the shop of real orders hears nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from interactions import configuration, host, registry, status
from interactions.models import Checkpoint, InteractionSession
from interactions.status import Light
from swiggy_instamart import lights, linked, practice, rehearsing, tokens
from swiggy_instamart.models import Account, CheckoutIntent, Order, PaymentWatch, Recovery, StrayOrder
from swiggy_instamart.sandbox.process import SandboxProcess
from tests.flows.order.dialogue import Ledger, Speaker
from tests.support.people import Owned

ROWS = (Account, Order, CheckoutIntent, PaymentWatch, Recovery, StrayOrder)
OVER = "That was practice: nothing was ordered and nothing was paid."
SCRIPT = ("practice order swiggy", "yes", "milk", "option 1", "complete order", "confirm order")


@pytest.fixture(scope="module")
def _playground() -> Iterator[SandboxProcess]:
    with SandboxProcess(hold_s=0, autopay_s=0) as running:
        yield running
        practice.close()


@pytest.fixture
def playground(
    _playground: SandboxProcess, sandbox: SandboxProcess, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> SandboxProcess:
    """The practice shop, with its mode listed beside that of real orders."""
    _playground.reset()
    settings.SWIGGY_REHEARSAL_URL = _playground.url
    monkeypatch.setattr(rehearsing, "PAUSE_S", 0.01)
    listed("swiggy_order", "swiggy_rehearsal", patch=monkeypatch)
    return _playground


def listed(*modes: str, patch: pytest.MonkeyPatch) -> None:
    """The door as it stands where the operator lists these modes."""
    current = configuration.current()
    entry = current.plugins["swiggy_instamart"].model_copy(update={"modes": list(modes)})
    told = replace(current, plugins={**current.plugins, "swiggy_instamart": entry})
    found = registry.examine(told)
    assert not found.faults, found.faults
    patch.setattr(configuration, "current", lambda: told)
    patch.setattr(registry, "_registry", found)


def speak(speaker: Speaker, *lines: str) -> list[str]:
    return [speaker.say(line) for line in lines]


def rows() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in ROWS}


def nothing_happened(ledger: Ledger) -> None:
    """The real shop was never asked anything, not even who is there; and nothing of it stands in a row."""
    seen = ledger.sandbox.ledger()
    assert seen["calls"] == []
    assert seen["rpc"] == {}
    assert set(seen["http"]) <= {"GET"}, "only the test itself looked"
    assert not any(rows().values())


# ---- a whole one --------------------------------------------------------------------------------------------------------


@pytest.fixture
def practising(asha_speaks: Speaker, playground: SandboxProcess) -> Speaker:
    return asha_speaks


@pytest.mark.promise("P217", "P258", "P052")
def test_a_whole_order_is_practised_and_said_to_be_practice(
    practising: Speaker, playground: SandboxProcess, ledger: Ledger
) -> None:
    opened, address, found, added, review, placed = speak(practising, *SCRIPT)
    assert opened == "This is practice: nothing is ordered and nothing is paid, whatever you say. Use Home for delivery?"
    assert "What would you like?" in address
    assert "Milk" in found
    assert "Milk" in added
    assert review.startswith("Practice. Your order: ")
    assert "Practice. A real order would now wait for your payment of ₹" in placed
    assert "Practice. Instamart order placed successfully." in placed
    assert placed.rstrip().endswith(f"{OVER} Say order Swiggy when you mean it.")
    assert (practising.session.mode, practising.phase, practising.ended) == ("swiggy_rehearsal", "finished", "rehearsed")
    assert playground.ledger()["counts"] | {"confirms": 0} == {
        "checkouts": 1,
        "committed": 1,
        "paid": 1,
        "placed": 1,
        "confirms": 0,
    }
    assert practising.of_kind("interaction.payment") == [], "no link, not even a false one"
    nothing_happened(ledger)


@pytest.mark.promise("P217")
def test_every_reply_of_practice_is_marked_for_screens(practising: Speaker) -> None:
    speak(practising, *SCRIPT)
    replies = practising.of_kind("interaction.reply")
    assert len(replies) > len(SCRIPT)
    assert all(row["data"].get("practice") is True for row in replies)
    assert {row["mode"] for row in replies} == {"swiggy_rehearsal"}


@pytest.mark.promise("P258")
def test_it_needs_neither_a_linked_user_nor_a_sign_in(
    practising: Speaker, ledger: Ledger, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SWIGGY_LINKED_USER_ID, settings.SWIGGY_MCP_URL = "", ""
    settings.SWIGGY_TOKEN_DIRECTORY = tmp_path / "nowhere"
    listed("swiggy_rehearsal", patch=monkeypatch)

    def asked(*_: Any, **__: Any) -> Any:
        raise AssertionError("practice asks for nobody's sign-in")

    for module, name in ((tokens, "configured"), (tokens, "verdict"), (linked, "lookup")):
        monkeypatch.setattr(module, name, asked)
    assert OVER in speak(practising, *SCRIPT)[-1]
    nothing_happened(ledger)


@pytest.mark.promise("P258", "P170")
def test_anybody_may_practise(
    at: Callable[[Owned], Speaker], bedroom: Owned, playground: SandboxProcess, ledger: Ledger
) -> None:
    ravi = at(bedroom)
    assert OVER in speak(ravi, *SCRIPT)[-1]
    nothing_happened(ledger)


@pytest.mark.promise("P217")
@pytest.mark.parametrize("spoken", ["practise order swiggy", "rehearse swiggy", "practice ordering", "अभ्यास ऑर्डर स्विगी"])
def test_it_opens_by_other_words_too(practising: Speaker, spoken: str) -> None:
    practising.say(spoken)
    assert practising.session.mode == "swiggy_rehearsal"


@pytest.mark.promise("P052", "P217")
def test_the_shorter_phrase_still_opens_a_real_order(practising: Speaker, ledger: Ledger) -> None:
    assert practising.say("order swiggy") == "Use Home for delivery?"
    assert practising.session.mode == "swiggy_order"
    assert ledger.count("get_addresses") == 1


@pytest.mark.promise("P258")
def test_it_is_off_unless_it_is_listed(asha_speaks: Speaker, ledger: Ledger) -> None:
    assert asha_speaks.say("practice order swiggy") == "The chain heard: practice order swiggy"
    assert not InteractionSession.objects.exists()
    assert ledger.calls == []


# ---- never taken for one another ----------------------------------------------------------------------------------------


@pytest.mark.promise("P217")
@pytest.mark.parametrize("lines", [1, 2, 4, 5])
def test_practice_asked_for_in_a_real_order_is_told_so_and_changes_nothing(
    practising: Speaker, ledger: Ledger, lines: int
) -> None:
    speak(practising, "order swiggy", *SCRIPT[1:lines])
    phase, before = practising.phase, ledger.calls
    said = practising.say("practice order swiggy")
    assert said.startswith("This is a real order, not practice. To practise, end it first: say stop, then practice order")
    assert (practising.session.mode, practising.phase, ledger.calls) == ("swiggy_order", phase, before)
    practising.say("stop")
    assert practising.say("practice order swiggy").startswith("This is practice:")


@pytest.mark.promise("P217")
def test_words_of_practice_leave_a_review_good_for_its_phrase(practising: Speaker, ledger: Ledger) -> None:
    practising.to_review()
    practising.say("practice order swiggy")
    assert practising.phase == "awaiting_confirmation"
    practising.say("confirm order")
    assert ledger.money.checkouts == 1


@pytest.mark.promise("P217")
@pytest.mark.parametrize("spoken", ["order swiggy", "hey Hermes, order Swiggy"])
@pytest.mark.parametrize("lines", [1, 2, 4, 5])
def test_a_practice_never_becomes_a_real_order(practising: Speaker, ledger: Ledger, lines: int, spoken: str) -> None:
    speak(practising, *SCRIPT[:lines])
    phase = practising.phase
    assert practising.say(spoken).startswith("This is practice, not a real order. To order in earnest, end the practice first")
    assert (practising.session.mode, practising.phase) == ("swiggy_rehearsal", phase)
    assert InteractionSession.objects.count() == 1
    nothing_happened(ledger)


@pytest.mark.promise("P217", "P245")
def test_it_is_told_in_the_language_that_is_spoken(practising: Speaker) -> None:
    speak(practising, "order swiggy", "हाँ", "दूध")
    assert practising.say("अभ्यास ऑर्डर स्विगी").startswith("यह असली ऑर्डर है, अभ्यास नहीं।")
    assert practising.phase == "shopping"


# ---- beside real orders -------------------------------------------------------------------------------------------------


@pytest.mark.promise("P217")
def test_practice_at_another_device_neither_blocks_a_real_order_nor_is_blocked_by_one(
    practising: Speaker, at: Callable[[Owned], Speaker], hall: Owned, ledger: Ledger, playground: SandboxProcess
) -> None:
    in_the_hall = at(hall)
    practising.to_shopping()
    speak(in_the_hall, *SCRIPT[:-1])
    before = ledger.calls
    assert OVER in in_the_hall.say("confirm order")
    assert ledger.calls == before, "the practice called its own shop only"
    speak(practising, "milk", "option 1", "complete order", "confirm order")
    assert practising.phase == "awaiting_payment"
    assert (ledger.money.checkouts, playground.ledger()["counts"]["checkouts"]) == (1, 1)
    assert CheckoutIntent.objects.count() == 1


SHUT = "I do not practise now: your real order at kitchen waits to be confirmed, and would hear the same words."
CUT = "The practice ends here, and nothing of it was ordered or paid: your real order at {place} now waits to be confirmed"


@pytest.mark.promise("P217", "P132")
def test_no_practice_begins_while_a_real_order_of_the_same_person_waits_to_be_confirmed(
    practising: Speaker, at: Callable[[Owned], Speaker], hall: Owned, ledger: Ledger, playground: SandboxProcess
) -> None:
    in_the_hall = at(hall)
    practising.to_review()
    said = in_the_hall.say("practice order swiggy")
    assert SHUT in said
    assert OVER not in said, "it does not send anybody off to order for real"
    assert in_the_hall.ended == "real_order_in_review"
    assert playground.ledger()["calls"] == []
    in_the_hall.say("confirm order")
    assert ledger.money.checkouts == 0
    practising.say("confirm order")
    assert ledger.money.checkouts == 1
    assert "This is practice:" in in_the_hall.say("practice order swiggy")
    assert in_the_hall.ended == ""


@pytest.mark.promise("P217", "P132")
@pytest.mark.parametrize("lines", [1, 2, 3, 5])
def test_a_practice_ends_when_a_real_order_of_the_same_person_is_read_back(
    practising: Speaker, at: Callable[[Owned], Speaker], hall: Owned, ledger: Ledger, playground: SandboxProcess, lines: int
) -> None:
    in_the_hall = at(hall)
    speak(in_the_hall, *SCRIPT[:lines])
    practising.to_review()
    in_the_hall.post("confirm order")
    in_the_hall.work()
    said = in_the_hall.hear()
    assert CUT.format(place="another device") in said
    assert in_the_hall.ended == "real_order_in_review"
    assert (ledger.money.checkouts, playground.ledger()["counts"]["checkouts"]) == (0, 0)
    assert practising.phase == "awaiting_confirmation"
    practising.say("confirm order")
    assert ledger.money.checkouts == 1


@pytest.mark.promise("P217", "P132")
def test_a_practice_that_was_not_ended_in_time_reads_nothing_back_beside_a_real_review(
    practising: Speaker, at: Callable[[Owned], Speaker], hall: Owned, playground: SandboxProcess
) -> None:
    practising.to_shopping()
    in_the_hall = at(hall)
    speak(in_the_hall, *SCRIPT[:4])
    InteractionSession.objects.filter(pk=practising.session.pk).update(phase="awaiting_confirmation")
    assert CUT.format(place="kitchen") in in_the_hall.say("complete order")
    assert in_the_hall.ended == "real_order_in_review"


@pytest.mark.promise("P217", "P170")
def test_the_review_of_somebody_else_is_told_to_nobody(
    practising: Speaker, at: Callable[[Owned], Speaker], bedroom: Owned, ledger: Ledger
) -> None:
    practising.to_review()
    assert OVER in speak(at(bedroom), *SCRIPT)[-1]
    assert ledger.money.checkouts == 0
    assert practising.phase == "awaiting_confirmation"


@pytest.mark.promise("P217")
def test_a_practice_checkout_without_an_answer_leaves_no_doubt_about_a_real_order(
    practising: Speaker, playground: SandboxProcess, ledger: Ledger
) -> None:
    speak(practising, *SCRIPT[:-1])
    playground.faults([{"tool": "checkout", "kind": "drop", "where": "after"}])
    said = practising.say("confirm order")
    assert "The practice shop did not answer." in said
    assert OVER in said
    assert "check Swiggy" not in said
    nothing_happened(ledger)
    assert not Checkpoint.objects.exclude(open_since=None).exists()
    practising.to_review()
    assert "may exist" not in practising.events[-1]["text"]


@pytest.mark.promise("P217")
def test_a_recovery_makes_nothing_of_practice(practising: Speaker, ledger: Ledger) -> None:
    speak(practising, *SCRIPT[:-1])
    assert registry.mode("swiggy_rehearsal").recover(at=practising.clock.now()) == {}
    assert host.signal(practising.session.pk, name="recovered", data={})
    practising.work()
    assert practising.hear() == ""
    assert OVER in practising.say("confirm order")
    nothing_happened(ledger)


@pytest.mark.promise("P217")
def test_who_leaves_hears_that_it_was_practice(practising: Speaker, ledger: Ledger) -> None:
    for stop_at in (1, 2, 5):
        speak(practising, *SCRIPT[:stop_at])
        assert practising.say("cancel order").startswith(OVER)
        assert practising.ended == "cancelled"
    nothing_happened(ledger)


@pytest.mark.promise("P217")
def test_each_practice_begins_with_an_empty_basket(practising: Speaker, playground: SandboxProcess) -> None:
    playground.cart([{"find": "eggs", "quantity": 1}])
    assert "What would you like?" in speak(practising, *SCRIPT[:2])[-1]


@pytest.mark.promise("P217")
def test_one_person_practises_at_a_time(practising: Speaker, at: Callable[[Owned], Speaker], bedroom: Owned) -> None:
    practising.say("practice order swiggy")
    ravi = at(bedroom)
    said = ravi.say("practice order swiggy")
    assert "already open at another device" in said
    assert "kitchen" not in said
    assert ravi.ended == "order_open_elsewhere"
    practising.say("cancel order")
    assert "Use Home for delivery?" in ravi.say("practice order swiggy")


@pytest.mark.promise("P217", "P273")
def test_what_was_ordered_in_practice_is_asked_of_the_practice_shop(practising: Speaker, ledger: Ledger) -> None:
    speak(practising, *SCRIPT[:3])
    said = practising.say("where is my order")
    assert said.startswith("Practice. Swiggy lists no order that is on its way.")
    nothing_happened(ledger)


# ---- it cannot leave ----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P217")
@pytest.mark.parametrize(
    "url", ["https://mcp.swiggy.com/im", "http://localhost:8020/im", "http://10.0.0.5:8020/im", "", "https://127.0.0.1/im"]
)
def test_an_address_that_is_changed_under_a_running_practice_is_not_called(
    practising: Speaker, playground: SandboxProcess, ledger: Ledger, settings: Any, url: str
) -> None:
    speak(practising, *SCRIPT[:-1])
    settings.SWIGGY_REHEARSAL_URL = url
    before = len(playground.ledger()["calls"])
    practising.say("confirm order")
    assert len(playground.ledger()["calls"]) == before
    nothing_happened(ledger)


@pytest.mark.promise("P217")
def test_led_to_the_real_shop_it_calls_nobody(
    practising: Speaker, sandbox: SandboxProcess, ledger: Ledger, settings: Any
) -> None:
    settings.SWIGGY_REHEARSAL_URL = sandbox.url
    practising.say("practice order swiggy")
    nothing_happened(ledger)


@pytest.mark.promise("P217")
def test_its_bearer_is_turned_away_by_any_shop_that_did_not_publish_its_key() -> None:
    import base64
    import json

    head, body, _ = (part + "=" * (-len(part) % 4) for part in practice.PracticeSignIn().bearer().split("."))
    claims = json.loads(base64.urlsafe_b64decode(body))
    assert json.loads(base64.urlsafe_b64decode(head))["alg"] == "HS256"
    assert claims["user_id"] == "90000001", "the sandbox's own account, and nobody's"


# ---- what the operator sees ---------------------------------------------------------------------------------------------


@pytest.mark.promise("P163", "P217")
def test_the_practice_shop_has_a_light_that_is_red_unless_it_answered_lately(
    practising: Speaker, playground: SandboxProcess, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    light = lights.practice_shop()
    assert (light.green, light.text.startswith("never answered; start the sandbox that SWIGGY_REHEARSAL_URL")) == (False, True)
    practice.look()
    assert lights.practice_shop() == Light(True, "last answered 0 s ago")
    settings.SWIGGY_REHEARSAL_URL = "http://127.0.0.1:9/im"  # nobody is there
    practice.look()
    practising.clock.forward(status.QUIET_S + 1)
    assert not lights.practice_shop().green


@pytest.mark.promise("P258")
@pytest.mark.parametrize("mode", ["swiggy_order", "swiggy_rehearsal"])
def test_a_light_and_a_look_are_there_only_where_the_mode_is_listed(
    playground: SandboxProcess, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(status, "_looks", {})
    monkeypatch.setattr(host, "_ticks", {})
    listed(mode, patch=monkeypatch)
    lights.register()
    found = (practice.LIGHT in status._looks, "practice" in host.ticks(), "swiggy sign-in" in status._looks)
    assert found == ((False, False, True) if mode == "swiggy_order" else (True, True, False))


@pytest.mark.promise("P217")
@pytest.mark.parametrize("url", ["https://mcp.swiggy.com/im", "http://10.0.0.5:8020/im"])
def test_no_look_is_taken_elsewhere(
    playground: SandboxProcess, settings: Any, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    def asked(*_: Any, **__: Any) -> Any:
        raise AssertionError("nobody else is asked whether practice is there")

    monkeypatch.setattr("httpx2.get", asked)
    settings.SWIGGY_REHEARSAL_URL = url
    practice.look()

"""Guards of money that stand behind or before another one: each looked at alone, so that its removal shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from interactions.contracts import (
    Deadline,
    Event,
    Failed,
    NoAnswerError,
    NotSentError,
    Outcome,
    Refused,
    Signal,
    Silence,
    Started,
)
from swiggy_instamart import failures, receipts
from swiggy_instamart.envelopes import Body
from swiggy_instamart.failures import Trace
from swiggy_instamart.shop import Swiggy
from tests.support.ordering import NOON, PENDING, Order, cart, line

REHEARSALS = {"certification", "randomised"}  # they have the shop misbehave at a tool, by its name; they call none
ROOT = Path(__file__).resolve().parents[2]
SPENDS = {"review", "recheck", "checkout"}
PHASES = ("to_address", "to_shopping", "to_review", "to_checkout", "to_payment")
SEEN = {"order_id": "ORD9", "status": "PENDING_PAYMENT", "total_paise": 26900}
UNHEARD: tuple[Event, ...] = (
    Started(NOON, "confirm order", 1),
    *(Silence(NOON, rung) for rung in (1, 2, 3)),
    *(Deadline(NOON, kind) for kind in ("idle", "hard")),
    *(Signal(NOON, "payment", {"utterance": 1, "result": result}) for result in ("paid", "payment_failed", "cart_changed")),
    *(Signal(NOON, "lookup", {"utterance": 1, "order": order}) for order in (None, SEEN)),
    Signal(NOON, "awaits", {"utterance": 1, "reviewed_paise": 26900, "result": PENDING}),
    Signal(NOON, "end", {"by": "operator"}),
    Signal(NOON, "moved", {"device": 8}),
)


def product() -> Iterator[tuple[str, ast.Call]]:
    """Every call that is written anywhere in the product; the sandbox is the shop."""
    for room in ("chronicle", "interactions", "swiggy_instamart"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if "sandbox" not in path.parts and "migrations" not in path.parts:
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    if isinstance(node, ast.Call):
                        yield str(path.relative_to(ROOT)), node


def named(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def first(call: ast.Call) -> Any:
    return call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None


# ---- who may spend ------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P124")
def test_one_line_of_the_product_checks_out_and_one_confirms() -> None:
    callers = [(path, named(call)) for path, call in product() if named(call) in ("checkout", "confirm_order")]
    assert callers == [("swiggy_instamart/errands.py", "checkout"), ("swiggy_instamart/payments.py", "confirm_order")]


@pytest.mark.promise("P124", "P217")
def test_one_line_has_it_done_at_the_real_shop_and_one_at_that_of_rehearsals() -> None:
    askers = [(path, ast.unparse(call.args[0])) for path, call in product() if ast.unparse(call.func) == "errands.place"]
    assert askers == [
        ("swiggy_instamart/effects.py", "HERE.writing(call)"),
        ("swiggy_instamart/rehearsing.py", "HERE.writing(call)"),
    ]
    counters = [(path, ast.unparse(call)) for path, call in product() if ast.unparse(call.func) == "errands.Counter"]
    shops = [(path, ast.unparse(call)) for path, call in product() if ast.unparse(call) in ("mcp.swiggy()", "practice.shop()")]
    assert counters == [
        ("swiggy_instamart/effects.py", "errands.Counter(_shop, _check_quiet)"),
        ("swiggy_instamart/rehearsing.py", "errands.Counter(_shop, _anybody)"),
    ]
    assert {path: shop for path, shop in shops if path in dict(counters)} == {
        "swiggy_instamart/effects.py": "mcp.swiggy()",
        "swiggy_instamart/rehearsing.py": "practice.shop()",
    }


@pytest.mark.promise("P124")
def test_one_line_of_the_product_asks_for_the_checkout_and_one_names_each_tool() -> None:
    found = [(path, named(call)) for path, call in product() if first(call) in ("checkout", "confirm_order")]
    asked = [(path, name) for path, name in found if Path(path).parts[1] not in REHEARSALS]
    assert asked == [
        ("swiggy_instamart/paying.py", "Effect"),
        ("swiggy_instamart/shop.py", "_write"),
        ("swiggy_instamart/shop.py", "_write"),
    ]


@pytest.mark.promise("P124")
@pytest.mark.parametrize("event", UNHEARD, ids=lambda event: f"{type(event).__name__}-{getattr(event, 'name', '')}")
def test_nothing_but_words_that_were_heard_asks_for_a_review_or_a_checkout(event: Event) -> None:
    for phase in PHASES:
        order = Order()
        getattr(order, phase)()
        before = len(order.calls)
        order.event(event)
        assert not SPENDS & set(order.calls[before:]), phase


@pytest.mark.promise("P134")
def test_the_phrase_asks_for_the_last_reading_and_not_yet_for_the_call() -> None:
    order = Order().to_review()
    order.say("confirm order")
    assert order.calls[-1] == "recheck"
    assert "checkout" not in order.calls
    assert order.phase == "awaiting_confirmation"


@pytest.mark.promise("P134")
def test_a_line_that_the_shop_moved_out_of_the_cart_as_not_deliverable_is_a_change() -> None:
    order = Order().to_review()
    order.say("confirm order")
    order.settle({"cart": cart(line("milk-1", 2), unserviceable=["Curd"])})
    assert "checkout" not in order.calls
    assert order.phase == "shopping"


@pytest.mark.promise("P202")
def test_the_last_reading_for_an_earlier_review_places_nothing() -> None:
    order = Order().to_review()
    order.say("confirm order")
    reading = order.pending
    order.say("complete order")
    order.settle({"cart": cart(line("milk-1", 2)), "scan": True, "reachable": True, "maybe": [], "blocked": False})
    order.pending = reading
    order.settle({"cart": cart(line("milk-1", 2))})
    assert "checkout" not in order.calls
    assert order.phase == "awaiting_confirmation"


# ---- what is no consent -------------------------------------------------------------------------------------------------


@pytest.mark.promise("P127")
@pytest.mark.parametrize("text", ["that's all", "complete order", "done"])
def test_thats_all_to_a_review_reads_it_back_again(text: str) -> None:
    order = Order().to_review()
    order.say(text)
    assert order.calls[-2:] == ["review", "review"]


@pytest.mark.promise("P131")
def test_the_phrase_without_a_review_is_told_that_there_is_nothing_to_confirm() -> None:
    order = Order().to_shopping(held=cart(line("milk-1", 2)))
    calls = order.calls
    order.say("confirm order")
    assert "nothing to confirm" in order.words
    assert order.calls == calls


@pytest.mark.promise("P131")
def test_while_a_review_is_being_read_there_is_nothing_to_confirm() -> None:
    order = Order().to_review()
    order.say("complete order")
    order.say("confirm order")
    assert order.calls[-1] == "review"
    assert order.phase == "shopping"


@pytest.mark.promise("P240")
@pytest.mark.parametrize("outcome", [Refused("store_closed"), Failed("not_sent"), Failed("too_late")])
def test_what_was_refused_or_not_sent_leaves_the_review(outcome: Outcome) -> None:
    order = Order().to_checkout()
    order.settle(outcome)
    if order.pending is not None:
        order.settle({"order": None, "cart_emptied": False})
    assert (order.phase, order.standing.state["review"]) == ("shopping", None)


# ---- how it is paid -----------------------------------------------------------------------------------------------------


@dataclass
class Told:
    """A shop that notes what it is asked."""

    asked: list[tuple[str, Any]] = field(default_factory=list)

    def call(self, tool: str, arguments: Any, **_: Any) -> Any:
        self.asked.append((tool, arguments))
        raise NoAnswerError

    def tools(self, *, timeout_s: float) -> frozenset[str]:
        return frozenset()


@pytest.mark.promise("P130", "P141")
def test_the_one_call_asks_for_a_upi_scan_and_nothing_else() -> None:
    shop = Told()
    with pytest.raises(NoAnswerError):
        Swiggy(shop).checkout("home")
    assert shop.asked == [("checkout", {"addressId": "home", "paymentMethod": "UPI", "generateUPIQR": True})]


@pytest.mark.promise("P130")
def test_a_scan_that_this_cart_does_not_offer_is_none() -> None:
    scan = {"id": "PayWithQR", "kind": "qr", "enabled": True}
    assert not receipts.payment_options(Body({"allMethods": [scan], "cod": {"enabled": True}})).scan
    assert receipts.payment_options(Body({"platforms": {"desktop": {"methods": [scan]}}})).scan


# ---- what may have been done --------------------------------------------------------------------------------------------


@pytest.mark.promise("P138")
@pytest.mark.parametrize("fault", ["", "timeout", "cut", "client_fault"])
def test_a_request_whose_bytes_may_have_left_is_not_called_unsent(fault: str) -> None:
    assert type(failures.sort(Trace(ends=0, left=True, fault=fault))) is NoAnswerError
    assert type(failures.sort(Trace(ends=0, left=False, fault=fault))) is NotSentError

"""No sentence says how an order or a payment ended without the evidence for it in what has happened by then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interactions.contracts import Abandoned, Deadline, Done, Event, Failed, Outcome, Refused, Settled, Signal, Unknown
from interactions.sentences import Sentences
from tests.support.ordering import ADDRESSES, PENDING, Order, cart, line

HELD = cart(line("milk-1", 2))
SEEN = {"order_id": "ORD9", "status": "PLACED", "total_paise": 26900}
PLACED = {**PENDING, "placing": "placed", "parts": ()}
PARTLY = {**PLACED, "failures": 1}
SPLIT = {"placing": "split", "parts": [{"order_id": "A", "status": "PLACED", "error": ""}]}
ENDS = ("paid", "payment_failed", "payment_cancelled", "payment_refunded", "cart_changed", "payment_unknown")
UNPAID = ENDS[1:5]
ANOTHERS = 7  # an utterance whose checkout is not this order's

OUTCOMES: Mapping[str, tuple[Outcome, ...]] = {
    "addresses": (Done({"addresses": ADDRESSES, "elsewhere": None}),),
    "cart": (Done({"cart": HELD}), Failed("timeout")),
    "review": (Done({"cart": HELD, "scan": True, "reachable": True, "maybe": [], "blocked": False}), Failed("timeout")),
    "recheck": (Done({"cart": HELD}), Done({"cart": cart()}), Failed("timeout")),
    "checkout": (
        *(Done(result) for result in (PENDING, PLACED, PARTLY, SPLIT)),
        *(Refused(code, "No.") for code in ("store_closed", "sign_in", "empty_cart", "constraint")),
        *(Failed(code) for code in ("not_sent", "too_late", "step_failed")),
        *(Unknown(code) for code in ("timeout", "half_an_order", "recovered")),
    ),
    "lookup": (Done({"order": None}), Done({"order": SEEN}), Failed("timeout"), Abandoned()),
    "notify": (Done({"sent": True, "error": ""}), Failed("unreachable")),
}
SIGNALS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("payment", {"result": end, "total_paise": total}) for end in ENDS for total in (26900, None)),
    *(("payment", {"result": "paid", "total_paise": total, "late": True}) for total in (26900, None)),
    *(("lookup", {"order": order}) for order in (SEEN, None)),
    *(("settled", {"placed": placed}) for placed in (True, False)),
    ("awaits", {"reviewed_paise": 26900, "result": PENDING}),
    ("stray", {**SEEN, "when": ""}),
    ("searched", {"read": True}),
    ("recovered", {}),
    ("moved", {}),
    ("end", {"by": "operator"}),
)
TIME = "the time is over"
SAID = ("complete order", "complete order", "confirm order", "confirm order", "stop", "repeat", "hello", TIME)


def of(event: Event, name: str, **wanted: Any) -> bool:
    """Whether this signal says so."""
    return isinstance(event, Signal) and event.name == name and wanted.items() <= dict(event.data).items()


def outcome(event: Event, effect: str, kind: type) -> Any:
    return event.outcome if isinstance(event, Settled) and event.effect == effect and isinstance(event.outcome, kind) else None


def came(event: Event, placing: str) -> bool:
    done = outcome(event, "checkout", Done)
    return done is not None and done.result["placing"] == placing


def of_done(event: Event, **wanted: Any) -> bool:
    return (
        isinstance(event, Settled) and isinstance(event.outcome, Done) and wanted.items() <= dict(event.outcome.result).items()
    )


@dataclass
class Walk:
    """One order on its way, and which checkouts may have come to something: its ``own``, or one before it."""

    order: Order
    stands: dict[str, bool] = field(default_factory=lambda: {"own": False, "other": False})
    refused: bool = False

    @property
    def anything(self) -> bool:
        return any(self.stands.values())

    def learn(self, event: Event) -> None:
        """Before the step that says it."""
        if isinstance(event, Settled) and event.effect == "checkout":
            code, self.refused = getattr(event.outcome, "code", ""), isinstance(event.outcome, Refused)
            proven = isinstance(event.outcome, Failed | Refused) and code not in ("step_failed", "constraint")
            self.stands["own"] = not proven
        if isinstance(event, Settled) and event.effect == "lookup" and of_done(event, order=SEEN):
            self.stands["own"] = True
        if isinstance(event, Signal) and event.name in ("payment", "lookup", "settled", "awaits", "stray"):
            whose = "own" if event.data["utterance"] == self.order.standing.state.get("intent") else "other"
            self.stands[whose] = not (of(event, "settled", placed=False) or event.data.get("result") in UNPAID)

    def follow(self) -> None:
        """After it."""
        if self.order.pending is not None and self.order.pending.name == "checkout":
            self.stands["own"] = True


Proof = Callable[[Walk, Event], bool]
PAID: Proof = lambda walk, event: of(event, "payment", result="paid")  # noqa: E731
CLAIMS: Mapping[str, Proof] = {
    "placed": lambda walk, event: came(event, "placed") or PAID(walk, event),
    "placed.partly": lambda walk, event: came(event, "placed"),
    "paid": PAID,
    "paid_late": PAID,
    "paid_late.total": PAID,
    "pay": lambda walk, event: came(event, "pending_payment") or of(event, "awaits"),
    "awaits": lambda walk, event: of(event, "awaits"),
    "seen": lambda walk, event: of(event, "lookup", order=SEEN) or outcome(event, "lookup", Done) is not None,
    "stray": lambda walk, event: of(event, "stray"),
    "settled.placed": lambda walk, event: of(event, "settled", placed=True),
    "settled.not_placed": lambda walk, event: of(event, "settled", placed=False),
    "turned_down": lambda walk, event: outcome(event, "checkout", Refused) is not None,
    "refused.not_sent": lambda walk, event: outcome(event, "checkout", Failed) is not None,
    "refused.other": lambda walk, event: walk.refused and outcome(event, "lookup", Done) is not None,
    "refused.empty_cart": lambda walk, event: walk.refused,
    "refused.sign_in": lambda walk, event: walk.refused,
    **{f"unpaid.{end}": (lambda walk, event, end=end: of(event, "payment", result=end)) for end in UNPAID},
    "closed": lambda walk, event: not walk.anything,
    "left.unpaid": lambda walk, event: walk.stands["own"],
    "left.unknown": lambda walk, event: walk.anything,
}


@pytest.fixture(scope="module")
def formed() -> Any:
    """Every sentence that is formed, by its name."""
    formed: list[tuple[str, str]] = []
    real = Sentences.__call__

    def noting(say: Sentences, name: str, /, **values: object) -> str:
        formed.append((name, text := real(say, name, **values)))
        return text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sentences, "__call__", noting)
        yield formed


def happens(walk: Walk, what: Any, at: int) -> Event | None:
    """One thing happens; a call that is waited for ends first, as in the host. None: ``what`` is said."""
    order = walk.order
    if order.pending is not None:
        known = OUTCOMES.get(order.pending.name, (Failed("timeout"),))
        return Settled(order.now, order.pending.name, order.pending.payload, known[at % len(known)], order.prompt)
    if isinstance(what, tuple):
        name, data = what
        looked_up = order.phase == "checkout_outcome_unknown" or name not in ("lookup", "settled")  # what is paid for is not
        about = order.standing.state.get("intent") if at % 2 and looked_up else None
        return Signal(order.now, name, {"utterance": about or ANOTHERS, **data})
    return Deadline(order.now, "idle") if what == TIME else None


def said(walk: Walk, formed: list[tuple[str, str]]) -> set[str]:
    spoken = " ".join(reply.text for reply in walk.order.last.say)
    return {name for name, text in formed if name in CLAIMS and text in spoken}


@pytest.mark.promise("P138", "P140", "P206")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    begins=st.sampled_from(["to_shopping", "to_review", "to_checkout", "to_payment"]),
    acts=st.lists(st.tuples(st.sampled_from([*SAID, *SIGNALS]), st.integers(0, 59)), min_size=1, max_size=9),
)
def test_an_outcome_is_said_only_where_it_has_just_been_learned(
    formed: list[tuple[str, str]], begins: str, acts: list[tuple[Any, int]]
) -> None:
    walk = Walk(Order())
    getattr(walk.order, begins)()
    walk.stands["own"] = begins in ("to_checkout", "to_payment")
    for what, at in acts:
        if walk.order.last.end is not None:
            return
        event = happens(walk, what, at)
        formed.clear()
        if event is None:
            walk.order.say(what)
            event = Deadline(walk.order.now, "said")
        else:
            walk.learn(event)
            walk.order.event(event)
        walk.follow()
        for name in said(walk, formed):
            assert CLAIMS[name](walk, event), f"{name!r} after {event}"


@pytest.mark.promise("P206")
@pytest.mark.parametrize("ends", ["stop", TIME])
@pytest.mark.parametrize(
    ("name", "data", "stands"),
    [
        ("payment", {"result": "paid", "total_paise": 26900, "late": True}, True),
        ("payment", {"result": "payment_unknown", "total_paise": 26900}, True),
        ("payment", {"result": "payment_failed", "total_paise": 26900}, False),
        ("awaits", {"reviewed_paise": 26900, "result": PENDING}, True),
        ("lookup", {"order": SEEN}, True),
        ("lookup", {"order": None}, True),
        ("settled", {"placed": True}, True),
        ("settled", {"placed": False}, False),
    ],
)
def test_an_order_in_which_another_came_to_light_does_not_end_with_nothing_was_placed(
    name: str, data: dict[str, Any], stands: bool, ends: str
) -> None:
    order = Order().to_review()
    order.signal(name, utterance=ANOTHERS, **data)
    if order.pending is not None:
        order.settle({"sent": True, "error": ""})
    order.say(ends) if ends != TIME else order.deadline()
    assert order.last.end is not None
    assert ("Nothing was placed" in order.words) is not stands

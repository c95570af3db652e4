"""The table is the order: every phase can be reached and left, and one row spends."""

from __future__ import annotations

from pathlib import Path

import pytest

from swiggy_instamart import diagram, machine, moves
from swiggy_instamart.machine import AFTER, BEFORE, TABLE, IllegalMoveError, On, Phase, Then

ROOT = Path(__file__).resolve().parents[2]
EDITS = (On.WANTED, On.EDITED, On.CLEAR, On.CHANGE, On.NO, On.DRIFTED, On.EXPIRED, On.MOVED, On.HURT, On.UNFIT)


def reachable(start: Phase) -> set[Phase]:
    found, edge = {start}, [start]
    while edge:
        here = edge.pop()
        for (was, _), row in TABLE.items():
            if was is here and row.to not in found:
                found.add(row.to)
                edge.append(row.to)
    return found


def test_every_phase_can_be_reached_and_can_finish() -> None:
    assert reachable(Phase.STARTING) == set(Phase)
    for phase in Phase:
        assert Phase.FINISHED in reachable(phase)


def test_every_event_and_every_effect_is_used_and_has_a_builder() -> None:
    assert {on for _, on in TABLE} == set(On)
    assert {row.then for row in TABLE.values()} == set(Then) == set(moves.BUILDERS)


def test_exactly_one_row_spends_and_it_starts_from_the_review() -> None:
    spending = [
        key for key, row in TABLE.items() if row.then is Then.CHECK_OUT or (row.to is Phase.CHECKOUT and key[0] is not row.to)
    ]
    assert spending == [(Phase.REVIEW, On.SAME)]


def test_the_row_that_spends_is_reached_only_by_reading_the_cart_once_more() -> None:
    assert [key for key, row in TABLE.items() if row.then is Then.RECHECK] == [(Phase.REVIEW, On.CONFIRMED)]


@pytest.mark.promise("P101")
def test_no_row_reads_or_writes_the_cart_before_the_yes_to_the_address() -> None:
    cart = {Then.READ_CART, Then.WRITE_CART, Then.CLEAR_CART, Then.READ_BACK, Then.RECHECK, Then.SEARCH}
    early = {
        (was, on)
        for (was, on), row in TABLE.items()
        if was in (Phase.STARTING, Phase.ADDRESS, Phase.ADDRESSES) and row.then in cart
    }
    assert early == {(Phase.ADDRESS, On.YES)}


def test_every_edit_leaves_the_review() -> None:
    for on in EDITS:
        assert TABLE[Phase.REVIEW, on].to is not Phase.REVIEW


@pytest.mark.promise("P139", "P140")
def test_a_stop_closes_before_the_consent_and_says_what_stands_after_it() -> None:
    for phase in BEFORE:
        assert TABLE[phase, On.STOP].then is TABLE[phase, On.IDLE].then is Then.SAY_CLOSED
    for phase in AFTER:
        assert TABLE[phase, On.STOP].then is TABLE[phase, On.IDLE].then is Then.SAY_LEFT


def test_no_answer_is_looked_up_and_never_sent_again() -> None:
    assert TABLE[Phase.CHECKOUT, On.NO_ANSWER] == machine.Move(Phase.UNKNOWN, Then.LOOK_UP)
    assert all(row.then is not Then.CHECK_OUT for (was, _), row in TABLE.items() if was in AFTER)


def test_what_is_not_in_the_table_raises() -> None:
    with pytest.raises(IllegalMoveError, match="no row in shopping"):
        machine.move("shopping", On.SAME)
    with pytest.raises(IllegalMoveError):
        machine.move(Phase.FINISHED, On.OPENED)


def test_phases_keep_their_names_on_the_wire() -> None:
    assert [phase.value for phase in Phase] == [
        "starting",
        "confirm_address",
        "select_address",
        "existing_cart_decision",
        "shopping",
        "cart_update_in_progress",
        "awaiting_confirmation",
        "checkout_in_progress",
        "awaiting_payment",
        "checkout_outcome_unknown",
        "finished",
    ]


def test_the_table_fits_on_a_screen() -> None:
    source = (ROOT / "swiggy_instamart" / "machine.py").read_text(encoding="utf-8")
    table = source.partition("TABLE: dict")[2].partition("\n}")[0]
    assert len(table.splitlines()) <= 70


def test_the_printed_diagram_is_the_table() -> None:
    page = (ROOT / "docs" / "ordering.md").read_text(encoding="utf-8")
    assert diagram.page() == page, "stale: run python -m swiggy_instamart.diagram > docs/ordering.md"

"""What takes longer is announced before it is begun, once for a turn, and never late."""

from __future__ import annotations

import pytest

from interactions import events, turns
from interactions.models import Checkpoint
from tests.flows.order.dialogue import Ledger, Speaker


def cues(speaker: Speaker) -> list[str]:
    return [row["cue"] for row in speaker.of_kind("interaction.updated") if row["cue"]]


@pytest.mark.promise("P215")
def test_a_turn_that_calls_somebody_is_announced_before_the_call_is_made(asha_speaks: Speaker, ledger: Ledger) -> None:
    asha_speaks.to_shopping()
    asha_speaks.events.clear()
    calls = ledger.calls
    asha_speaks.utter("milk", listened=False)
    turns.drain(asha_speaks.session.pk, role=turns.Role.TURNS)  # decides, and leaves the call to others
    asha_speaks.hear()
    [row] = asha_speaks.of_kind("interaction.updated")
    assert (row["status"], row["cue"], row["cue_after_ms"], row["speak"]) == ("working", "thinking", 900, False)
    assert row["expires_at"]
    assert ledger.calls == calls
    assert Checkpoint.objects.get(stepped_at=None).state == "staged"


@pytest.mark.promise("P215")
def test_a_turn_of_several_calls_has_one_cue_and_one_that_calls_nobody_has_none(asha_speaks: Speaker) -> None:
    asha_speaks.to_shopping()
    asha_speaks.say("milk")
    asha_speaks.events.clear()
    asha_speaks.say("option 1")  # reads the cart, then writes it
    assert len(asha_speaks.of_kind("interaction.updated")) == 2
    assert cues(asha_speaks) == ["thinking"]
    asha_speaks.events.clear()
    for said in ("help", "repeat", "was that the one from before then"):
        asha_speaks.say(said)
    assert asha_speaks.of_kind("interaction.updated") == []


@pytest.mark.promise("P215")
def test_a_cue_that_comes_late_is_not_told_any_more(asha_speaks: Speaker) -> None:
    asha_speaks.to_shopping()
    asha_speaks.events.clear()
    asha_speaks.utter("milk", listened=False)
    asha_speaks.work()
    asha_speaks.clock.forward(events.FLEETING["device.cue"].total_seconds() + 1)  # type: ignore[union-attr]
    assert "Which one?" in asha_speaks.hear()
    assert cues(asha_speaks) == []

"""Ways to have one sound done twice or lost, by the order in which its reports come and by what has ended since."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError

from interactions.contracts import Event, Heard, Standing, Step
from interactions.models import InteractionSession
from tests.flows.test_twins import TOLD, TWIN, Moved, asked, device, handled, moved, opened, outcome, script, sound
from tests.support import talk
from tests.support.scripted import Script

__all__ = ["asked", "device", "moved", "opened", "script"]  # fixtures

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

BEGUN = pytest.mark.parametrize("begun", ["none", "first", "both"])
EARS = pytest.mark.parametrize("ears", ["interval", "words"])
PLACES = (sound(1000, 2000), sound(2000, 3000), sound(1000, 3800))


def in_two(device: Any, first: str, second: str, *, begun: str, ears: str) -> None:
    """One source reports two sentences, each complete; a worker has come to none, one or both of them."""
    for text, place, handles in ((first, PLACES[0], begun != "none"), (second, PLACES[1], begun == "both")):
        (talk.say if handles else talk.post)(device, text, **(place if ears == "interval" else {}))


def whole(device: Any, text: str, *, ears: str, source: str = "wake") -> tuple[str, str]:
    return outcome(talk.post(device, text, source=source, **(PLACES[2] if ears == "interval" else {})))


# ---- two turns that are reported once more as one ---------------------------------------------------------------------------


@pytest.mark.promise("P022")
@BEGUN
@pytest.mark.parametrize(("ears", "source"), [("interval", "wake"), ("interval", "stream"), ("words", "wake")])
def test_two_turns_that_are_reported_once_more_as_one_are_not_done_twice(
    script: Script, opened: Any, begun: str, ears: str, source: str
) -> None:
    in_two(opened, "add two milk", "and a bread", begun=begun, ears=ears)
    assert whole(opened, "add two milk and a bread", ears=ears, source=source) == TWIN
    assert handled(opened, script) == ["add two milk", "and a bread"]


@pytest.mark.promise("P022")
@BEGUN
@EARS
def test_of_a_report_that_says_more_than_two_turns_only_the_rest_is_one_more(
    script: Script, opened: Any, begun: str, ears: str
) -> None:
    in_two(opened, "add two milk", "and a bread", begun=begun, ears=ears)
    assert whole(opened, "add two milk and a bread and eggs", ears=ears) == ("accepted", "tail")
    assert handled(opened, script) == ["add two milk", "and a bread", "and eggs"]


@pytest.mark.promise("P022", "P030")
@BEGUN
@pytest.mark.parametrize("source", ["wake", "stream"])
def test_what_says_two_turns_otherwise_replaces_neither_and_is_told(
    script: Script, opened: Any, begun: str, source: str
) -> None:
    in_two(opened, "add two milk", "and a bread", begun=begun, ears="interval")
    assert whole(opened, "add ten milk and a bread", ears="interval", source=source) == ("duplicate", "differs")
    assert handled(opened, script) == ["add two milk", "and a bread"]
    assert TOLD in talk.spoken(opened)


@pytest.mark.promise("P022", "P132")
@pytest.mark.parametrize("ears", ["interval", "words"])
@pytest.mark.parametrize(("first", "second"), [("do not", "confirm order"), ("confirm order", "no wait")])
def test_a_phrase_that_is_one_of_two_turns_of_a_longer_report_spends_nothing(
    script: Script, asked: Any, first: str, second: str, ears: str
) -> None:
    in_two(asked, first, second, begun="none", ears=ears)
    whole(asked, f"{first} {second}", ears=ears)
    handled(asked, script)
    assert script.calls == []


# ---- what ended meanwhile ---------------------------------------------------------------------------------------------------


def closing(standing: Standing, event: Event) -> Step:
    return Step(end="closed") if isinstance(event, Heard) else Step()


@pytest.mark.promise("P022")
@EARS
def test_what_a_twin_says_behind_the_words_that_ended_the_session_is_not_lost_in_silence(
    script: Script, opened: Any, ears: str
) -> None:
    script.decide = closing
    talk.say(opened, "that is all", **(PLACES[0] if ears == "interval" else {}))
    assert whole(opened, "that is all turn on the lamp", ears=ears) == ("duplicate", "differs")
    assert TOLD in talk.spoken(opened)


@pytest.mark.promise("P022", "P046")
def test_what_was_extended_in_a_session_that_ended_is_heard_afresh_with_every_word(script: Script, opened: Any) -> None:
    script.decide = closing
    talk.post(opened, "that is all", **sound(0, 900))
    talk.post(opened, "turn on", **PLACES[0])
    assert whole(opened, "turn on the lamp", ears="interval") == ("duplicate", "extended")
    handled(opened, script)
    assert "The chain heard: turn on the lamp" in talk.spoken(opened)


@pytest.mark.promise("P028", "P022")
def test_a_phrase_that_is_reported_again_beside_an_open_session_opens_no_second_one(script: Script, device: Any) -> None:
    talk.post(device, "open it", **sound(1000, 2000))
    talk.post(device, "open scripted", source="typed")
    # Reported once more, the sound of the first is the phrase; a mode is open by now.
    try:
        heard = outcome(talk.post(device, "open scripted", source="wake", **sound(1000, 2000)))
    except IntegrityError:
        heard = None  # two sessions of one device are refused, and the report is lost with them
    assert heard == TWIN
    assert InteractionSession.objects.count() == 1


# ---- a device that counts each sentence from nought -------------------------------------------------------------------------


@pytest.mark.promise("P022", "P030")
@pytest.mark.parametrize("apart_s", [2, 4, 20])
@pytest.mark.parametrize("said", [("add two eggs", "a bread", "and some milk"), ("yes", "no", "yes"), ("one more",) * 3])
def test_it_loses_no_sentence_to_the_one_before(
    script: Script, opened: Any, moved: Moved, apart_s: int, said: tuple[str, ...]
) -> None:
    for text, end_ms in zip(said, (1500, 900, 1300), strict=True):
        talk.post(opened, text, start_ms=0, end_ms=end_ms)
        moved.forward(apart_s)
    assert handled(opened, script) == list(said)


@pytest.mark.promise("P022", "P030")
def test_what_it_sends_once_more_or_corrects_at_once_is_one_sound(script: Script, opened: Any, moved: Moved) -> None:
    talk.post(opened, "add two milk", start_ms=0, end_ms=1500)
    assert outcome(talk.post(opened, "add ten milk", start_ms=0, end_ms=1500)) == ("duplicate", "revised")
    moved.forward(20)
    assert outcome(talk.post(opened, "add two milk", start_ms=0, end_ms=1500)) == TWIN
    assert handled(opened, script) == ["add ten milk"]

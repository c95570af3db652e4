"""One second of sound, reported more than once at one device: heard once, whole, and in no other words without a word said."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interactions import clock, ingress
from interactions.contracts import Heard, Reply, Step
from interactions.models import ChainRun, Device, InboxItem, InteractionSession, Person, Utterance
from tests.support import scripted, talk
from tests.support.scripted import Script

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_sqlite]

TOLD = "I heard that in two ways. Please check it, and say it again if it is wrong."
TWIN = ("duplicate", "twin")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted.install(monkeypatch)


@pytest.fixture
def device(kitchen: Any) -> Any:
    return kitchen.device


@pytest.fixture
def opened(script: Script, device: Any) -> Any:
    """The device with a session open, and nothing of it remembered."""
    talk.say(device, "open scripted", source="typed")
    script.events.clear()
    return device


class Moved:
    """The clock, as the host reads it: it stands still, so that no slow machine makes it later than the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = clock.now()
        monkeypatch.setattr(clock, "now", lambda: self.time)

    def forward(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Moved:
    return Moved(monkeypatch)


def outcome(answer: ingress.Answer) -> tuple[str, str]:
    return answer.body["disposition"], answer.body["reason"]


def sound(start: int, end: int, *, epoch: str = "e1", audio: str = "a1") -> dict[str, Any]:
    return {"start_ms": start, "end_ms": end, "capture_epoch": epoch, "audio_session_id": audio}


def handled(device: Device, script: Script) -> list[str]:
    talk.handle(device)
    return script.heard()


# ---- by the interval ------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P022", "P030")
@pytest.mark.parametrize("source", ["stream", "wake"])
@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ((1000, 2000), TWIN),
        ((1400, 2400), TWIN),  # 60 % of either
        ((1410, 2410), ("accepted", "mode")),
        ((1500, 1700), TWIN),  # all of the shorter
        ((1800, 9000), ("accepted", "mode")),
        ((600, 1600), TWIN),
        ((2000, 3000), ("accepted", "mode")),
        ((1500, 1500), ("accepted", "mode")),  # no sound is no part of one
    ],
)
def test_sixty_per_cent_of_the_shorter_interval_is_one_utterance_whoever_reports_it(
    script: Script, opened: Any, source: str, interval: tuple[int, int], expected: tuple[str, str]
) -> None:
    talk.post(opened, "add two eggs", **sound(1000, 2000))
    assert outcome(talk.post(opened, "add two eggs", source=source, **sound(*interval))) == expected
    assert handled(opened, script) == ["add two eggs"] * (1 if expected == TWIN else 2)


@pytest.mark.promise("P030")
@pytest.mark.parametrize("later", [0, 40, 500])
def test_a_final_that_comes_again_with_its_interval_is_the_same_whenever_it_comes(
    script: Script, opened: Any, moved: Moved, later: float
) -> None:
    talk.post(opened, "add two eggs", **sound(1000, 2000))
    moved.forward(later)
    assert outcome(talk.post(opened, "add two eggs", **sound(1000, 2000))) == TWIN
    assert handled(opened, script) == ["add two eggs"]


@pytest.mark.promise("P255")
@pytest.mark.parametrize("clock_of", [{"epoch": "e2"}, {"audio": "a2"}, {"epoch": "e2", "audio": "a2"}])
def test_intervals_of_two_clocks_are_never_compared(script: Script, opened: Any, clock_of: dict[str, str]) -> None:
    talk.post(opened, "add two eggs", **sound(1000, 2000))
    assert outcome(talk.post(opened, "add two eggs", **sound(1000, 2000, **clock_of))) == ("accepted", "mode")
    assert outcome(talk.post(opened, "add a bread", source="wake", **sound(1000, 2000, epoch="e3"))) == ("accepted", "mode")
    assert handled(opened, script) == ["add two eggs", "add two eggs", "add a bread"]


@pytest.mark.promise("P255", "P022")
@pytest.mark.parametrize("wrong_ms", [-90_000, 90_000])
def test_a_device_clock_that_is_wrong_by_ninety_seconds_changes_nothing(script: Script, opened: Any, wrong_ms: int) -> None:
    talk.post(opened, "add two eggs", **sound(100_000, 101_000))
    jumped = sound(100_000 + wrong_ms, 101_000 + wrong_ms, epoch="e2")
    assert outcome(talk.post(opened, "add two eggs", source="wake", **jumped)) == TWIN, "another source, by its words"
    assert outcome(talk.post(opened, "add two eggs", **jumped)) == ("accepted", "mode"), "the same source, by its own clock"
    assert outcome(talk.post(opened, "add two eggs", source="wake", **jumped)) == TWIN
    assert handled(opened, script) == ["add two eggs"] * 2


@pytest.mark.promise("P255")
def test_the_session_follows_the_newest_audio_session_also_when_an_older_one_comes_late(script: Script, opened: Any) -> None:
    for text, audio in (("one", "a1"), ("two", "a2"), ("three", "a1"), ("four", "a3")):
        talk.post(opened, text, audio_session_id=audio)
        assert talk.session_of(opened).audio_session_id == ("a2" if text == "three" else audio)


def test_a_device_that_counts_each_sentence_from_nought_loses_none(script: Script, opened: Any, moved: Moved) -> None:
    for text in ("add two eggs", "a bread", "and some milk"):
        talk.post(opened, text, start_ms=0, end_ms=1500)
        moved.forward(8)
    assert handled(opened, script) == ["add two eggs", "a bread", "and some milk"]


# ---- by the words -----------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P022", "P026")
@pytest.mark.parametrize(
    ("ages", "later", "expected"),
    [
        ((0, 0), 4.9, TWIN),
        ((0, 0), 5.1, ("accepted", "mode")),
        ((200, 6000), 6, TWIN),  # spoken together, and it took one of them longer
        ((6000, 200), 4, ("accepted", "mode")),  # spoken apart
        ((0, 3000), 7, TWIN),
    ],
)
def test_the_words_of_another_source_are_a_twin_when_captured_within_five_seconds(
    script: Script, opened: Any, moved: Moved, ages: tuple[int, int], later: float, expected: tuple[str, str]
) -> None:
    first, second = ages
    talk.post(opened, "add two eggs", spoken_age_ms=first)
    moved.forward(later)
    assert outcome(talk.post(opened, "add two eggs", source="wake", spoken_age_ms=second)) == expected


@pytest.mark.promise("P022")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("seven pens", "seven eggs"),
        ("add two milk", "add ten milk"),
        ("add a packet of butter", "add a packet of batter"),
        ("add two milk", "don't add two milk"),
    ],
)
def test_another_thing_or_amount_is_no_twin_by_its_words(script: Script, opened: Any, one: str, other: str) -> None:
    talk.post(opened, one)
    assert outcome(talk.post(opened, other, source="wake")) == ("accepted", "mode")
    assert handled(opened, script) == [one, other]


@pytest.mark.promise("P023")
@pytest.mark.parametrize(("first", "second"), [("stream", "wake"), ("wake", "stream")])
def test_a_duplicate_is_consumed_and_reaches_neither_mode_nor_chain(
    script: Script, device: Any, first: str, second: str
) -> None:
    talk.post(device, "turn on the lamp", source=first)
    assert outcome(talk.post(device, "Hermes, turn on the lamp", source=second)) == TWIN
    talk.handle(device)
    assert talk.spoken(device) == ["The chain heard: turn on the lamp"]
    talk.post(device, "open scripted", source=first)
    assert outcome(talk.post(device, "hey Hermes open scripted", source=second)) == TWIN
    script.decide = lambda standing, event: Step(end="closed") if isinstance(event, Heard) else Step()
    talk.post(device, "bye bye now", source=first)
    talk.handle(device)
    assert outcome(talk.post(device, "bye bye now", source=second)) == TWIN, "also after its session is over"
    talk.handle(device)
    assert script.heard() == ["", "bye bye now"]
    assert ChainRun.objects.count() == 1
    assert list(Utterance.objects.exclude(alias_of=None).values_list("reason", flat=True)) == ["twin"] * 3


@pytest.mark.promise("P025", "P022")
def test_what_one_source_says_again_was_said_again_also_where_another_source_was_first(script: Script, opened: Any) -> None:
    talk.post(opened, "yes", source="wake")
    assert outcome(talk.post(opened, "yes")) == TWIN
    assert outcome(talk.post(opened, "yes")) == ("accepted", "mode")
    assert handled(opened, script) == ["yes", "yes"]


# ---- one that says more -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P022")
@pytest.mark.parametrize("with_interval", [True, False])
def test_what_a_twin_says_more_takes_the_place_of_the_first_while_nobody_has_begun_it(
    script: Script, opened: Any, with_interval: bool
) -> None:
    ears = (sound(1000, 2000), sound(1000, 3000)) if with_interval else ({}, {})
    first = talk.post(opened, "add milk", source="wake", **ears[0])
    assert outcome(talk.post(opened, "add milk and bread", **ears[1])) == ("duplicate", "extended")
    assert handled(opened, script) == ["add milk and bread"]
    assert Utterance.objects.get(pk=first.body["id"]).text == "add milk", "evidence never changes"


@pytest.mark.promise("P022")
def test_what_a_twin_says_more_is_a_turn_of_its_own_once_the_first_was_handled(script: Script, opened: Any) -> None:
    whole = "add milk and bread and eggs"
    talk.say(opened, "add milk", source="wake", **sound(1000, 2000))
    assert outcome(talk.post(opened, "Hermes, add milk and bread", **sound(1000, 3000))) == ("accepted", "tail")
    assert outcome(talk.post(opened, whole, source="wake", **sound(1000, 4000))) == ("duplicate", "extended")
    assert handled(opened, script) == ["add milk", "and bread and eggs"]
    assert outcome(talk.post(opened, whole, **sound(1000, 4000))) == TWIN
    assert handled(opened, script) == ["add milk", "and bread and eggs"]


@pytest.mark.promise("P022")
@pytest.mark.parametrize("text", ["add milk", "milk and bread", "add milk and bread please", "Hermes, add milk and bread."])
def test_what_says_no_more_than_its_twin_adds_nothing(script: Script, opened: Any, text: str) -> None:
    talk.post(opened, "add milk and bread", **sound(1000, 3000))
    assert outcome(talk.post(opened, text, source="wake", **sound(1000, 2500))) == TWIN
    assert handled(opened, script) == ["add milk and bread"]


@pytest.mark.promise("P022", "P028")
def test_what_follows_the_phrase_of_a_mode_is_heard_also_where_a_twin_brings_it(script: Script, device: Any) -> None:
    talk.post(device, "open scripted", source="wake", **sound(1000, 2000))
    assert outcome(talk.post(device, "open scriptid and add milk", **sound(1000, 3000))) == ("duplicate", "extended")
    assert outcome(talk.post(device, "open scriptad", source="wake", **sound(1000, 2500))) == TWIN
    assert handled(device, script) == ["and add milk"]
    longer = talk.post(device, "open scripted and add milk and eggs", source="wake", **sound(1000, 3500))
    assert outcome(longer) == ("accepted", "tail")
    assert handled(device, script) == ["and add milk", "and eggs"]
    assert InteractionSession.objects.count() == 1


@pytest.mark.promise("P022", "P028")
def test_a_phrase_that_the_first_report_cut_short_opens_its_mode_and_leaves_the_chain(script: Script, device: Any) -> None:
    talk.post(device, "open", source="wake", **sound(1000, 1500))
    assert outcome(talk.post(device, "open scripted", **sound(1000, 2000))) == ("accepted", "activation")
    assert handled(device, script) == [""]
    assert talk.spoken(device) == ["ok"]


def test_the_chain_is_asked_with_the_longer_words_if_nobody_was_asked_yet(script: Script, device: Any) -> None:
    talk.post(device, "turn on", source="wake", **sound(1000, 2000))
    assert outcome(talk.post(device, "turn on the lamp", **sound(1000, 3000))) == ("duplicate", "extended")
    talk.handle(device)
    assert outcome(talk.post(device, "turn on the lamp and the fan", source="wake", **sound(1000, 4000))) == TWIN
    talk.handle(device)
    assert talk.spoken(device) == ["The chain heard: turn on the lamp"]


@pytest.mark.promise("P022", "P265")
@pytest.mark.parametrize("done", [0, 1, 2])
@pytest.mark.parametrize("with_interval", [True, False])
@pytest.mark.parametrize("more", ["", " and the fan"])
def test_two_sentences_of_the_chain_that_are_reported_once_more_as_one_are_not_asked_again(
    script: Script, device: Any, done: int, with_interval: bool, more: str
) -> None:
    first, second, whole = (sound(1000, 2000), sound(2500, 3500), sound(1000, 3600)) if with_interval else ({}, {}, {})
    talk.post(device, "turn on the lamp", **first)
    if done:
        talk.handle(device)
    talk.post(device, "play some jazz", **second)
    if done == 2:
        talk.handle(device)
    assert outcome(talk.post(device, f"turn on the lamp play some jazz{more}", source="wake", **whole)) == TWIN
    talk.handle(device)
    assert talk.spoken(device) == ["The chain heard: turn on the lamp", "The chain heard: play some jazz"]


@pytest.mark.promise("P022")
@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("with_interval", [True, False])
def test_a_sentence_that_one_source_reports_whole_and_the_other_in_pieces_is_heard_once(
    script: Script, opened: Any, begun: bool, with_interval: bool
) -> None:
    whole, pieces = "add two packets of milk", ("add two packets", "of milk")
    ears = (sound(1000, 3000), sound(1000, 2000), sound(2000, 3000)) if with_interval else ({}, {}, {})
    hear = talk.say if begun else talk.post
    hear(opened, whole, source="wake", **ears[0])
    for piece, ear in zip(pieces, ears[1:], strict=True):
        assert outcome(talk.post(opened, piece, **ear)) == TWIN
    assert outcome(talk.post(opened, "of milk", **(sound(4000, 5000) if with_interval else {}))) == ("accepted", "mode")
    assert handled(opened, script) == [whole, "of milk"]


@pytest.mark.promise("P022")
@pytest.mark.parametrize(("begun", "heard"), [(False, ["add two packets of milk"]), (True, ["add two packets", "of milk"])])
@pytest.mark.parametrize("with_interval", [True, False])
def test_what_a_twin_brought_whole_is_not_heard_again_when_the_first_source_goes_on(
    script: Script, opened: Any, begun: bool, heard: list[str], with_interval: bool
) -> None:
    ears = (sound(1000, 2000), sound(1000, 3000), sound(2000, 3000)) if with_interval else ({}, {}, {})
    (talk.say if begun else talk.post)(opened, "add two packets", **ears[0])
    talk.post(opened, "add two packets of milk", source="wake", **ears[1])
    assert outcome(talk.post(opened, "of milk", **ears[2])) == TWIN
    assert handled(opened, script) == heard


# ---- one that says something else -------------------------------------------------------------------------------------------


@pytest.mark.promise("P022", "P030")
def test_a_final_that_its_source_revises_counts_as_revised_while_nobody_has_begun_it(script: Script, opened: Any) -> None:
    talk.post(opened, "add two milk", **sound(1000, 2000))
    assert outcome(talk.post(opened, "add ten milk", **sound(1000, 2000))) == ("duplicate", "revised")
    assert handled(opened, script) == ["add ten milk"]
    assert TOLD not in talk.spoken(opened)


@pytest.mark.promise("P022", "P030")
@pytest.mark.parametrize("source", ["stream", "wake"])
def test_what_is_heard_otherwise_afterwards_is_told_and_changes_nothing(script: Script, opened: Any, source: str) -> None:
    talk.say(opened, "add two milk", **sound(1000, 2000))
    assert outcome(talk.post(opened, "add ten milk", source=source, **sound(1000, 2000))) == ("duplicate", "differs")
    assert handled(opened, script) == ["add two milk"]
    assert talk.spoken(opened)[-1] == TOLD


@pytest.mark.promise("P022")
def test_two_sources_that_hear_one_sound_otherwise_are_told_and_the_first_counts(script: Script, opened: Any) -> None:
    talk.post(opened, "add two milk", **sound(1000, 2000))
    assert outcome(talk.post(opened, "add ten milk", source="wake", **sound(1000, 2000))) == ("duplicate", "differs")
    assert TOLD in talk.spoken(opened)
    assert handled(opened, script) == ["add two milk"]


@pytest.mark.promise("P022")
@pytest.mark.parametrize("begun", [False, True])
def test_a_stop_is_obeyed_also_where_its_twin_was_heard_otherwise(script: Script, opened: Any, begun: bool) -> None:
    (talk.say if begun else talk.post)(opened, "shop", **sound(1000, 2000))
    assert outcome(talk.post(opened, "stop", **sound(1000, 2000))) == ("accepted", "otherwise")
    assert handled(opened, script) == ["shop", "stop"]
    assert outcome(talk.post(opened, "stopped", **sound(1000, 2000))) == ("duplicate", "differs"), "and not taken back"


@pytest.mark.promise("P022", "P017")
def test_what_a_recogniser_heard_of_our_answer_is_no_tail(script: Script, opened: Any) -> None:
    script.decide = lambda standing, event: Step(say=(Reply("I have added two litres of toned milk."),))
    talk.say(opened, "add milk", source="wake")
    Device.objects.get(pk=opened.pk).events.update(delivered_at=clock.now())
    heard = talk.post(opened, "add milk I have added two litres of toned milk")
    assert outcome(heard) == ("echo", "echo")
    assert handled(opened, script) == ["add milk"]


# ---- money ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(script: Script, opened: Any) -> Any:
    """The question whose answer spends is open."""
    script.decide = scripted.spending
    talk.say(opened, "ready", source="typed")
    return opened


@pytest.mark.promise("P022")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("confirm", "confirm order"),
        ("confirm older", "confirm order"),
        ("yes", "yes confirm order"),
        ("confirm the order", "confirm order"),
        ("open scripted", "confirm order"),
    ],
)
@pytest.mark.parametrize("begun", [False, True])
def test_no_twin_makes_a_phrase_that_spends(script: Script, asked: Any, first: str, second: str, begun: bool) -> None:
    (talk.say if begun else talk.post)(asked, first, **sound(1000, 2000))
    assert talk.post(asked, second, **sound(1000, 2200)).body["disposition"] == "duplicate"
    handled(asked, script)
    assert script.calls == []
    assert not InboxItem.objects.filter(text="confirm order").exists()


@pytest.mark.promise("P022")
@pytest.mark.parametrize(
    "second", ["confirm order no wait", "confirm order and add milk", "don't confirm order", "cancel order"]
)
@pytest.mark.parametrize("source", ["stream", "wake"])
def test_a_phrase_that_a_twin_extends_or_denies_spends_nothing(script: Script, asked: Any, second: str, source: str) -> None:
    talk.post(asked, "confirm order", **sound(1000, 2000))
    talk.post(asked, second, source=source, **sound(1000, 2400))
    handled(asked, script)
    assert script.calls == []
    assert InboxItem.objects.filter(text="confirm order").exists(), "the phrase itself is not replaced"


@pytest.mark.promise("P022")
@pytest.mark.parametrize("second", ["Confirm order.", "Hermes, confirm the order", "confirm", "order", "confirm orders"])
def test_a_twin_that_hears_no_more_takes_no_consent_away(script: Script, asked: Any, second: str) -> None:
    talk.post(asked, "confirm order", **sound(1000, 2000))
    assert outcome(talk.post(asked, second, source="wake", **sound(1000, 1900))) == TWIN
    handled(asked, script)
    assert len(script.calls) == 1


# ---- who speaks -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def only_asha(device: Any) -> None:
    Person.objects.filter(user=device.owner).update(speakers=["asha", "meera"])


@pytest.mark.promise("P021")
@pytest.mark.parametrize("ears", [({}, {}), (sound(1000, 2000), sound(1100, 2100))], ids=["words", "interval"])
def test_a_twin_without_a_name_of_what_a_stranger_said_changes_nothing(
    script: Script, opened: Any, only_asha: None, ears: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    assert outcome(talk.post(opened, "add two milk", speaker="ravi", **ears[0])) == ("recorded", "speaker")
    assert outcome(talk.post(opened, "Hermes, add two milk", source="wake", **ears[1])) == ("recorded", "speaker")
    assert handled(opened, script) == []
    assert not ChainRun.objects.exists()
    assert outcome(talk.post(opened, "add two milk", source="wake", speaker="asha", **ears[1])) == ("accepted", "mode")


@pytest.mark.promise("P021")
def test_what_turns_out_to_be_a_strangers_is_taken_back_while_nobody_has_begun_it(
    script: Script, opened: Any, only_asha: None
) -> None:
    talk.post(opened, "add two milk", source="wake")
    assert outcome(talk.post(opened, "add two milk", speaker="ravi")) == ("recorded", "speaker")
    assert handled(opened, script) == []
    talk.post(opened, "add a bread", source="wake", speaker="asha")
    talk.post(opened, "add a bread", speaker="ravi")
    assert handled(opened, script) == ["add a bread"], "two recognisers that name two people heard two"


@pytest.mark.promise("P021")
def test_a_strangers_phrase_opens_no_mode_under_another_ear(script: Script, kitchen: Any, hall: Any, only_asha: None) -> None:
    talk.post(kitchen.device, "open scripted", speaker="ravi")
    for device, source in ((kitchen.device, "wake"), (hall.device, "wake")):
        assert outcome(talk.post(device, "open scriptid", source=source)) == ("recorded", "speaker")
    assert not InteractionSession.objects.exists()


@pytest.mark.promise("P021")
def test_a_phrase_that_spends_is_no_consent_once_a_stranger_is_known_to_have_said_it(
    script: Script, asked: Any, only_asha: None
) -> None:
    answer = talk.post(asked, "confirm order", **sound(1000, 2000))
    InboxItem.objects.filter(utterance=answer.body["id"]).update(attempts=1)  # begun, and its worker died
    assert outcome(talk.post(asked, "confirm order", speaker="ravi", **sound(1000, 2000))) == ("recorded", "speaker")
    handled(asked, script)
    assert script.calls == []

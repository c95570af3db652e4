"""Ways to end the talk that no list holds, and what only begins like one."""

from __future__ import annotations

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.readings import Said, Waiting

ENDS = (
    "cancel what you are doing",
    "never mind, cancel that",
    "please stop talking now",
    "stop, I changed my mind",
    "could you quit the current action please",
    "forget it, I don't need it anymore",
)
GOES_ON = (
    "cancel the milk",
    "stop the music",
    "cancel my alarm",
    "end of the month",
    "quit the game",
    "I changed my mind",
    "don't stop talking",
    "cancel the second one",
)


@pytest.mark.promise("P209")
@pytest.mark.parametrize("waiting", list(Waiting))
@pytest.mark.parametrize("said", ENDS)
def test_what_only_says_stop_in_many_words_ends_the_talk(said: str, waiting: Waiting) -> None:
    assert hearing.read(said, waiting=waiting).said in {Said.STOP, Said.CANCEL}


@pytest.mark.parametrize("waiting", list(Waiting))
@pytest.mark.parametrize("said", GOES_ON)
def test_what_names_a_thing_ends_nothing(said: str, waiting: Waiting) -> None:
    assert hearing.read(said, waiting=waiting).said not in {Said.STOP, Said.CANCEL}

"""``manage.py people``: who speaks which language, and whose voices count; what cannot be done is said."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from interactions.models import Person
from tests.support import talk

pytestmark = pytest.mark.on_sqlite


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("people", *words, stdout=out)
    return out.getvalue().strip()


def test_the_operator_names_the_speakers_whose_speech_counts_and_takes_it_back(kitchen: Any) -> None:
    assert run("set", "asha", "--speakers", "asha, meera", "--lang", "hi") == "asha\thi\tspeakers: asha, meera"
    assert talk.post(kitchen.device, "turn on the lamp", speaker="ravi").body["reason"] == "speaker"
    assert talk.post(kitchen.device, "turn on the lamp", speaker="meera").body["reason"] == "chain"
    assert run("set", "asha", "--speakers", "-") == run("list") == "asha\thi\tspeakers: everybody"
    assert talk.post(kitchen.device, "call mummy", speaker="ravi").body["reason"] == "chain"


def test_somebody_without_a_device_yet_can_be_set_too(ravi: Any) -> None:
    assert run("list") == ""
    run("set", "ravi", "--lang", "hi")
    assert Person.objects.get(user=ravi).lang == "hi"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "nobody", "--lang", "hi"), "createsuperuser"),
        (("set", "asha"), "--speakers NAMES"),
        (("set", "asha", "--speakers", "asha,,ravi"), "parted by commas"),
        (("set", "asha", "--speakers", ""), "parted by commas"),
        (("set", "asha", "--lang", "xx"), "invalid choice"),
    ],
)
def test_what_cannot_be_set_is_said_and_changes_nothing(kitchen: Any, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        run(*words)
    assert run("list") == "asha\ten\tspeakers: everybody"

"""The evidence feed while others accept and other readers read: ids are taken before they are committed, places are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interactions import feed, ingress
from interactions.models import Utterance
from tests.support import talk
from tests.support.interleave import Stage
from tests.support.scripted import Script

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE, EACH = 4, 10


def follow(cursor: int, texts: list[str], *, limit: int = 3) -> int:
    """Read to the end of the feed; the texts that came are appended."""
    while True:
        page = feed.page(cursor, limit=limit)
        texts.extend(one.text for one in page.utterances)
        cursor = page.cursor
        if not page.more:
            return cursor


def by_id(cursor: int, texts: list[str], *, limit: int = 3) -> int:
    """The same by what looks like an order: the ids."""
    for one in Utterance.objects.filter(pk__gt=cursor).order_by("pk"):
        texts.append(one.text)
        cursor = one.pk
    return cursor


def commits_late(stage: Stage, early: Any, late: Any, read: Callable[[int, list[str]], int]) -> list[str]:
    """The one that took the lower id commits after a reader has seen the higher one; what the reader finds in the end."""
    texts: list[str] = []
    first = stage.act(lambda: talk.post(early, "one", source="typed"))
    first.to(stored := first.halt_after(ingress, "_store"))
    second = talk.post(late, "two", source="typed")
    cursor = read(0, texts)
    assert texts == ["two"]
    stored.go()
    assert first.end().body["id"] < second.body["id"], "the ids were not taken in this order"
    read(cursor, texts)
    return texts


@pytest.mark.postgres  # SQLite lets one transaction in at a time, so commits come in the order of ids
def test_control_by_ids_a_reader_passes_over_what_commits_late(
    stage: Stage, kitchen: Any, bedroom: Any, script: Script
) -> None:
    assert commits_late(stage, kitchen.device, bedroom.device, by_id) == ["two"], "the first is lost for good"


@pytest.mark.postgres
@pytest.mark.promise("P221")
def test_what_commits_after_a_higher_id_was_read_comes_next(stage: Stage, kitchen: Any, bedroom: Any, script: Script) -> None:
    assert commits_late(stage, kitchen.device, bedroom.device, follow) == ["two", "one"]


@pytest.mark.promise("P221")
def test_a_reader_waits_for_another_that_numbers_and_both_see_one_order(stage: Stage, kitchen: Any, script: Script) -> None:
    for number in range(5):
        talk.post(kitchen.device, str(number), source="typed")
    ahead, behind = (stage.act(lambda: [one.text for one in feed.page(0).utterances]) for _ in range(2))
    ahead.to(numbered := ahead.halt_after(feed, "_place"))
    behind.start().is_blocked()
    numbered.go()
    assert ahead.end() == behind.end() == [str(number) for number in range(5)]


@pytest.mark.promise("P221", "P204")
def test_readers_beside_those_who_accept_each_find_everything_once_in_one_order(
    stage: Stage, kitchen: Any, bedroom: Any, elsewhere: Any, script: Script
) -> None:
    devices = [kitchen.device, bedroom.device, elsewhere.device]
    said = [[f"{place} {turn}" for turn in range(EACH)] for place in range(len(devices))]

    def speak(place: int) -> tuple[int, list[str]]:
        for text in said[place]:
            talk.post(devices[place], text, source="typed")
        return 0, []

    def read() -> tuple[int, list[str]]:
        cursor, texts = 0, []
        for _ in range(AT_ONCE * EACH):
            cursor = follow(cursor, texts)
        return cursor, texts

    acts = [lambda place=place: speak(place) for place in range(len(devices))]
    readers = stage.together(*acts, read, read)[-2:]
    for cursor, texts in readers:
        follow(cursor, texts)
    assert readers[0][1] == readers[1][1]
    assert sorted(readers[0][1]) == sorted(text for spoken in said for text in spoken)

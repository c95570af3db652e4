"""Which cart may be reviewed, how long a review is good for, and that a consent is to one review and no other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from interactions.consent import Verdict
from interactions.contracts import Heard, Prompt
from swiggy_instamart import carts, reviews
from swiggy_instamart.carts import Line
from swiggy_instamart.reviews import Review

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
LINE = Line("a", "k", "Milk", "1 L", 2)
FIT: dict[str, Any] = {
    "lines": [LINE],
    "total_paise": 26900,
    "address_id": "home__t",
    "cart_address": "home",
    "unserviceable": False,
    "scan": True,
    "limit_paise": 100_000,
}


def review(**more: Any) -> Review:
    row: dict[str, Any] = {"revision": 3, "fingerprint": "f", "address_id": "home", "label": "Home", "lines": (LINE,)}
    return Review(**row | {"total_paise": 26900, "device": 7, "made_at": NOON.isoformat()} | more)


def prompt(key: str = "review:3", **more: Any) -> Prompt:
    row: dict[str, Any] = {"reply_id": 9, "seq": 9, "device": 7, "words": 20, "est_ms": 8000, "delivered_at": NOON}
    return Prompt(key, **row | more)


def heard(at: datetime, text: str = "confirm order", **more: Any) -> Heard:
    return Heard(
        at, text, 1, at, **{"device": 7, "heard_upto": 9, "prompt": prompt(finished_at=at - timedelta(seconds=4))} | more
    )


def verdict(event: Heard, given: Review | None = None) -> Verdict:
    return reviews.verdict(given or review(), event, names=("Hermes",), phrases=("confirm order",))


@pytest.mark.promise("P126", "P128", "P129", "P130")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, ""),
        ({"lines": []}, "cart_empty"),
        ({"cart_address": "office"}, "cart_elsewhere"),
        ({"cart_address": ""}, "address_unseen"),
        ({"unserviceable": True}, "unavailable"),
        ({"total_paise": None}, "total_unreadable"),
        ({"total_paise": 0}, "total_unreadable"),
        ({"total_paise": 99_900}, ""),
        ({"total_paise": 99_950}, ""),
        ({"total_paise": 100_000}, "over_limit"),
        ({"total_paise": 100_100}, "over_limit"),
        ({"total_paise": 100_100, "limit_paise": None}, ""),
        ({"scan": False}, "no_scan"),
    ],
)
def test_only_a_whole_affordable_payable_cart_of_the_confirmed_address_may_be_reviewed(
    change: dict[str, Any], code: str
) -> None:
    assert reviews.unfit(**FIT | change) == code


def test_a_compound_address_id_matches_its_base_and_no_longer_one() -> None:
    assert reviews.unfit(**FIT | {"cart_address": "home2"}) == "cart_elsewhere"
    assert carts.base("a__b__c") == "a"


@pytest.mark.promise("P136")
@pytest.mark.parametrize(("seconds", "over"), [(0, False), (119, False), (120, False), (121, True), (3600, True)])
def test_a_review_is_good_for_its_validity_after_its_playback_ended(seconds: int, over: bool) -> None:
    ended = NOON + timedelta(seconds=10)
    at = ended + timedelta(seconds=seconds)
    assert reviews.expired(review(), prompt=prompt(finished_at=ended), at=at, validity_s=120) is over


@pytest.mark.promise("P136")
def test_without_a_report_the_bound_counts_and_without_a_prompt_the_time_it_was_made() -> None:
    at = NOON + timedelta(seconds=130)
    assert not reviews.expired(review(), prompt=prompt(), at=at, validity_s=120)  # 15 s to read it out
    assert reviews.expired(review(), prompt=None, at=at, validity_s=120)
    assert reviews.expired(review(), prompt=prompt("items"), at=at, validity_s=100)


def test_a_review_survives_being_stored() -> None:
    assert reviews.load(review().dump()) == review()


@pytest.mark.promise("P202")
def test_a_consent_is_to_one_revision_at_one_device() -> None:
    at = NOON + timedelta(seconds=60)
    assert verdict(heard(at)) is Verdict.OK
    assert verdict(heard(at), review(revision=4)) is Verdict.NOT_HEARD
    assert verdict(heard(at), review(device=8)) is Verdict.OTHER_DEVICE
    assert verdict(heard(at, prompt=None)) is Verdict.NOT_HEARD
    assert verdict(heard(at, prompt=prompt("offer"))) is Verdict.NOT_HEARD
    assert verdict(heard(at, "yes")) is Verdict.NOT_THE_PHRASE


@pytest.mark.parametrize(("seconds", "fresh"), [(0, True), (10, True), (10.1, False), (-0.5, True), (-5, False)])
def test_words_are_good_for_ten_seconds(seconds: float, fresh: bool) -> None:
    assert reviews.fresh(NOON.isoformat(), at=NOON + timedelta(seconds=seconds)) is fresh

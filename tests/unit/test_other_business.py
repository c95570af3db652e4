"""Talk of other trades, and talk to others, inside an open order: asked back or let by, and never searched for."""

from __future__ import annotations

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.readings import Said
from tests.support.ordering import Order


@pytest.mark.promise("P210")
@pytest.mark.parametrize(
    "said",
    [
        *(
            "book a hotel in goa",
            "two adults and three kids",
            "a room with a balcony",
            "one bedroom",
            "can we get room service",
        ),
        *("do you have free parking", "I need a wheelchair friendly room", "a trip to kerala", "six nights", "in a week"),
        *("reserve a table", "rent a car", "24th jan 2016", "for two days", "a holiday in the hills", "one toddler"),
        *("I want to travel", "set an alarm for six", "play some old songs", "I want a cab", "order some food", "brand new"),
        *("mama I want ice cream", "daddy, get me chocolate", "mummy mujhe doodh chahiye", "grandma I need water"),
        *("दो बच्चे", "एक कमरा चाहिए", "मम्मा आइसक्रीम चाहिए", "do bachche", "ek kamra chahiye", "main gaana sunna chahta hoon"),
        *("ha ha ha", "la la la", "goodnight", "sayonara", "au revoir", "gotta go", "change it to 11pm"),
    ],
)
def test_what_no_shop_sells_and_what_is_said_to_others_is_not_searched(said: str) -> None:
    order = Order().to_shopping()
    order.say(said)
    assert order.pending is None


@pytest.mark.promise("P210")
@pytest.mark.parametrize(
    ("said", "query"),
    [
        *(("kids toothpaste", "kids toothpaste"), ("baby soap", "baby soap"), ("room freshener", "room freshener")),
        *(("adult diapers", "adult diapers"), ("two night creams", "night creams"), ("good day", "good day")),
        *(("dog food", "dog food"), ("tuna in oil", "tuna in oil"), ("bread without sugar", "bread without sugar")),
        *(("uncle chips", "uncle chips"), ("massage oil", "massage oil")),
        *(("birthday candles", "birthday candles"), ("chat masala", "chat masala"), ("pool chlorine", "pool chlorine")),
    ],
)
def test_a_product_for_them_is_still_a_wish(said: str, query: str) -> None:
    reading = hearing.read(said)
    assert (reading.said, [item.query for item in reading.items]) == (Said.WANTED, [query])


@pytest.mark.parametrize("said", ["pata nahi", "पता नहीं", "maloom nahi"])
def test_not_to_know_is_no_refusal(said: str) -> None:
    order = Order().to_review()
    order.say(said)
    assert order.phase == "awaiting_confirmation"

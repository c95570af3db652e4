"""Shopping talk the long way round, and what only sounds like it."""

from __future__ import annotations

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.readings import Reading, Said, Wanted


@pytest.mark.promise("P210")
@pytest.mark.parametrize(
    ("said", "things"),
    [
        ("I'm out of coffee, so order some more", ("coffee",)),
        ("we ran out of dish soap, can you add it to my list", ("dish soap",)),
        ("I don't have any more ghee, please put that in the cart", ("ghee",)),
        ("is there curd on my list, if not please add it", ("curd",)),
        ("do I have lemons in my cart, if not add them", ("lemons",)),
        ("add ginger to my list if it isn't there already", ("ginger",)),
        ("please add oats unless I already did", ("oats",)),
        ("put garlic on my list because I'm out", ("garlic",)),
        ("on my shopping list add rice and sugar", ("rice", "sugar")),
        ("I need paneer added to my cart", ("paneer",)),
        ("make sure almonds are on my list", ("almonds",)),
        ("add candles to the birthday list", ("candles",)),
        ("open my list and add honey", ("honey",)),
    ],
)
def test_what_is_wanted_is_found_wherever_it_is_named(said: str, things: tuple[str, ...]) -> None:
    assert hearing.read(said) == Reading(Said.WANTED, items=tuple(map(Wanted, things)))


@pytest.mark.parametrize("said", ["I need the eggs removed from my cart", "please get the eggs taken off the list"])
def test_what_shall_be_removed_is_removed(said: str) -> None:
    assert hearing.read(said) == Reading(Said.REMOVE, query="eggs")


@pytest.mark.parametrize(
    "said",
    [
        "I'm out of here",
        "I'm out of breath so call a doctor",
        "I have no idea so ask him",
        "I don't have the answer",
        "do I have a meeting, if not add it",
        "is it raining, if not open the window",
        "add milk if it rains tomorrow",
        "add sugar if he comes",
        "make sure the door is locked",
        "I need the alarm removed",
        "add Ravi to the list of contacts",
        "remind me when I am out of the shower",
    ],
)
def test_what_only_sounds_like_it_adds_nothing(said: str) -> None:
    assert hearing.read(said).said not in {Said.WANTED, Said.SEVERAL}

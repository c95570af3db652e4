"""Questions about the cart: what asks for it, and what only names it."""

from __future__ import annotations

import pytest

from swiggy_instamart import hearing
from swiggy_instamart.readings import Said, Waiting


@pytest.mark.promise("P119")
@pytest.mark.parametrize(
    "said",
    [
        "what's in my cart",
        "tell me what is in the basket",
        "can you read me everything on my grocery list",
        "I need to know what I have in my cart",
        "is there any milk in my basket",
        "did I already put eggs on the list",
        "does my cart have bread in it",
        "how many items are in my cart",
        "my basket has what in it",
        "in the cart did I put curd",
        "check if my cart has paneer",
        "please go over my cart",
    ],
)
def test_a_question_about_the_cart_shows_it(said: str) -> None:
    assert hearing.read(said).said is Said.SHOW_CART
    assert hearing.read(said, waiting=Waiting.REVIEW).said is Said.SHOW_CART


@pytest.mark.parametrize(
    "said",
    [
        "is milk on my list, if not add it",
        "is there bread in my cart, please add it",
        "add milk to my cart",
        "my cart should have milk in it",
        "what is on my to do list",
        "show me the list of contacts",
        "read my work list",
        "remove the milk from my cart",
        "clear my cart",
        "why is the shopping cart in the hall",
        "where is the cart",
        "tell me a joke",
    ],
)
def test_what_only_names_a_cart_or_goes_on_shows_none(said: str) -> None:
    assert hearing.read(said).said is not Said.SHOW_CART

"""Questions about what the cart holds: "what's on my list", "is there milk in the cart", "read me my basket". Pure.

Such a question shows the cart, which changes nothing, so it is taken in many forms. One that goes on to ask for a change ("if
not, add it") is not among them, and neither is one about a list of other things.
"""

from __future__ import annotations

from swiggy_instamart import words
from swiggy_instamart.words import Phrases, Tokens

LONGEST = 18  # words


def asks(said: Tokens) -> bool:
    """Whether ``said``, without names, fillers and courtesies, asks what is in the cart."""
    said, known = _unwrapped(said)
    at, place = _place(said)
    if not place or len(said) > LONGEST:
        return False
    before, behind = said[:at], said[at + len(place) :]
    questioned = behind[:1] and behind[0] in words.CART_HOLDING | words.CART_ASKING
    if set(behind) & (words.CART_IF | words.CART_CHANGING) and not questioned:
        return False
    if (not before and not known) or before in words.CART_PREPOSITIONS:  # "my list contains what", "on my list did I put salt"
        return bool(set(behind) & words.CART_WHICH) or bool(before and questioned)
    if set(before) <= words.CART_SHOWN and (known or before[0] in words.CART_SHOWING):
        return set(behind) <= words.CART_SHOWN | words.CART_HOLDING
    asked = before[0] in words.CART_ASKING | words.CART_WHICH or ((known or before[0] in words.CART_SHOWING) and _if(before))
    return asked and (set(behind) <= words.CART_SHOWN or bool(questioned))


def _if(before: Tokens) -> bool:
    """ "Check if", "tell me whether"."""
    return bool(set(before[:2]) & words.CART_IF)


def _unwrapped(said: Tokens) -> tuple[Tokens, bool]:
    """``said`` without "can you", "I need to know"; and whether something is to be known."""
    known = False
    while True:
        knowing, polite = _starting(said, words.CART_KNOWING), _starting(said, words.WRAPPERS | words.CART_ASKING_POLITELY)
        longest = max(knowing, polite, key=len)
        if not longest:
            return said, known
        known |= longest == knowing
        said = said[len(longest) :]


def _starting(said: Tokens, phrases: Phrases) -> Tokens:
    sizes = range(min(words.LONGEST_PHRASE, len(said)), 0, -1)
    return next((said[:size] for size in sizes if said[:size] in phrases), ())


def _place(said: Tokens) -> tuple[int, Tokens]:
    """Where the cart is named, and how: the first place, and there the longest name."""
    for at in range(len(said)):
        if found := _starting(said[at:], words.CART_NAMED):
            return at, found
    return 0, ()

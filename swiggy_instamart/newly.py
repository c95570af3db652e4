"""A new wish at an open offer: "surf excel" among onions. Pure.

What names none of the options, and is a wish anywhere else, is one here. A search changes no cart, and what was open comes back
behind it, so hearing one wish too many costs a question.
"""

from __future__ import annotations

from interactions import text
from swiggy_instamart import choosing, goods, hearing, packs, wishes, words
from swiggy_instamart.machine import Phase
from swiggy_instamart.readings import Reading, Said
from swiggy_instamart.turn import Turn
from swiggy_instamart.wording import READ_OUT

ALMOST = frozenset({Said.NOTHING, Said.ASKED})


def wished(turn: Turn, spoken: str, reading: Reading) -> Reading:
    """``reading``, or the wish that ``spoken`` is where no options are open."""
    if turn.phase is not Phase.SHOPPING or not turn.offers or packs.asked(turn.offers[0]):
        return reading
    said = text.strip_courtesy(text.strip_name(text.tokens(spoken), turn.names))
    named = _names_no_option(turn, reading) and not set(said) & words.ONE  # "the blue one" is of those just read
    if not (named or reading.said in ALMOST):
        return reading
    alone = hearing.read(spoken, names=turn.names)
    if alone.said is not Said.WANTED or alone.too_many:
        return reading
    # What names something is taken at its word; of the rest only what every shop has, or of which any will do.
    surely = named or bool(wishes.starting(said, 0, words.ANY_KIND)) or all(goods.known(item.query) for item in alone.items)
    return alone if surely else reading


def _names_no_option(turn: Turn, reading: Reading) -> bool:
    rows = turn.offers[0]["variants"]
    if reading.said is not Said.SELECT or not reading.query or choosing.fitting(rows[:READ_OUT], reading):
        return False
    return goods.known(reading.query) or not choosing.fitting(rows, reading)

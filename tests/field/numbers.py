"""Numbers: those of the public files, and every whole number to a hundred with its halves and quarters.

A whole number is said with a product behind it, and alone where a count is asked for; a part of one as kilos. What is less than
nothing is refused; what is beyond the hundred, or parted otherwise, may be refused and must never be another amount.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from num2words import num2words

from swiggy_instamart import carts
from tests.field import expected, sets
from tests.field.expected import NOTHING, Expected
from tests.field.judge import Trial
from tests.support import field_data

HUNDRED = 100
THIRDS = 10_000
GRAMS = frozenset({41, 194})  # "10G" is ten grams here, and not ten billions
WEIGHTS = ("g", "kg", "ml", "l")
PARTS = {
    Fraction(1, 2): ("and a half", "and one half"),
    Fraction(1, 4): ("and a quarter", "and one fourth"),
    Fraction(3, 4): ("and three quarters",),
}


def public() -> Iterator[Trial]:
    """B02: the rows that are one number, and those that only hold some."""
    numbers = {said.strip(): value for said, value in field_data.numbers()}
    for row, said in enumerate(field_data.number_inputs(), 1):
        bare = said.strip(" .")
        value = numbers.get(said.strip())
        if value is None or row in GRAMS:
            yield from sets.other_trade(row, f"B02:{row}", said, ANY)
        else:
            yield from _number(f"B02:{row}", bare, value)


def measures() -> Iterator[Trial]:
    """B03: grams, kilos, litres, millilitres and counts; other units are other people's business."""
    for row, (said, value, unit) in enumerate(field_data.measures(), 1):
        where = f"B03:{row}"
        if value < 0:
            yield Trial(where, f"add {said} sugar", "empty", NOTHING, domain=False)
        elif unit in WEIGHTS:
            yield Trial(where, f"add {said} sugar", "empty", expected.parse(f"add {value} {unit} sugar"))
        elif unit:
            yield from sets.other_trade(row, where, said, ANY)
        else:
            yield from _number(where, said, value)


def to_a_hundred() -> Iterator[Trial]:
    for number in range(HUNDRED + 1):
        for said in (num2words(number), num2words(number).replace("-", " "), str(number)):
            yield from _number(f"number:{said}", said, Fraction(number))
        for part, ways in PARTS.items():
            for way in ways if number else ():
                said = f"{num2words(number)} {way}"
                yield from _number(f"number:{said}", said, number + part)


ANY = expected.parse("nothing | add *")


def _number(row: str, said: str, value: Fraction) -> Iterator[Trial]:
    value = value.limit_denominator(THIRDS) or value  # the file writes 0.666666666666667
    if value < 0:
        yield Trial(row, f"{said} milk" if said[0] == "-" else f"add {said} milk", "empty", NOTHING, domain=False)
        yield Trial(row, said, "counting", NOTHING, domain=False)
    elif value.denominator == 1:
        ours = value <= HUNDRED
        more = "" if ours else " | nothing"
        yield Trial(row, f"add {said} milk", "empty", expected.parse(f"add {value} milk{more}") if value else NOTHING, ours)
        yield Trial(row, said, "counting", _count(int(value)), ours)
    else:
        ours = value <= HUNDRED and value.denominator in (2, 4)
        more = "" if ours else " | nothing"
        yield Trial(row, f"add {said} kilo onions", "empty", expected.parse(f"add {value} kg onions{more}"), ours)
        yield Trial(row, said, "counting", NOTHING, domain=False)


def _count(value: int) -> Expected:
    """One is what is there already; more than a line may hold is refused, and said so."""
    if value <= 1:
        return NOTHING if value else expected.parse("remove it")
    return expected.parse(f"set {value} it" if value <= carts.MOST else "nothing")

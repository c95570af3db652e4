"""Amounts as people say them in English, as exact fractions with a unit. Pure; nothing is rounded and nothing is guessed.

A number that can be read in two ways is no number: the caller asks. Words beyond 9999 are refused as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction


def _counted(said: str, start: int, step: int = 1) -> dict[str, int]:
    return {word: start + step * at for at, word in enumerate(said.split())}


ONES = _counted("zero one two three four five six seven eight nine", 0)
TEENS = _counted("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10)
TENS = _counted("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
TENS["fourty"] = 40
ONES |= {"naught": 0, "nought": 0}
WORDS = {*ONES, *TEENS, *TENS, "hundred", "thousand", "half", "quarter", "quarters"}

_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)
PARTS: tuple[tuple[tuple[str, ...], Fraction], ...] = tuple(
    (tuple(said.split()), value)
    for said, value in (
        ("three quarters", 3 * _QUARTER),
        ("3 quarters", 3 * _QUARTER),
        ("three fourths", 3 * _QUARTER),
        ("a fourth", _QUARTER),
        ("one half", _HALF),
        ("a half", _HALF),
        ("half", _HALF),
        ("one quarter", _QUARTER),
        ("one fourth", _QUARTER),
        ("a quarter", _QUARTER),
        ("quarter", _QUARTER),
    )
)

UNITS: dict[str, str] = {
    word: unit
    for unit, said in {
        "kg": "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes",
        "g": "g gm gms gram grams gramme grammes",
        "l": "l ltr ltrs litre litres liter liters",
        "ml": "ml mls millilitre millilitres milliliter milliliters",
        "dozen": "dozen dozens",
        "packet": "packet packets pack packs pkt pkts pouch pouches piece pieces pc pcs bottle bottles tin tins can cans box"
        " boxes jar jars bag bags carton cartons loaf loaves bunch bunches tub tubs tray trays unit units",
    }.items()
    for word in said.split()
}
MEASURES = frozenset({"kg", "g", "l", "ml"})
ALONE = frozenset({"dozen", "kilo", "kg", "litre", "liter"})  # said without a number, they mean one
PAIRS = frozenset({"couple", "pair"})

ORDINALS = _counted(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth",
    1,
)

_GLUED = re.compile(r"(\d+(?:\.\d+)?)([a-z]+)")
_TIMES = re.compile(r"x(\d+)")
_DIGITS = re.compile(r"\d{1,4}(?:\.\d+)?", re.ASCII)
_RATIO = re.compile(r"(\d{1,2})/(\d{1,2})", re.ASCII)
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)", re.ASCII)

Found = tuple[Fraction, int]


@dataclass(frozen=True, slots=True)
class Amount:
    """``used`` tokens said it. ``unit`` is kg, g, l, ml, dozen, packet, or None for a plain number."""

    value: Fraction
    unit: str | None
    used: int


def split(words: Sequence[str]) -> tuple[str, ...]:
    """Part numbers from the units glued to them: "500ml", "2x"; and leave "7up" alone."""
    out: list[str] = []
    for word in words:
        if (glued := _GLUED.fullmatch(word)) and (glued[2] in UNITS or glued[2] == "x"):
            out += [glued[1]] if glued[2] == "x" else [glued[1], glued[2]]
        elif times := _TIMES.fullmatch(word):
            out.append(times[1])
        elif word == "x" and out and _DIGITS.fullmatch(out[-1]):
            continue
        else:
            out.append(word)
    return tuple(out)


def whole(words: Sequence[str]) -> Fraction | None:
    """The number that these words are, all of them; None if anything else is said. A dozen is twelve here."""
    words = split(words)
    amount = at(words, 0, article="dozen" in words[1:2])
    if amount and amount.used == len(words) and amount.unit == "dozen" and amount.value <= 12:
        return amount.value * 12
    found = _number(words, 0)
    return found[0] if found and found[1] == len(words) else None


def ordinal(word: str) -> int | None:
    if digits := _ORDINAL.fullmatch(word):
        return int(digits[1]) or None
    return ORDINALS.get(word)


def at(words: Sequence[str], start: int, *, article: bool = False) -> Amount | None:
    """The amount that begins at ``start``. With ``article``, "a" counts as one and a bare "dozen" as a dozen."""
    found = _number(words, start)
    if found is None:
        return _without_number(words, start) if article else None
    value, used = found
    unit, more = _unit(words, start + used, of_one=value < 1)
    if unit is None:
        return None if _run_on(words, start) else Amount(value, None, used + (_word(words, start + used) == "of"))
    if unit == "dozen" or unit in MEASURES:
        extra = next((p for p in PARTS if _says(words, start + used + more, ("and", *p[0]))), None)
        after = start + used + more + len(extra[0]) + 1 if extra else 0
        if extra and _unit(words, after, of_one=True)[0] is None:  # "a kilo and a half", not "a kilo and half a dozen"
            value, more = value + extra[1], more + len(extra[0]) + 1
    return Amount(value, unit, used + more + (_word(words, start + used + more) == "of"))


def _without_number(words: Sequence[str], start: int) -> Amount | None:
    first, second = _word(words, start), _word(words, start + 1)
    here = start + 1 if first in {"a", "an"} else start
    if _word(words, here) in PAIRS and (here > start or _word(words, here + 1) == "of"):
        return Amount(Fraction(2), None, here - start + 1 + (_word(words, here + 1) == "of"))
    if here > start:
        unit = UNITS.get(_word(words, here))
        if unit is None:
            return Amount(Fraction(1), None, 1) if second else None
        amount = at(["one", *words[here:]], 0)
        return amount and Amount(amount.value, unit, amount.used)
    if first in ALONE and second:
        return Amount(Fraction(1), UNITS[first], 1 + (second == "of"))
    return None


def _number(words: Sequence[str], start: int) -> Found | None:
    for said, value in PARTS:
        if _says(words, start, said):
            return value, len(said)
    if ratio := _RATIO.fullmatch(_word(words, start)):
        return (Fraction(int(ratio[1]), int(ratio[2])), 1) if int(ratio[2]) else None
    found = _digits(words, start) or _cardinal(words, start)
    if found is None:
        return None
    value, used = found
    if _word(words, start + used) == "point":
        return _decimals(words, start, found)
    for said, part in PARTS:
        if value.denominator == 1 and _says(words, start + used, ("and", *said)):
            return value + part, used + 1 + len(said)
    joined = 1 if _word(words, start + used) == "and" else 0
    if value.denominator == 1 and (ratio := _RATIO.fullmatch(_word(words, start + used + joined))) and int(ratio[2]):
        return value + Fraction(int(ratio[1]), int(ratio[2])), used + joined + 1
    return found


def _digits(words: Sequence[str], start: int) -> Found | None:
    word = _word(words, start)
    return (Fraction(word), 1) if _DIGITS.fullmatch(word) else None


def _decimals(words: Sequence[str], start: int, found: Found) -> Found | None:
    value, used = found
    digits = ""
    while (word := _word(words, start + used + 1 + len(digits))) in ONES:
        digits += str(ONES[word])
    return (Fraction(f"{value}.{digits}"), used + 1 + len(digits)) if digits else None


def _cardinal(words: Sequence[str], start: int) -> Found | None:
    thousands = _below_hundred(words, start) or (1, 0)
    if _word(words, start + thousands[1]) == "thousand" and 0 < thousands[0] < 10:
        rest = _rest(words, start + thousands[1] + 1, _hundreds)
        return Fraction(thousands[0] * 1000 + rest[0]), thousands[1] + 1 + rest[1]
    found = _hundreds(words, start)
    return (Fraction(found[0]), found[1]) if found else None


def _hundreds(words: Sequence[str], start: int) -> tuple[int, int] | None:
    small = _below_hundred(words, start)
    article = _word(words, start) == "a"
    head = small or ((1, 1) if article else (1, 0))
    if _word(words, start + head[1]) == "hundred" and 0 < head[0] < 10:
        rest = _rest(words, start + head[1] + 1, _below_hundred)
        return head[0] * 100 + rest[0], head[1] + 1 + rest[1]
    if small and small[1] == 1 and 0 < small[0] < 10:
        tens = _below_hundred(words, start + 1)
        # "two fifty grams" is 250 g; without such a unit it could be anything, and at() refuses it.
        if (
            tens
            and tens[0] >= 20
            and UNITS.get(_word(words, start + 1 + tens[1])) in {"g", "ml"}
            and not _digits(words, start + 1)
        ):
            return small[0] * 100 + tens[0], 1 + tens[1]
    return small


def _rest(words: Sequence[str], start: int, read: Callable[[Sequence[str], int], tuple[int, int] | None]) -> tuple[int, int]:
    skip = 1 if _word(words, start) == "and" else 0
    found = None if any(_says(words, start + skip, said) for said, _ in PARTS) else read(words, start + skip)
    return (found[0], found[1] + skip) if found and found[0] else (0, 0)


def _below_hundred(words: Sequence[str], start: int) -> tuple[int, int] | None:
    word = _word(words, start)
    if word in TENS:
        one = ONES.get(_word(words, start + 1), 0)
        return (TENS[word] + one, 2) if one else (TENS[word], 1)
    small = ONES.get(word, TEENS.get(word))
    return None if small is None else (small, 1)


def _run_on(words: Sequence[str], start: int) -> bool:
    """Two number words in a row that make no number together ("one twenty", "two five")."""
    found = _number(words, start)
    after = _word(words, start + found[1]) if found else ""
    return not _digits(words, start) and after in WORDS


def _unit(words: Sequence[str], start: int, *, of_one: bool) -> tuple[str | None, int]:
    for skip in (("of", "a"), ("of",), ("a",), ("an",)) if of_one else ():
        if _says(words, start, skip) and (unit := UNITS.get(_word(words, start + len(skip)))):
            return unit, len(skip) + 1
    unit = UNITS.get(_word(words, start))
    return unit, 1 if unit else 0


def _says(words: Sequence[str], start: int, said: tuple[str, ...]) -> bool:
    return tuple(words[start : start + len(said)]) == said


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""

"""What people call the things of a shop, and what the shop calls them: "doodh" and "दूध" are milk. Pure; the names are data."""

from __future__ import annotations

from collections.abc import Mapping

from swiggy_instamart import words
from swiggy_instamart.words import Tokens


def named(said: Tokens) -> Tokens:
    """As the shop calls it: "amul doodh" is amul milk. In "aloo bhujia" the potato is only part of another thing."""
    said = _replaced(said, words.SPELLINGS)
    thing = next((said[at:] for at in range(len(said)) if said[at:] in words.GOODS), ())
    rest = said[: len(said) - len(thing)]
    return rest + words.GOODS[thing] if thing and not any((word,) in words.KNOWN for word in rest) else said


def _replaced(said: Tokens, table: Mapping[Tokens, Tokens]) -> Tokens:
    out: list[str] = []
    at = 0
    while at < len(said):
        size = next((n for n in range(words.LONGEST_PHRASE, 0, -1) if said[at : at + n] in table), 0)
        out += table[said[at : at + size]] if size else (said[at],)
        at += size or 1
    return tuple(out)


def known(name: str) -> bool:
    """Whether a name ends in something that every shop has: "brown bread" does."""
    said = tuple(name.split())
    return any(said[at:] in words.KNOWN for at in range(len(said)))


def sold(name: Tokens) -> bool:
    """Whether a shop may sell it, which its head tells: not "two kids" and "a room with a view", but "kids toothpaste"."""
    head = next((at for at, word in enumerate(name) if at and word in words.PREPOSITIONS), len(name)) - 1
    laughed = len(name) > 2 and len(set(name)) == 1  # "ha ha ha"
    timed = any(word.lstrip("0123456789") in words.CLOCK for word in name if word[:1].isdigit())  # "11pm"
    return not (laughed or timed or name[0] in words.PREPOSITIONS or name[head] in words.NOT_SOLD)

"""What people call the things of a shop, and what the shop calls them: "doodh" and "दूध" are milk. Pure; the names are data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interactions import text
from swiggy_instamart import words
from swiggy_instamart.words import Tokens

FEWEST_IN_A_ROW = 4
STEMS = (("ies", "i"), ("y", "i"), ("oes", "o"), ("s", ""))  # of both numbers of a word


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


def called(words_of: Iterable[str]) -> str:
    """A name as it was put together from words and from names of several words."""
    return " ".join(named(tuple(" ".join(words_of).split())))


def one_thing(before: Tokens, behind: Tokens) -> bool:
    """Whether two words that stand apart are known as one name: "two ice 500 ml cream" is ice cream."""
    ends = [before[at:] for at in range(len(before))]
    return any(end + behind[:size] in words.KNOWN for end in ends for size in range(1, len(behind) + 1))


def in_a_row(said: Tokens) -> tuple[Tokens, ...]:
    """The things of a list that was spoken without a pause: "milk bread eggs butter". Fewer may be one thing ("lemon tea")."""
    found: list[Tokens] = []
    at = 0
    while at < len(said) >= FEWEST_IN_A_ROW:
        sizes = range(min(words.LONGEST_PHRASE, len(said) - at), 0, -1)
        size = next((size for size in sizes if named(said[at : at + size]) in words.KNOWN), 0)
        if not size:
            return ()
        found.append(said[at : at + size])
        at += size
    return tuple(found) if len(found) >= FEWEST_IN_A_ROW else ()


def known(name: str) -> bool:
    """Whether a name ends in something that every shop has: "brown bread" does."""
    said = tuple(name.split())
    return any(said[at:] in words.KNOWN for at in range(len(said)))


def another(title: str, wished: str) -> bool:
    """Whether a title ends in a thing that every shop has, and which was not wished for: onion chips, where it was onions."""
    end = next((found for found in _ends(title) if found in words.KNOWN), ())
    asked = _singular(tuple(text.tokens(wished)))
    return bool(end and asked) and not _singular(named(end)) & asked


def _ends(title: str) -> list[Tokens]:
    said = tuple(text.tokens(title))
    return [said[at:] for at in range(len(said))]


def _singular(said: Tokens) -> frozenset[str]:
    return frozenset(next((word[: -len(end)] + one for end, one in STEMS if word.endswith(end)), word) for word in said)


def sold(name: Tokens) -> bool:
    """Whether a shop may sell it, which its head tells: not "two kids" and "a room with a view", but "kids toothpaste"."""
    head = next((at for at, word in enumerate(name) if at and word in words.PREPOSITIONS), len(name)) - 1
    laughed = len(name) > 2 and len(set(name)) == 1  # "ha ha ha"
    timed = any(word.lstrip("0123456789") in words.CLOCK for word in name if word[:1].isdigit())  # "11pm"
    return not (laughed or timed or name[0] in words.PREPOSITIONS or name[head] in words.NOT_SOLD)

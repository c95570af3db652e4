"""An utterance as ``hearing`` reads it: its words without the name, the fillers and what was taken back. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from interactions import text
from swiggy_instamart import clauses, goods, wishes, words
from swiggy_instamart.readings import Waiting
from swiggy_instamart.words import Tokens

LONGEST = 60  # words; a longer one is a story, or a text made to keep the reader busy


@dataclass(frozen=True, slots=True)
class Spoken:
    """``whole`` has lost the names only; ``marked`` also fillers and courtesies, and has kept its commas.

    ``foldings`` are all the ways to take the whole of it; a listed phrase is said where it is one of them.
    """

    whole: Tokens
    marked: Tokens
    waiting: Waiting
    foldings: frozenset[Tokens] = field(init=False)

    def __post_init__(self) -> None:
        said = {self.whole, self.plain, text.strip_farewell(self.plain)}
        object.__setattr__(self, "foldings", frozenset(said | {_gist(one) for one in said}))

    @property
    def plain(self) -> Tokens:
        return wishes.bare(self.marked)


def _gist(said: Tokens) -> Tokens:
    return tuple(word for word in text.strip_farewell(said) if word not in words.IGNORABLE)


def of(spoken: str, names: tuple[str, ...], waiting: Waiting) -> Spoken:
    marked = clauses.corrected(wishes.mark(spoken))
    plain = wishes.bare(marked)
    first = _uncalled(plain, names)
    marked = wishes.after(marked, len(plain) - len(first))
    near = len(first) - len(text.strip_near_name(first, names, wrong=1))
    if near and marked[near : near + 1] == (wishes.COMMA,):  # "Hermis, add milk": by the comma it is a call, and no product
        marked, first = wishes.after(marked, near), first[near:]
    marked = _before_last(marked, _vocative(first, names))
    said = wishes.bare(marked)
    marked = _before_last(marked, len(said) - len(text.strip_invented(said)))
    whole = wishes.bare(marked)
    return Spoken(whole, wishes.after(marked, len(whole) - len(_led(text.strip_courtesy(whole)))), waiting)


def _led(plain: Tokens) -> Tokens:
    """Without what only leads to a sentence; alone it may be an answer."""
    lead = wishes.starting(plain, 0, words.LEADS)
    rest = text.strip_courtesy(plain[len(lead) :])
    return _led(rest) if lead and rest else plain


def _uncalled(plain: Tokens, names: tuple[str, ...]) -> Tokens:
    """Without the names in front, also repeated and after fillers; fillers alone stay."""
    called = [text.strip_name(said, names) for said in (plain, text.strip_courtesy(plain))]
    rest = called[0] if called[0] != plain else called[1]
    return plain if rest in (plain, text.strip_courtesy(plain)) else _uncalled(rest, names)


def _vocative(plain: Tokens, names: tuple[str, ...]) -> int:
    """How many words at the end call the assistant ("add brown bread Hermes"); none where the name is the thing itself."""
    thanked = text.strip_farewell(plain)
    for name in map(text.tokens, names):
        if name and thanked[-len(name) :] == name and len(thanked) > len(name) + (thanked[0] in {"add", "get", "order"}):
            return len(plain) - len(thanked) + len(name)
    return 0


def _before_last(marked: Tokens, count: int) -> Tokens:
    while marked and count > 0:
        count -= marked[-1] != wishes.COMMA
        marked = marked[:-1]
    return marked


def cries_out(turn: Spoken) -> bool:
    """ "Oh crap", "hey bhagwan", "holy cow": no wish, unless what is cried is a thing that every shop has."""
    cried = turn.whole[:1] and turn.whole[0] in words.CRYING_OUT and not goods.known(goods.called(wishes.trimmed(turn.plain)))
    return set(turn.plain) <= words.CRIED or bool(cried)

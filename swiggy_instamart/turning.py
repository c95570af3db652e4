"""Sentences whose words stand in another order, as the plain command: "doodh chahiye do packet", "namak ka ek aur packet",
"do do packet doodh aur dahi", "no need of bread". Pure: words in, words out in the order that the grammar reads.

An amount often comes late, when the thing was named already. It is moved only where it is all that stands there.
"""

from __future__ import annotations

from swiggy_instamart import quantities, verbs, wishes, words
from swiggy_instamart.words import Tokens

REMOVE = "remove"
LATE = words.ADD_VERBS - words.AS_VERBS  # "do" behind a thing may be a number
POSSESSIVE = words.SIZE_OF & words.PARTICLES


def straight(marked: Tokens) -> Tokens:
    return _unneeded(marked) or _amount_first(_each(_amount_before_verb(marked)))


def _unneeded(marked: Tokens) -> Tokens | None:
    """ "No need of bread", "don't want the bread", "bread is not needed". "Don't want it" denies what is asked."""
    said = wishes.trimmed(marked)
    before = wishes.starting(said, 0, words.UNNEEDED_BEFORE)
    behind = wishes.ending(said, words.UNNEEDED_BEHIND) if not before else ()
    named = said[len(before) : len(said) - len(behind)] if before or behind else ()
    return (REMOVE, *named) if named and named not in words.THE_LAST | words.OF_THEM else None


# ---- an amount that comes late ------------------------------------------------------------------------------------------


def _amount_before_verb(marked: Tokens) -> Tokens:
    """ "Anda chahiye ek dozen aur bread ek": the verb goes to the end, or is left out where another one stands there."""
    for at in range(1, len(marked) - 1):
        verb = wishes.starting(marked, at, LATE)
        end = at + len(verb)
        size = _late(marked, end) if verb else 0
        if not size or any(quantities.at(marked, place) for place in range(at)):
            continue
        rest = marked[:at] + marked[end:]
        if any(verbs.closing(wishes.trimmed(rest), words.ADD_VERBS)):
            return rest
        whole = not marked[end + size :] or any(verbs.closing(wishes.trimmed(rest), words.REMOVE_VERBS | words.SET_VERBS))
        return marked[:at] + marked[end : end + size] + verb + marked[end + size :] if whole else rest + verb
    return marked


def _late(marked: Tokens, at: int) -> int:
    """How many words are an amount, or so many more, and nothing behind it."""
    size = _amount(marked, at)
    behind = marked[at + size :]
    apart = not behind or (behind[0] in words.AND | {wishes.COMMA} and len(behind) > 1)
    return size if size and apart else 0


def _amount(marked: Tokens, at: int) -> int:
    """ "Ek packet", "ek aur packet", "do aur"."""
    amount = quantities.at(marked, at)
    if amount is None:
        return 0
    end = at + amount.used
    if not set(marked[end : end + 1]) & words.MORE or (amount.unit and end + 1 < len(marked)):
        return amount.used
    packed = any(quantities.UNITS.get(word) in quantities.COUNTED for word in marked[end + 1 : end + 2])
    # "Bread chahiye ek aur doodh" is one bread, or one more milk.
    return amount.used + 1 + packed if packed or end + 1 == len(marked) else 0


def _amount_first(marked: Tokens) -> Tokens:
    """ "Namak ka ek aur packet": so much of what stands before it, as far as a comma or an "and"."""
    for at in range(1, len(marked) - 1):
        size = _amount(marked, at + 1) if marked[at] in POSSESSIVE else 0
        if not size:
            continue
        start = max((n + 1 for n in range(at) if marked[n] in words.AND or marked[n] == wishes.COMMA), default=0)
        start += len(wishes.starting(marked[:at], start, words.ADD_OR_AND, words.REMOVE, words.CHANGE))
        if start < at and not any(quantities.at(marked, n) for n in range(start, at)):
            return marked[:start] + marked[at + 1 : at + 1 + size] + marked[start:at] + marked[at + 1 + size :]
    return marked


# ---- the same of each -----------------------------------------------------------------------------------------------------


def _each(marked: Tokens) -> Tokens:
    """ "Do do packet doodh aur dahi": two of each."""
    at = next((n for n in range(len(marked) - 2) if _twice(marked, n)), None)
    if at is None:
        return marked
    amount = quantities.at(marked, at + 1)
    size = amount.used if amount else 1
    said, behind = marked[at + 1 : at + 1 + size], marked[at + 1 + size :]
    out: list[str] = [*marked[:at], *said]
    for word in behind:
        out += [word, *said] if word in words.AND or word == wishes.COMMA else [word]
    return tuple(out)


def _twice(marked: Tokens, at: int) -> bool:
    """A number said twice before a thing; "do do aur" gives two more."""
    return marked[at] == marked[at + 1] and marked[at] in words.REPEATED and marked[at + 2] not in words.AND | words.MORE

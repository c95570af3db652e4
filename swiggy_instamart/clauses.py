"""Sentences of more than one clause: several commands in one breath, and what takes back what was just said.

Pure. A clause is a command of its own only if it has a verb and is understood; else the whole is read as one, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from swiggy_instamart import adjusting, grammar, limiting, quantities, references, removing, replacing, verbs, wishes, words
from swiggy_instamart.readings import NOT_UNDERSTOOD, Reading, Said, Waiting
from swiggy_instamart.words import Tokens

FIRST_WORDS = words.ADD | words.REMOVE | words.CHANGE | words.MAKE_IT
LAST_WORDS = words.ADD_VERBS | words.REMOVE_VERBS | words.SET_VERBS
STEMS = frozenset(verb[:1] for verb in LAST_WORDS if len(verb) > 1)
WHOLE_WORDS = frozenset(verb for verb in LAST_WORDS - STEMS if len(verb) == 1 and len(verb[0]) > 3)  # "hatao", and not "hata"
TOGETHER = frozenset({Said.WANTED, Said.QUANTITY, Said.REMOVE, Said.MORE, Said.FEWER})
AWAY = frozenset({Said.REMOVE, Said.FEWER})
MOST_CLAUSES = 6

FIRST: tuple[grammar.Rule, ...] = (replacing.in_its_place, limiting.so_many_only, adjusting.by_a_number)
COMMANDS = (*FIRST, references.asked, references.same, removing.taken_out, *grammar.COMMANDS)
RULES = (*FIRST, references.one_of_them, *COMMANDS[len(FIRST) :], grammar.bare, references.by_name)


def read(marked: Tokens, *, waiting: Waiting) -> Reading | None:
    if not wishes.bare(marked):
        return None
    return _several(marked, waiting) or next((reading for rule in RULES if (reading := rule(marked, waiting))), None)


def command(marked: Tokens, *, waiting: Waiting) -> Reading | None:
    """As ``read``, but only what has a verb, and only if it was understood."""
    found = _several(marked, waiting) or _one(marked, waiting)
    return None if found == NOT_UNDERSTOOD else found


def _one(marked: Tokens, waiting: Waiting) -> Reading | None:
    return next((reading for rule in COMMANDS if (reading := rule(marked, waiting))), None)


# ---- several commands ---------------------------------------------------------------------------------------------------


def _several(marked: Tokens, waiting: Waiting, depth: int = MOST_CLAUSES) -> Reading | None:
    """ "Remove the milk and add a bread". Only wishes in a row are one wish, and no matter for this."""
    for left, right in _cuts(marked) if depth else ():
        counted = adjusting.opens(right)
        first = _one(left, Waiting.REVIEW) or (grammar.bare(left, Waiting.NOTHING) if counted else None)
        if first is None or first.said not in TOGETHER or (first.said in AWAY and counted and not _ends(right)):
            continue  # "remove one milk and another bread" adds a bread, or removes it
        if first.said is Said.MORE and not verbal(left) and _taken_away(right):
            return NOT_UNDERSTOOD  # "ek aur bread aur doodh hata do" takes away both, or only the last
        more = _several(right, waiting, depth - 1) or _one(right, Waiting.REVIEW)
        if more is None and first.said is Said.MORE:  # "one more milk and bread"
            more = grammar.bare(right, Waiting.NOTHING)
        if counted and more and more.said is Said.MORE and not more.query:
            return NOT_UNDERSTOOD  # "add bread and one more": of nobody knows what
        parts = _joined(first, more) if more and _fits(more, counted=counted) else None
        if parts:
            return parts[0] if len(parts) == 1 else Reading(Said.SEVERAL, parts=parts)
    return None


def _taken_away(right: Tokens) -> bool:
    return not _begins(right) and any(verbs.closing(wishes.trimmed(right), words.REMOVE_VERBS))


def _fits(more: Reading, *, counted: bool) -> bool:
    """What begins with so many more must be read as that: "one more bread (hata do)" is taken away."""
    parts = more.parts if more.said is Said.SEVERAL else (more,)
    return not counted or parts[0].said is Said.MORE


def _cuts(marked: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    counting = bool(set(marked) & (words.MORE | words.ONE_MORE))
    for at in range(1, len(marked) - 1):
        left, right = marked[:at], marked[at:]
        parted = right[0] in words.AND or right[0] == wishes.COMMA
        while right and (right[0] in words.AND or right[0] == wishes.COMMA):
            right = right[1:]
        if not right:
            continue
        if (
            parted
            and counting
            and (adjusting.opens(right) or adjusting.opens(left[len(wishes.starting(left, 0, words.ADD)) :]))
        ):
            yield left, right
            continue
        ends = _ends(left, most=1 if parted else 2) or left[-1:] in WHOLE_WORDS
        if ends | (parted and _begins(right)) and (_begins(right) or _ends(right)):
            yield left, right


def verbal(marked: Tokens) -> bool:
    """Whether a verb of shopping stands at either end."""
    return _begins(marked) or _ends(marked)


def _begins(marked: Tokens) -> bool:
    return bool(verbs.opening(wishes.bare(marked), FIRST_WORDS, LAST_WORDS))


def _ends(marked: Tokens, most: int = 1) -> bool:
    """Whether a verb stands at the end; where nothing parts the clauses, one that is no other word."""
    said = wishes.trimmed(marked)
    return any(len(said) - len(rest) >= most for rest in verbs.closing(said, LAST_WORDS))


def _joined(first: Reading, more: Reading) -> tuple[Reading, ...] | None:
    parts = more.parts if more.said is Said.SEVERAL else (more,)
    if any(part.said not in TOGETHER for part in parts) or any(part.too_many for part in (first, *parts)):
        return None
    wished = [part for part in (first, *parts) if part.said is Said.WANTED]
    if len(wished) == len(parts) + 1:
        return None  # wishes only: they are read together
    if any(_of_the_last(part) for part in parts):
        return _counted(first, parts)  # of what was named just before, which is not the line that was last spoken of
    return (first, *parts)


def _of_the_last(part: Reading) -> bool:
    unnamed = not part.query and part.line is None and not part.items
    counted = part.said in (Said.QUANTITY, Said.MORE, Said.FEWER)
    return unnamed and (counted or (part.said is Said.REMOVE and part.number is None))


def _counted(first: Reading, parts: tuple[Reading, ...]) -> tuple[Reading, ...] | None:
    """ "Add milk and make it two" is two milk; anything else about "it" contradicts itself, or may be about another line."""
    fits = len(parts) == 1 and parts[0].said is Said.QUANTITY and (parts[0].number or 0) > 0
    if first.said is not Said.WANTED or not fits or first.items[-1].parts or first.items[-1].count is not None:
        return None
    item = first.items[-1]
    return (replace(first, items=(*first.items[:-1], replace(item, count=parts[0].number))),)


# ---- what takes back ----------------------------------------------------------------------------------------------------


def corrected(marked: Tokens) -> Tokens:
    """The sentence as it was meant in the end: "two milk, no no, three" is three milk, and "scratch that" starts anew."""
    for at in range(len(marked) - 1, -1, -1):
        cue = wishes.starting(marked, at, words.CORRECTION)
        left, rest = _stripped(marked[:at]), _stripped(marked[at + len(cue) :])
        if cue and (left or rest) and (cue in words.SCRATCH or (left and rest)):
            return _instead(left, rest)
    for at in range(len(marked) - 1, 0, -1):
        # "Three milk, not two" denies the number that follows, "three milk, no, two" the one before.
        if marked[at] in words.DENIALS - words.DENYING_WHAT_FOLLOWS and (meant := _number_meant(marked, at)):
            return _instead(_stripped(marked[:at]), meant)
    return marked


def _stripped(marked: Tokens) -> Tokens:
    while marked and marked[0] == wishes.COMMA:
        marked = marked[1:]
    while marked and marked[-1] == wishes.COMMA:
        marked = marked[:-1]
    return marked


def _number_meant(marked: Tokens, at: int) -> Tokens:
    """ "Add two milk, no, three": a lone denial takes a number back only for another. "Item no 2" is none."""
    rest = _stripped(marked[at + 1 :])
    before = _stripped(marked[:at])
    said = wishes.bare(rest)
    if not said or not before or before[-1] in words.NUMBERING or _amount_in(before) is None:
        return ()
    amount = quantities.at(said, 0)
    return rest if amount and amount.used == len(said) else ()


def _instead(left: Tokens, rest: Tokens) -> Tokens:
    """``rest`` in the place of what it corrects."""
    said = wishes.bare(rest)
    if not left or not said or verbal(rest):
        return rest
    amount = quantities.at(said, 0)
    if amount and amount.used == len(said):
        place = _amount_in(left)
        return left[: place[0]] + rest + left[place[1] :] if place else left + rest
    joint = max((at for at, word in enumerate(left) if word in words.AND or word == wishes.COMMA), default=-1)
    verb = len(verbs.opening(left, words.ADD | words.REMOVE, frozenset()))
    return left[: max(joint + 1, verb)] + rest


def _amount_in(left: Tokens) -> tuple[int, int] | None:
    """Where the last amount stands."""
    for at in range(len(left) - 1, -1, -1):
        amount = quantities.at(left, at, article=at == 0)
        before = quantities.at(left, at - 1) if at else None
        if amount and not (before and before.used > amount.used):
            return at, at + amount.used
    return None

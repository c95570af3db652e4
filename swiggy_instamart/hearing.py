"""What a person meant: one utterance in, one ``Reading`` out. Pure; it decides nothing and never guesses a purchase.

``LADDER`` is tried from top to bottom: universal words, the answers the phase waits for, the grammar of shopping talk. The
money phrase stands before it and is judged on the text as heard. A language model, when there is one, is one more rung.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from interactions import text
from swiggy_instamart import grammar, inquiries, quantities, wishes, words
from swiggy_instamart.readings import EDITS, NOT_UNDERSTOOD, LabelMatch, Reading, Said, Waiting, Wanted
from swiggy_instamart.words import Tokens

__all__ = ["LabelMatch", "Reading", "Said", "Waiting", "Wanted", "label", "read"]

LONGEST_TURN = 60  # words; a longer one is a story, or a text made to keep the reader busy


@dataclass(frozen=True, slots=True)
class _Turn:
    """``whole`` has lost the names only; ``marked`` also fillers and courtesies, and has kept its commas."""

    whole: Tokens
    marked: Tokens
    waiting: Waiting

    @property
    def plain(self) -> Tokens:
        return wishes.bare(self.marked)


def read(spoken: str, *, names: Iterable[str] = (), waiting: Waiting = Waiting.NOTHING) -> Reading:
    """What was meant by ``spoken`` while the question ``waiting`` is open."""
    names = tuple(names)
    if text.is_phrase(spoken, words.CONFIRM_PHRASES, names):
        return Reading(Said.CONFIRM)
    turn = _turn(spoken, names, waiting)
    return _climb(turn) if len(turn.marked) <= LONGEST_TURN else NOT_UNDERSTOOD


def label(spoken: str, labels: Sequence[str], names: Iterable[str] = ()) -> LabelMatch:
    """Which saved label was said. The whole label beats labels that contain it; a part of several is refused."""
    said = _label_words(_turn(spoken, tuple(names), Waiting.ADDRESS_LABEL).plain)
    if not 0 < len(said) <= LONGEST_TURN or set(said) & (words.DENIALS - {"no"}):
        return LabelMatch()
    known = [_label_words(text.tokens(label)) for label in labels]
    spans = [(start, end) for start in range(len(said)) for end in range(len(said), start, -1)]
    for start, end in sorted(spans, key=lambda s: s[0] - s[1]):
        if set(said[:start] + said[end:]) <= words.LABEL_AROUND:
            found = [at for at, label in enumerate(known) if label == said[start:end]]
            if found:
                return LabelMatch(found[0]) if len(found) == 1 else LabelMatch(ambiguous=True)
    core = tuple(word for word in said if word not in words.LABEL_AROUND)
    partly = [at for at, label in enumerate(known) if core and any(label[i : i + len(core)] == core for i in range(len(label)))]
    return LabelMatch(partly[0]) if len(partly) == 1 else LabelMatch(ambiguous=len(partly) > 1)


def _label_words(said: Tokens) -> Tokens:
    return tuple(quantities.in_digits(word).replace("'", "") for word in said)


def _turn(spoken: str, names: tuple[str, ...], waiting: Waiting) -> _Turn:
    marked = wishes.mark(spoken)
    for at in range(len(marked), 0, -1):
        if cut := wishes.starting(marked, at - 1, words.SCRATCH):
            marked = marked[at - 1 + len(cut) :]  # "scratch that" takes back all that came before it
            break
    plain = wishes.bare(marked)
    filled = text.strip_courtesy(plain)
    first = next((rest for said in (plain, filled) if (rest := text.strip_name(said, names)) != said), plain)
    marked = wishes.after(marked, len(plain) - len(first))
    marked = _before_last(marked, _vocative(first, names))
    whole = wishes.bare(marked)
    return _Turn(whole, wishes.after(marked, len(whole) - len(text.strip_courtesy(whole))), waiting)


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


# ---- the ladder ---------------------------------------------------------------------------------------------------------


def _climb(turn: _Turn) -> Reading:
    return next((reading for rung in LADDER if (reading := rung(turn))), NOT_UNDERSTOOD)


def _universal(turn: _Turn) -> Reading | None:
    for said, phrases in words.UNIVERSAL:
        if _is(turn, phrases):
            return Reading(Said(said))
    first = turn.plain[:1]
    if len(set(turn.plain)) == 1 and first in words.STOP:
        return Reading(Said.STOP)  # "stop stop stop"
    if first and first[0] in words.STOP_FIRST and not set(turn.plain) & words.OFF_TOPIC:
        return Reading(Said.STOP)  # a stop word wins over what follows it, unless that is somebody else's business
    return None


def _command(turn: _Turn) -> Reading | None:
    """Whole turns that mean one thing, wherever they are said."""
    for said, phrases in words.WHOLE:
        if _is(turn, phrases):
            return Reading(Said(said))
    if turn.waiting in grammar.ASKED_ADDRESS and _is(turn, words.CHANGE_ADDRESS_IF_ASKED):
        return Reading(Said.CHANGE_ADDRESS)
    if _is(turn, words.PLACE):
        return Reading(Said.YES if turn.waiting is Waiting.REVIEW else Said.COMPLETE)
    return None


def _about_an_order(turn: _Turn) -> Reading | None:
    """What became of an order, or what it was."""
    asked = inquiries.read(text.strip_farewell(turn.plain))
    return None if asked is None else Reading(INQUIRIES[asked.ask])


def _yes_or_no(turn: _Turn) -> Reading | None:
    if turn.waiting is Waiting.REVIEW and _is(turn, words.HESITATION):
        return Reading(Said.NO)
    if _is(turn, words.YES):
        return Reading(Said.YES)
    left, seen = turn.whole, set[Said]()
    while left:
        phrase, said = _longest(left)
        if not phrase:
            break
        seen |= {said} if said else set()
        left = left[len(phrase) :]
    if not left:
        return Reading(Said.NO) if Said.NO in seen else Reading(Said.YES) if Said.YES in seen else None
    return _rider(turn, left, seen) if turn.plain and (seen or turn.plain[0] in words.DENIALS) else None


def _longest(left: Tokens) -> tuple[Tokens, Said | None]:
    tables = ((words.NO, Said.NO), (words.YES, Said.YES), (words.NEUTRAL, None))
    return max(((wishes.starting(left, 0, table), said) for table, said in tables), key=lambda found: len(found[0]))


def _rider(turn: _Turn, left: Tokens, seen: set[Said]) -> Reading:
    """A yes or a no that goes on is an edit if the rest is a command; else a no stands and a yes does not."""
    said_so_far = set(turn.whole[: len(turn.whole) - len(left)])
    denied = Said.NO in seen or turn.plain[0] in words.DENIALS
    rest = wishes.after(turn.marked, len(turn.plain) - len(left))
    while rest and rest[0] in {"but", "and", "so", wishes.COMMA}:
        rest = rest[1:]
    # "don't add milk": what follows is the thing denied. After a plain no it may be the correction ("no, make it three").
    if (rest and rest[0] in words.DENIALS) or (denied and (not rest or said_so_far & words.DENYING_WHAT_FOLLOWS)):
        return _refused(turn, rest)
    edit = _climb(replace(turn, whole=rest, marked=rest, waiting=Waiting.REVIEW)) if rest else NOT_UNDERSTOOD
    if edit.said in EDITS and not (denied and edit.said is Said.WANTED and not wishes.starting(rest, 0, words.ADD)):
        return edit
    return _refused(turn, rest) if denied else NOT_UNDERSTOOD


def _refused(turn: _Turn, rest: Tokens) -> Reading:
    """A no that goes on. Among options it may mean any of them ("no, the other one"), so only words that skip refuse them."""
    if turn.waiting is not Waiting.PICK:
        return Reading(Said.NO)
    return Reading(Said.SKIP) if rest and _is(replace(turn, whole=rest, marked=rest), words.SKIP) else NOT_UNDERSTOOD


def _awaited(turn: _Turn) -> Reading | None:
    """A number or an ordinal that is the whole turn (P112)."""
    plain = text.strip_farewell(turn.plain)
    option = plain[len(wishes.starting(plain, 0, words.ADD)) :]  # "I'll take option two"
    option = option[1:] if option[:2] == ("option", "number") else option
    if option[:1] in (("option",), ("number",), ("choice",)) and (number := grammar.number(option[1:], expected=True)):
        return Reading(Said.SELECT, number=number)
    one = tuple(word for word in plain if word not in {"the", "one", "option", "choice"})
    if len(one) == 1 and (number := quantities.ordinal(one[0])) is not None:
        return Reading(Said.SELECT, number=number)
    expected = turn.waiting in {Waiting.PICK, Waiting.COUNT}
    if turn.waiting is Waiting.COUNT:
        plain = plain[:-1] if len(plain) > 1 and quantities.UNITS.get(plain[-1]) in quantities.COUNTED else plain
        plain = plain[1:] if len(plain) > 1 and plain[0] in {"only", "just"} else plain
    number = grammar.number(plain, expected=expected)
    if number is None or (number == 0 and turn.waiting is not Waiting.COUNT):
        return None
    return Reading(Said.QUANTITY if turn.waiting is Waiting.COUNT else Said.SELECT, number=number)


def _unwrapped(turn: _Turn) -> Reading | None:
    """ "I want to complete the order", "can you remove the milk": what stands behind the wrapping, if it is a command."""
    wrapper = wishes.starting(turn.plain, 0, words.WRAPPERS)
    rest = wishes.after(turn.marked, len(wrapper)) if wrapper else ()
    if not rest:
        return None
    inner = _Turn(rest, rest, Waiting.NOTHING if turn.waiting is Waiting.REVIEW else turn.waiting)
    found = _universal(inner) or _command(inner) or _unwrapped(inner) or grammar.command(rest, waiting=turn.waiting)
    asked = wrapper[0] in {"can", "could", "may"} and wrapper[-1] == "i"
    return None if found and asked and found.said is Said.WANTED else found  # "can I bring pets" orders none


def _shopping(turn: _Turn) -> Reading | None:
    return grammar.read(turn.marked, waiting=turn.waiting)


def _is(turn: _Turn, phrases: frozenset[Tokens]) -> bool:
    return any(_gist(said) in phrases or said in phrases for said in (turn.plain, turn.whole, text.strip_farewell(turn.plain)))


def _gist(said: Tokens) -> Tokens:
    return tuple(word for word in text.strip_farewell(said) if word not in words.IGNORABLE)


INQUIRIES = {inquiries.Ask.WHERE: Said.WHERE_IS_ORDER, inquiries.Ask.WHAT: Said.WHAT_WAS_ORDERED}
LADDER: tuple[Callable[[_Turn], Reading | None], ...] = (
    _universal,
    _command,
    _about_an_order,
    _yes_or_no,
    _awaited,
    _unwrapped,
    _shopping,
)

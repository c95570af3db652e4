"""Which saved address was meant. A spoken label is compared by its words, numbers in any form; nothing is guessed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from interactions import text
from swiggy_instamart import quantities, utterances, verbs, wishes, words
from swiggy_instamart.readings import LabelMatch, Waiting
from swiggy_instamart.words import Tokens


def match(spoken: str, labels: Sequence[str], names: Iterable[str] = ()) -> LabelMatch:
    """Which saved label was said. The whole label beats labels that contain it; a part of several is refused."""
    marked = utterances.of(spoken, tuple(names), Waiting.ADDRESS_LABEL).marked
    known = [_words(text.tokens(label)) for label in labels]
    whole = LabelMatch()
    if not set(marked) & (words.DENYING - {"no"}):  # which may stand in a label: "House No 4"
        said = wishes.bare(marked)
        found = (_match(one, known) for one in (said, *_without_verb(said), *_without_one(said)))
        whole = next((one for one in found if one != LabelMatch()), whole)
    if whole.index is not None or not set(marked) & words.DENYING:
        return whole
    return _match(wishes.bare(chosen(marked)), known)


def answered(spoken: str, labels: Sequence[str], names: Iterable[str] = ()) -> LabelMatch:
    """The label that answers which one. A number alone names none: it could as well count the labels that were read out."""
    found = match(spoken, labels, names)
    counted = quantities.whole(text.tokens(spoken)) is not None
    return LabelMatch() if counted and found.index is not None else found


def chosen(marked: Tokens) -> Tokens:
    """What is wanted where something else is denied: "nahi, office pe", "ghar nahi office", "not home but the office"."""
    at = max(at for at, word in enumerate(marked) if word in words.DENYING)
    rest = marked[at + 1 :]
    if marked[at] in words.DENYING_WHAT_FOLLOWS | (words.NEGATING - words.NEGATING_BEHIND):
        parted = (at for at, word in enumerate(rest) if word in words.CONTRASTING or word == wishes.COMMA)
        rest = rest[next(parted, len(rest)) :]
    while rest and (rest[0] in words.JOINING or rest[0] == wishes.COMMA):
        rest = rest[1:]
    return rest


def _without_verb(said: Tokens) -> Iterator[Tokens]:
    """ "Ghar pe bhej do": the verbs of Hindi end a sentence."""
    return (rest for rest in verbs.closing(said, words.ADD_VERBS) if rest)


def _without_one(said: Tokens) -> tuple[Tokens, ...]:
    """ "The office one"."""
    return (said[:-1],) if len(said) > 1 and said[-1] in words.ONE else ()


def _match(said: Tokens, known: Sequence[Tokens]) -> LabelMatch:
    said = _words(said)
    if not 0 < len(said) <= utterances.LONGEST:
        return LabelMatch()
    saved = {word for label in known for word in label}
    said = tuple(word if word in saved else words.LABEL_SPELLINGS.get(word, word) for word in said)
    spans = [(start, end) for start in range(len(said)) for end in range(len(said), start, -1)]
    for start, end in sorted(spans, key=lambda s: s[0] - s[1]):
        if set(said[:start] + said[end:]) <= words.LABEL_AROUND:
            found = [at for at, label in enumerate(known) if label == said[start:end]]
            if found:
                return LabelMatch(found[0]) if len(found) == 1 else LabelMatch(ambiguous=True)
    core = tuple(word for word in said if word not in words.LABEL_AROUND)
    partly = [at for at, label in enumerate(known) if core and any(label[i : i + len(core)] == core for i in range(len(label)))]
    return LabelMatch(partly[0]) if len(partly) == 1 else LabelMatch(ambiguous=len(partly) > 1)


def _words(said: Tokens) -> Tokens:
    return tuple(quantities.in_digits(word).replace("'", "") for word in said)

"""Which saved address was meant. A spoken label is compared by its words, numbers in any form; nothing is guessed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interactions import text
from swiggy_instamart import quantities, utterances, words
from swiggy_instamart.readings import LabelMatch, Waiting
from swiggy_instamart.words import Tokens


def match(spoken: str, labels: Sequence[str], names: Iterable[str] = ()) -> LabelMatch:
    """Which saved label was said. The whole label beats labels that contain it; a part of several is refused."""
    said = _words(utterances.of(spoken, tuple(names), Waiting.ADDRESS_LABEL).plain)
    if not 0 < len(said) <= utterances.LONGEST or set(said) & (words.DENIALS - {"no"}):
        return LabelMatch()
    known = [_words(text.tokens(label)) for label in labels]
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

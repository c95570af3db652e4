"""The sense of an answer that says more than yes or no: "that is not right", "haan bilkul sahi hai". Pure.

Only sentences whose every word is known are read: words that agree, disagree, deny or doubt, and the small words around them. A
denial wins; what is denied twice, doubted, or both agreed to and denied is no answer.
"""

from __future__ import annotations

from enum import Enum

from rapidfuzz.distance import Levenshtein

from interactions import text
from swiggy_instamart import words
from swiggy_instamart.readings import Said
from swiggy_instamart.words import Tokens

NEAR = 2  # letters of "confirm" that a recogniser may get wrong and still be asked about
SHORTEST_NEAR = 5  # letters
CONFIRM_JOINED = tuple("".join(text.tokens(phrase)) for phrase in words.CONFIRM_PHRASES)
REACH = 4  # words from a denial to what it denies


class _Sense(Enum):
    YES = "yes"
    AGREED = "agreed"  # "right", which beside a no is only politeness
    NO = "no"
    OPEN = "open"


# the words, what they say, and what they say when denied
_SENSES: tuple[tuple[frozenset[str], _Sense, _Sense], ...] = (
    (words.SAYING_YES, _Sense.YES, _Sense.NO),
    (words.AGREEING, _Sense.AGREED, _Sense.NO),
    (words.SAYING_NO, _Sense.NO, _Sense.NO),
    (words.DISAGREEING, _Sense.NO, _Sense.OPEN),
)


def sense(said: Tokens) -> Said | None:
    """YES, NO, NOTHING for what leaves it open, and None for a sentence about anything else or one that only denies."""
    if not said or _asks(said) or not set(said) <= words.ANSWERING:
        return None
    found = _found(said)
    if _Sense.OPEN in found or doubts(said):
        return Said.NOTHING
    if _Sense.NO in found:
        return Said.NOTHING if _Sense.YES in found else Said.NO
    praised = found == {_Sense.AGREED} and set(said) & words.AGREEING <= words.PRAISING and not set(said) & words.POINTING
    return Said.YES if found and not praised else None


def doubts(said: Tokens) -> bool:
    """ "I don't know", "not quite sure", "no idea": a denial of knowing answers nothing."""
    for at, word in enumerate(said):
        if word in words.NEGATING | words.SAYING_NO:
            reached = said[at + 1 : at + 1 + REACH]
            first = next((one for one in reached if one in words.DOUBTING or any(one in table for table, *_ in _SENSES)), "")
            if first in words.DOUBTING:
                return True
    return False


def denies(said: Tokens) -> bool:
    """Whether the sentence denies something and names nothing: "I would rather not", "aisa nahi chahiye"."""
    known = bool(said) and not _asks(said) and set(said) <= words.ANSWERING and not doubts(said)
    return known and sum(word in words.NEGATING for word in said) == 1


def _found(said: Tokens) -> set[_Sense]:
    """What each word says where it stands: a denial turns the next one round, and makes "not wrong" an open matter.

    Where a language puts its denial behind ("theek nahi hai"), it turns round whatever else is said.
    """
    found, denied = set[_Sense](), False
    behind = bool(set(said) & words.NEGATING_BEHIND)
    for word in said:
        plain, turned = next((senses for table, *senses in _SENSES if word in table), (None, None))
        if plain is not None and turned is not None:
            found.add(turned if denied or (behind and plain is not _Sense.YES) else plain)
        denied = word in words.NEGATING or (denied and plain is None)
    return found


def almost_confirms(said: Tokens) -> bool:
    """Whether ``said`` comes near the phrase that spends: both words in any order or spelling, and small words around."""
    return not _asks(said) and not set(said) & words.DENYING and _nears(said)


def denies_confirming(said: Tokens) -> bool:
    """ "Confirm order, no wait", "order mat confirm karo"."""
    return bool(set(said) & words.DENYING) and not _asks(said) and _nears(tuple(w for w in said if w not in words.DENYING))


def _nears(said: Tokens) -> bool:
    left = [word for word in said if word not in words.CONFIRM_AROUND and not word.isdigit()]
    confirming = [word for word in left if _confirms(word)]
    ordering = [word for word in left if word in words.CONFIRM_OBJECT]
    if confirming and len(confirming) + len(ordering) == len(left):
        return True
    joined = "".join(left)  # "con firm order", "confirm odor"
    return any(Levenshtein.distance(joined, phrase, score_cutoff=NEAR) <= NEAR for phrase in CONFIRM_JOINED)


def _confirms(word: str) -> bool:
    if len(word) < SHORTEST_NEAR:
        return word in words.CONFIRM_VERB
    return any(Levenshtein.distance(word, verb, score_cutoff=NEAR) <= NEAR for verb in words.CONFIRM_VERB)


def _asks(said: Tokens) -> bool:
    """ "Is that right" asks; "what you said is right" does not."""
    relative = said[0] in words.RELATIVE and bool(said[1:2]) and said[1] not in words.QUESTION
    return (said[0] in words.QUESTION and not relative) or bool(set(said) & (words.ASKING - words.RELATIVE))

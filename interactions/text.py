"""Words as people say them: folding, names, courtesies, and what recognisers invent out of silence.

Everything here is pure. ``is_phrase`` is the rule that lets money be spent and shares nothing with the forgiving half of this
file but the table of names: neither ``normalise`` nor a word list can ever widen what counts as a confirmation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from interactions import lexicon

Tokens = tuple[str, ...]

GREETINGS = lexicon.words("greetings")
FILLERS = lexicon.words("fillers") | GREETINGS
COURTESIES: tuple[Tokens, ...] = lexicon.phrases("courtesies")
FAREWELLS: tuple[Tokens, ...] = lexicon.phrases("farewells")

INVENTED: tuple[Tokens, ...] = lexicon.phrases("invented")
CREDITED: tuple[Tokens, ...] = lexicon.phrases("credited")


def _by_last_word(lines: Iterable[Tokens]) -> Mapping[str, Sequence[Tokens]]:
    found: dict[str, list[Tokens]] = {}
    for line in lines:
        found.setdefault(line[-1], []).append(line)
    return found


# By the last word, since every turn is asked for its ending many times.
_INVENTED_TAILS = _by_last_word(line for line in INVENTED if len(line) > 2)  # a shorter one may be part of the sentence
_ENDINGS = _by_last_word((*FAREWELLS, *(line for lines in _INVENTED_TAILS.values() for line in lines)))

SHORTEST_NEAR_NAME = 5  # letters; a shorter name is too near to other words to be guessed
_VULGAR = re.compile(r"[¼-¾⅐-⅞]")
_NO_WHOLE = re.compile(r"(?<![\w.])\.(?=\d)")  # ".5" is no five
_LIST_OR_MINUS = re.compile(r"^\s*[-\u2212]\s+(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=(?:\d\d,)*\d{3}(?!\d))")
_ESCAPES = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-Z\\^-~]?")
# Whole turns in brackets or between stars and notes are the recogniser's remarks: "[Music]", "*laughs*".
_REMARKS = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|<[^>]*>|♪[^♪]*|[\s.…])+")
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)


# ---- folding ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)  # one turn asks for the same few texts over and over
def normalise(s: str) -> str:
    """Fold width, case, white space and punctuation. Marks of Indic scripts, ``1.5``, ``1/2`` and ``don't`` stay whole.

    So does ``1,5``, which is no number to us and must not come apart into two.
    """
    if s.isascii() and s.replace(" ", "").isalnum():
        return " ".join(s.lower().split())  # the rule below, where nothing needs folding: most of what is compared
    return _folded(s)


def _folded(s: str) -> str:
    # Before NFKC, which would turn "1½" into "11/2".
    s = _VULGAR.sub(lambda m: " " + unicodedata.normalize("NFKC", m[0]).replace("\u2044", "/") + " ", s)
    s = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", s).casefold())
    s = _LIST_OR_MINUS.sub("-", _NO_WHOLE.sub("0.", s.replace("\u2019", "'").replace("\u02bc", "'")))
    s = _THOUSANDS.sub("", s)
    last = len(s) - 1
    out: list[str] = []
    for i, char in enumerate(s):
        kind = unicodedata.category(char)
        if kind == "Cf" or ord(char) in _VARIATION_SELECTORS:
            continue
        before, after = s[i - 1] if i else " ", s[i + 1] if i < last else " "
        joins_number = char in "./," and before.isdigit() and after.isdigit()
        joins_word = char == "'" and before.isalpha() and after.isalpha()
        minus = char in "-\u2212" and after.isdigit() and before.isspace()  # "-1" is no order for one
        if kind[0] in "LMN" or joins_number or joins_word or minus:
            out.append(char)
        else:
            out.append({"&": " and ", "+": " and ", "×": "x"}.get(char, " "))
    return " ".join("".join(out).split())


def visible(s: str) -> str:
    """``s`` on one line, without escape sequences, control and format characters."""
    return " ".join("".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in _ESCAPES.sub(" ", s)).split())


def tokens(s: str) -> Tokens:
    return tuple(normalise(s).split())


def starts_with(words: Tokens, start: Tokens) -> bool:
    return bool(start) and words[: len(start)] == start


def strip_name(words: Tokens, names: Iterable[str]) -> Tokens:
    """Take off one leading assistant name, with the greeting before it; never a greeting alone."""
    rest = words[1:] if words and words[0] in GREETINGS else words
    for name in sorted((tokens(name) for name in names), key=len, reverse=True):
        if starts_with(words, name):
            return words[len(name) :]
        if starts_with(rest, name):
            return rest[len(name) :]
    return words


def strip_near_name(words: Tokens, names: Iterable[str], *, wrong: int) -> Tokens:
    """As ``strip_name``, for a name with up to ``wrong`` letters off, or in two pieces."""
    for name in (tokens(name) for name in names):
        whole = "".join(name)
        for size in (len(name), len(name) + 1):  # "her mes" is one name in two pieces
            near = "".join(words[:size])
            if len(near) >= SHORTEST_NEAR_NAME and Levenshtein.distance(near, whole, score_cutoff=wrong) <= wrong:
                return words[size:]
    return words


def strip_courtesy(words: Tokens) -> Tokens:
    """Take off every leading filler and courtesy; may leave nothing."""
    while words:
        polite = next((c for c in COURTESIES if starts_with(words, c)), None)
        if polite is None and words[0] not in FILLERS:
            break
        words = words[len(polite) if polite else 1 :]
    return words


def strip_farewell(words: Tokens) -> Tokens:
    """Take off a trailing thank-you or please, and lines at the end that recognisers invent out of silence."""
    return _without(words, _ENDINGS)


def strip_invented(words: Tokens) -> Tokens:
    """Take off lines at the end that recognisers invent out of silence."""
    return _without(words, _INVENTED_TAILS)


def _without(words: Tokens, endings: Mapping[str, Sequence[Tokens]]) -> Tokens:
    while words:
        said = next((line for line in endings.get(words[-1], ()) if words[-len(line) :] == line), None)
        if said is None:
            break
        words = words[: -len(said)]
    return words


def core(s: str, names: Iterable[str]) -> Tokens:
    """The words of ``s`` without what is said around them: fillers, courtesies, and the name in front or behind."""
    names = tuple(names)
    words = strip_farewell(strip_courtesy(strip_name(strip_courtesy(tokens(s)), names)))
    behind = next((name for name in map(tokens, names) if name and words[-len(name) :] == name), ())
    return words[: len(words) - len(behind)]


def is_invented(s: str) -> bool:
    """Whether a recogniser is known to write all of this where nobody spoke, once or several times over."""
    words = tokens(s)
    if _REMARKS.fullmatch(s) or any(starts_with(words, line) for line in CREDITED):
        return True
    while words:
        line = next((line for line in INVENTED if starts_with(words, line)), None)
        if line is None:
            return False
        words = words[len(line) :]
    return True


def remainder(s: str, count: int) -> str:
    """What follows the first ``count`` tokens, as it was said; nothing if only courtesies follow."""
    for end in range(1, len(s) + 1):
        inside_word = end < len(s) and _in_word(s[end - 1]) and (_in_word(s[end]) or s[end] in "'\u2019")
        if not inside_word and _in_word(s[end - 1]) and len(tokens(s[:end])) == count:
            start = next((i for i in range(end, len(s)) if _in_word(s[i]) or s[i] in "₹$"), len(s))
            rest = s[start:].rstrip()
            return rest if strip_farewell(strip_courtesy(tokens(rest))) else ""
    return ""


def _in_word(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind[0] in "LMN" or kind == "Cf"


# ---- the money rule -----------------------------------------------------------------------------------------------------


STANDING_FOR_WORDS = frozenset("&%#@*/\\‰‱§¶†‡")  # punctuation to Unicode, but "confirm & order" says "and"


def is_phrase(s: str, phrases: Iterable[str], names: Iterable[str]) -> bool:
    """Whether ``s`` is one of ``phrases`` and nothing else, after case, punctuation and one leading assistant name.

    Canonical equivalence (NFC) is the only folding: compatibility letters (full-width, ligatures, mathematical), look-alikes,
    zero-width characters, symbols, digits, emoji, tabs and line breaks inside the text make it another text. A line break is
    how two finals look when something upstream joined them.
    """
    words = _strict(s)
    if not words:
        return False
    allowed = {strict for strict in map(_strict, phrases) if strict}
    if words in allowed:
        return True
    rest = words[1:] if words[0] == "hey" else words
    return any(starts_with(rest, name) and rest[len(name) :] in allowed for name in map(_strict, names))


def _strict(s: str) -> Tokens:
    """Lower-case words parted by spaces and punctuation, or nothing at all if any other kind of character is inside."""
    out: list[str] = []
    for char in unicodedata.normalize("NFC", s.strip()).lower():
        kind = unicodedata.category(char)
        if kind == "Zs" or (kind[0] == "P" and kind != "Pc" and char not in STANDING_FOR_WORDS):
            out.append(" ")
        elif kind[0] in "LM":
            out.append(char)
        else:
            return ()
    return tuple("".join(out).split())

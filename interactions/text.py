"""Words as people say them: folding, comparing, and finding an activation phrase at the start of an utterance.

Everything here is pure. ``is_phrase`` is the rule that lets money be spent and shares nothing with the forgiving half of this
file but the table of names: a change to ``normalise`` can never widen what counts as a confirmation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

Tokens = tuple[str, ...]

GREETINGS = frozenset({"hey", "hi", "hello", "ok", "okay"})
FILLERS = (
    frozenset({"um", "umm", "uh", "uhh", "uhm", "er", "erm", "ehm", "err", "ah", "ahh", "hmm", "hm", "mm", "oh", "so", "well"})
    | GREETINGS
)
COURTESIES: tuple[Tokens, ...] = (("please",), ("kindly",), ("could", "you"), ("can", "you"), ("would", "you"), ("will", "you"))
FAREWELLS: tuple[Tokens, ...] = (("thank", "you", "so", "much"), ("thank", "you"), ("thanks",), ("please",), ("thankyou",))

LONGEST_PREAMBLE = 12  # fillers; more is a text made to keep us busy
_SOUNDS_LIKE = {"to": "two", "too": "two", "for": "four", "won": "one", "ate": "eight"}
_NAMES_OF_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS = {str(n): name for n, name in enumerate(_NAMES_OF_NUMBERS)}
# Enough to tell two short orders apart.
_MORE_NUMBERS = {"eleven", "twelve", "fifteen", "twenty", "thirty", "fifty", "hundred", "half", "quarter", "dozen"}
_NUMBERS = frozenset(_NAMES_OF_NUMBERS) | _MORE_NUMBERS
_NEGATIONS = frozenset({"no", "not", "don't", "dont", "never", "nahi", "nahin", "mat", "cancel", "remove", "stop", "नहीं", "मत"})
_VULGAR = re.compile(r"[¼-¾⅐-⅞]")
_THOUSANDS = re.compile(r"(?<=\d),(?=(?:\d\d,)*\d{3}(?!\d))")
_ESCAPES = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-Z\\^-~]?")
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)


@dataclass(frozen=True, slots=True)
class Activation:
    """A phrase opened an utterance. ``remainder`` is the rest as it was said; ``distance`` is 0 unless slack was allowed."""

    key: str
    phrase: Tokens
    remainder: str = ""
    distance: int = 0


# ---- folding ------------------------------------------------------------------------------------------------------------


def normalise(s: str) -> str:
    """Fold width, case, white space and punctuation. Marks of Indic scripts, ``1.5``, ``1/2`` and ``don't`` stay whole."""
    # Before NFKC, which would turn "1½" into "11/2".
    s = _VULGAR.sub(lambda m: " " + unicodedata.normalize("NFKC", m[0]).replace("\u2044", "/") + " ", s)
    s = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", s).casefold())
    s = _THOUSANDS.sub("", s.replace("\u2019", "'").replace("\u02bc", "'"))
    last = len(s) - 1
    out: list[str] = []
    for i, char in enumerate(s):
        kind = unicodedata.category(char)
        if kind == "Cf" or ord(char) in _VARIATION_SELECTORS:
            continue
        before, after = s[i - 1] if i else " ", s[i + 1] if i < last else " "
        joins_number = char in "./" and before.isdigit() and after.isdigit()
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


def strip_courtesy(words: Tokens) -> Tokens:
    """Take off every leading filler and courtesy; may leave nothing."""
    while words:
        polite = next((c for c in COURTESIES if starts_with(words, c)), None)
        if polite is None and words[0] not in FILLERS:
            break
        words = words[len(polite) if polite else 1 :]
    return words


def strip_farewell(words: Tokens) -> Tokens:
    """Take off a trailing thank-you or please, which recognisers also invent out of silence."""
    while words:
        polite = next((c for c in FAREWELLS if words[-len(c) :] == c), None)
        if polite is None:
            break
        words = words[: -len(polite)]
    return words


# ---- activation ---------------------------------------------------------------------------------------------------------


def activation(s: str, phrases: Sequence[tuple[Tokens, str]], names: Iterable[str], *, slack: int = 0) -> Activation | None:
    """The longest phrase at the start, after one name, fillers and courtesies.

    ``slack`` is how many letters may be wrong; it is for use after a wake only, where the words are known to be for us. It also
    lets the phrase come in pieces ("order swig gy") and the name misspelt.
    """
    names = tuple(names)
    words = tokens(s)
    rest = strip_courtesy(strip_name(strip_courtesy(words), names))
    if len(words) - len(rest) > LONGEST_PREAMBLE:
        return None
    for phrase, key in sorted(phrases, key=lambda p: len(p[0]), reverse=True):
        if starts_with(rest, phrase):
            return Activation(key, phrase, _remainder(s, len(words) - len(rest) + len(phrase)))
    return _near_activation(s, phrases, names, slack=slack) if slack else None


def _near_activation(s: str, phrases: Sequence[tuple[Tokens, str]], names: Iterable[str], *, slack: int) -> Activation | None:
    words = tokens(s)
    rest = strip_courtesy(_strip_near_name(strip_courtesy(words), names))
    found: list[tuple[int, int, Activation]] = []
    for phrase, key in phrases:
        whole = "".join(phrase)
        for size in range(max(1, len(phrase) - 1), len(phrase) + 3):
            if size > len(rest):
                break
            distance = Levenshtein.distance("".join(rest[:size]), whole, score_cutoff=slack)
            if distance <= min(slack, len(whole) // 4):
                remainder = _remainder(s, len(words) - len(rest) + size)
                found.append((distance, size, Activation(key, phrase, remainder, distance)))
    return min(found, key=lambda f: f[:2])[2] if found else None


def _strip_near_name(words: Tokens, names: Iterable[str]) -> Tokens:
    exact = strip_name(words, names)
    if exact != words or not words:
        return exact
    at = 1 if words[0] in GREETINGS else 0
    for name in (tokens(name) for name in names):
        near = " ".join(words[at : at + len(name)])
        if len(near) > 4 and Levenshtein.distance(near, " ".join(name), score_cutoff=2) <= 2:
            return words[at + len(name) :]
    return words


def _remainder(s: str, count: int) -> str:
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


# ---- the same speech, heard twice ---------------------------------------------------------------------------------------


def near_equal(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether two recognisers heard the same words. Numbers and denials must agree; a leading name does not matter."""
    names = tuple(names)
    one, two = (_sounds(strip_name(tokens(s), names)) for s in (a, b))
    for words in (_NUMBERS, _NEGATIONS):
        if sorted(w for w in one if w in words or w[0].isdigit()) != sorted(w for w in two if w in words or w[0].isdigit()):
            return False
    left, right = "".join(one), "".join(two)
    return bool(left and right) and Levenshtein.distance(left, right) <= max(len(left), len(right)) // 5


def extends(a: str, b: str, *, names: Iterable[str] = ()) -> bool:
    """Whether ``a`` says all of ``b`` from its start, and then more: ``extends("add milk and bread", "add milk")``."""
    longer, shorter = (_sounds(strip_name(tokens(s), tuple(names))) for s in (a, b))
    return len(longer) > len(shorter) and starts_with(longer, shorter)


def tail(a: str, b: str, *, names: Iterable[str] = ()) -> str:
    """What ``a`` says beyond ``b``, which it extends, as it was said."""
    names = tuple(names)
    words = tokens(a)
    said = len(words) - len(strip_name(words, names)) + len(strip_name(tokens(b), names))
    return _remainder(a, said) if extends(a, b, names=names) else ""


def _sounds(words: Tokens) -> Tokens:
    return tuple(_SOUNDS_LIKE.get(w, _DIGITS.get(w, w)) for w in words)


# ---- the money rule -----------------------------------------------------------------------------------------------------


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
        if kind == "Zs" or (kind[0] == "P" and kind != "Pc"):
            out.append(" ")
        elif kind[0] in "LM":
            out.append(char)
        else:
            return ()
    return tuple("".join(out).split())

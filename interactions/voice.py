"""Text for a voice: numbers, units and rupees as words, so that any speech engine says them alike.

Pure and table-driven; what a screen shows never passes through here. A language is a module of ``languages``. No digit and no
link survives ``speech``, since links are never spoken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal

from interactions import languages, sentences
from interactions.lingo import Lingo

MS_PER_WORD = 380
MS_PER_PAUSE = 250
MS_TO_BEGIN = 300


LANGUAGES: Mapping[str, Lingo] = {name: module.VOICE for name, module in sentences.modules(languages).items()}

_NUMBER = r"\d[\d,]*(?:\.\d+)?(?<!,)"
_LINK = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)\S+", re.IGNORECASE)
_MONEY = re.compile(rf"(-\s?)?(?:₹|\bRs\.?|\bINR)\s?({_NUMBER})(?:\s?/-)?", re.IGNORECASE)
_RANGE = re.compile(rf"(?<![\w.])({_NUMBER})\s?[-–—]\s?(?=({_NUMBER}))")
_PACKS = re.compile(rf"(?<![\w.])({_NUMBER})\s?[x×]\s?(?=\d)", re.IGNORECASE)
_COUNT_BEFORE = re.compile(rf"(?<![\w.])({_NUMBER})\s?[x×](?=\s)", re.IGNORECASE)
_COUNT_AFTER = re.compile(rf"\s*(?<=\s)[x×]\s?({_NUMBER})(?!\w)", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")
_FRACTION = re.compile(r"(?<![\d/])(\d+)/(\d+)(?![\d/])")
_ORDINAL = re.compile(r"(?<![\w.])(\d+)(?:st|nd|rd|th)\b", re.IGNORECASE)
_PLAIN = re.compile(_NUMBER)
_ENDS = (".", "!", "?", "।")
_MARK = "\ue000"  # of no writing
_BEGINS = re.compile(r"(?:^|(?<=[.!?।]\s))(?=-?₹?\d|Rs\b)")
_MARKED = re.compile(rf"{_MARK}(\W*)(\w)")
_LONGEST_SAID = 7  # digits; more are an identifier and are read one by one
_LONGEST_NAMED = 15  # digits of an amount; no language has to name a larger one


def speech(text: str, lang: str = "en") -> str:
    """``text`` with nothing left that an engine could read in two ways. An unknown language is read as English."""
    lingo = LANGUAGES.get(lang.partition("-")[0], LANGUAGES["en"])
    text = _marked(text)
    text = _LINK.sub(lingo.link, text)
    text = _MONEY.sub(lambda m: f"{lingo.minus + ' ' if m[1] else ''}{_rupees(m[2], lingo)}", text)
    text = _RANGE.sub(lambda m: f"{m[1]} {lingo.to} " if m[1] != m[2] else f"{m[1]} ", text)  # but "50-50"
    text = _PACKS.sub(lambda m: f"{m[1]} {lingo.times} ", text)
    text = _COUNT_BEFORE.sub(r"\1", text)
    text = _COUNT_AFTER.sub(r", \1", text)
    text = _CLOCK.sub(lambda m: lingo.clock(int(m[1]), int(m[2])), text)
    text = _parts(lingo).sub(lambda m: f"{lingo.parts[m[1]][1]} {lingo.units[m[2].lower()][0]}", text)
    text = _units(lingo).sub(lambda m: _measure(m, lingo), text)
    text = _FRACTION.sub(lambda m: lingo.parts.get(m[0], (f"{m[1]} {lingo.over} {m[2]}",))[0], text)
    text = _ORDINAL.sub(lambda m: _ordinal(m[1], lingo), text)
    text = re.sub(r"\s?%", f" {lingo.percent} ", text)
    text = _PLAIN.sub(lambda m: _apart(m, _say(m[0], lingo)), text)
    text = re.sub(r"[&+]", f" {lingo.joiner} ", text).replace("₹", "")
    text = _MARKED.sub(lambda m: m[1] + m[2].upper(), text)
    return re.sub(r"\s+([,.!?;:।])", r"\1", re.sub(r"\s+", " ", text)).strip()


def _marked(text: str) -> str:
    """With a mark where a sentence begins with a number, whose words begin small. A fragment without an end is no sentence."""
    text = text.replace(_MARK, "")
    return _BEGINS.sub(_MARK, text) if text.rstrip()[-1:] in _ENDS else text


def words(speech: str) -> int:
    """How many words a voice says; the bound on how long a prompt may take counts in these."""
    letters = "".join(c for c in speech if not unicodedata.category(c).startswith("M"))  # a vowel sign parts no word
    return len(re.findall(r"[^\W_]+(?:['\u2019][^\W_]+)*", letters))


def est_ms(speech: str) -> int:
    """About how long a voice takes to say this."""
    pauses = len(re.findall(r"[,.!?;:।]+(?=\s|$)", speech))
    return MS_TO_BEGIN + MS_PER_WORD * words(speech) + MS_PER_PAUSE * pauses


def _say(number: str, lingo: Lingo) -> str:
    digits = number.replace(",", "")
    if "." not in digits and "," not in number and (len(digits) > _LONGEST_SAID or (len(digits) > 1 and digits[0] == "0")):
        return _one_by_one(digits, lingo)
    whole, point, part = digits.partition(".")
    said = _cardinal(whole, lingo)
    return f"{said} {lingo.point} {_one_by_one(part, lingo)}" if point else said


def _cardinal(digits: str, lingo: Lingo) -> str:
    return lingo.cardinal(int(digits)).replace(",", "") if len(digits) <= _LONGEST_NAMED else _one_by_one(digits, lingo)


def _ordinal(digits: str, lingo: Lingo) -> str:
    return lingo.ordinal(int(digits)) if len(digits) <= _LONGEST_NAMED else _one_by_one(digits, lingo)


def _one_by_one(digits: str, lingo: Lingo) -> str:
    named = {digit: lingo.cardinal(int(digit)) for digit in set(digits)}  # once each: it is slow, and they may be many
    return " ".join(named[digit] for digit in digits)


def _rupees(number: str, lingo: Lingo) -> str:
    rupees = number.replace(",", "").partition(".")[0]
    if len(rupees) > _LONGEST_NAMED:
        return f"{_one_by_one(rupees, lingo)} {lingo.rupee[True]}"
    paise = int((Decimal(number.replace(",", "")) * 100).to_integral_value())
    whole, part = divmod(paise, 100)
    said = []
    if whole or not part:
        said.append(f"{lingo.cardinal(whole)} {lingo.rupee[whole != 1]}".replace(",", ""))
    if part:
        said.append(f"{lingo.cardinal(part)} {lingo.paisa[part != 1]}")
    return f" {lingo.joiner} ".join(said)


def _units(lingo: Lingo) -> re.Pattern[str]:
    # Not from within a number: what begins there would have begun at its first digit.
    return re.compile(rf"(?:(?<!\d)({_NUMBER})\s?|/\s?)({_either(lingo.units)})(?![\w'])", re.IGNORECASE)


def _parts(lingo: Lingo) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w/])({_either(lingo.parts)})\s?({_either(lingo.units)})(?![\w'])", re.IGNORECASE)


def _either(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


def _measure(m: re.Match[str], lingo: Lingo) -> str:
    one, many = lingo.units[m[2].lower()]
    if m[1] is None:
        return f" {lingo.per} {one}"
    return f"{m[1]} {one if Decimal(m[1].replace(',', '')) == 1 else many}"


def _apart(m: re.Match[str], said: str) -> str:
    """A number glued to letters ("7UP") is said as a word of its own."""
    before = " " if m.start() and m.string[m.start() - 1].isalpha() else ""
    after = " " if m.end() < len(m.string) and m.string[m.end()].isalpha() else ""
    return f"{before}{said}{after}"

"""How any sentence is put together: prices, lists, counted lines, and the cleaning of words that are not ours. Pure.

The sentences themselves stand in ``replies``, a module for each language; a builder is given those of its listener's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from interactions import sentences, text
from interactions.contracts import Choice, Reply
from interactions.sentences import Sentences
from swiggy_instamart import replies, words
from swiggy_instamart.carts import LONGEST_SIZE, LONGEST_TITLE, NAMELESS, Line

LANGUAGES = sentences.load(replies)
ENGLISH = LANGUAGES[sentences.DEFAULT]  # for operators, and for what is written down

ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)\S*", re.IGNORECASE)
QUOTES = '"“”„«»‘`'
IN_NAMES = frozenset("&%/#@*+×'’()-–·°™®₹")  # the signs of a name; all others end a sentence, or a part of it
READ_OUT = 3  # options and cart lines; a screen shows the rest


def of(lang: str) -> Sentences:
    return sentences.pick(LANGUAGES, lang)


def clean(say: Sentences, words_: str, *, most: int = 60) -> str:
    """A peer's words on one short line: no control or format characters, no quotes of their own, no link."""
    kept = "".join(c for c in text.visible(words_) if c not in QUOTES)
    line = " ".join(ADDRESS.sub(say("link_left_out"), kept).split()) or say("unnamed")
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def plain(say: Sentences, name: str, *, most: int = 60) -> str:
    """A name that stands in a sentence of ours: it neither ends that, nor begins another, nor goes on as a list."""
    linked = ADDRESS.sub(say("link_left_out"), text.visible(name))
    kept = (c if _belongs(c, linked[at - 1 : at], linked[at + 1 : at + 2]) else " " for at, c in enumerate(linked))
    return clean(say, "".join(kept), most=most)


def _belongs(sign: str, before: str, after: str) -> bool:
    """Whether a sign may stand in a name; a point or a comma only within a number ("1.5 L", "1,000")."""
    within = sign in ".,:" and before.isdigit() and after.isdigit()
    return within or sign in IN_NAMES or unicodedata.category(sign)[0] not in "PS"


def apart(say: Sentences, title: str) -> str:
    """A title that has words we claim and ask with is called a name, so that they are not taken for ours."""
    ours = "₹" in title or set(text.tokens(title)) & words.OURS
    return say("named", title=title) if ours else title


def titled(say: Sentences, title: str) -> str:
    """The title of a cart line: its name may be cut short, its size never is."""
    if title.startswith(NAMELESS):
        size = title.removeprefix(NAMELESS).lstrip(", ")
        return say("nameless.size", size=plain(say, size, most=LONGEST_SIZE)) if size else say("nameless")
    return apart(say, plain(say, title, most=LONGEST_TITLE))


def rupees(say: Sentences, paise: int | None) -> str:
    if paise is None:
        return say("no_price")
    return say("rupees", amount=f"{paise // 100}" if paise % 100 == 0 else f"{paise // 100}.{paise % 100:02d}")


def listed(say: Sentences, parts: Sequence[str], *, last: str = "and") -> str:
    if len(parts) < 2:
        return "".join(parts)
    return say(f"list.{last}", first=say("comma").join(parts[:-1]), last=parts[-1])


def ask(say: Sentences, text: str, *answers: str | Choice, key: str | None = None, **data: Any) -> Reply:
    """A question. ``answers`` are names of answers that the language has, or choices in words that are not ours."""
    choices = tuple(Choice(say(f"answer.{name}")) if isinstance(name, str) else name for name in answers)
    return Reply(text, choices=choices, key=key, data=data, lang=say.lang)


def tell(say: Sentences, text: str, **data: Any) -> Reply:
    return Reply(text, expects_reply=False, data=data, lang=say.lang)


def counted(say: Sentences, line: Line, quantity: int | None = None) -> str:
    return named(say, line.title, line.quantity if quantity is None else quantity)


def named(say: Sentences, title: str, quantity: int) -> str:
    return say("counted", count=quantity, title=titled(say, title))


def some(say: Sentences, lines: Sequence[Line]) -> str:
    """The first lines by name, the rest as a number."""
    parts = [counted(say, line) for line in lines[:READ_OUT]]
    rest = len(lines) - READ_OUT
    return listed(say, [*parts, say("more_lines", count=rest)] if rest > 0 else parts)


def together(*parts: str) -> str:
    """Sentences one after the other; what there is nothing to say of is left out."""
    return " ".join(part for part in parts if part)

"""Questions about an order that was placed before: "where is my order", "what did I order". Pure; it only reads words.

A sentence is one of them only if every word of it belongs to such a question. "Where is my amazon order" holds a word that
does not, and is left to others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from swiggy_instamart import words
from swiggy_instamart.words import Phrases, Tokens

LONGEST = 14  # words


class Ask(StrEnum):
    """What is to be known of it."""

    WHERE = "where"
    WHAT = "what"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """``named``: our shop was named. ``vague``: neither it nor an order was ("when will it come")."""

    ask: Ask
    named: bool = False
    vague: bool = False


def read(said: Tokens) -> Inquiry | None:
    """The question that ``said`` is, without names, fillers and courtesies; None if it is none of these."""
    known = frozenset(said)
    if not 0 < len(said) <= LONGEST or known - words.INQUIRY or _of_us(said, known):
        return None
    named = bool(known & words.INQUIRY_SHOP)
    thing = named or bool(known & words.INQUIRY_THING)
    state = bool(known & words.INQUIRY_STATE)
    asks = bool(known & words.INQUIRY_WHERE) or _has(said, words.INQUIRY_ASKS)
    if asks and (thing or state):
        return Inquiry(Ask.WHERE, named, vague=not thing)
    if _what(said, known):
        return Inquiry(Ask.WHAT, named)
    anywhere = thing and bool(known & words.INQUIRY_OPENER & words.INQUIRY_WHAT)  # "kya" opens a question from where it stands
    opened = said[0] in words.INQUIRY_OPENER - words.INQUIRY_WHAT or anywhere
    return Inquiry(Ask.WHERE, named, vague=not thing) if opened and state else None


def _of_us(said: Tokens, known: frozenset[str]) -> bool:
    """ "Are you there", "are you ready" ask for whoever listens, and for no order."""
    named = known & (words.INQUIRY_SHOP | words.INQUIRY_THING)
    present = bool(known & words.INQUIRY_YOU) and known & words.INQUIRY_STATE <= words.INQUIRY_PRESENCE
    return said in words.ANYBODY_THERE or (present and bool(known & words.INQUIRY_PRESENCE) and not named)


def _what(said: Tokens, known: frozenset[str]) -> bool:
    if not known & words.INQUIRY_WHAT:
        return False
    of_old = bool(known & (words.INQUIRY_WAS | words.INQUIRY_PREVIOUS)) and bool(known & words.INQUIRY_THING)
    return of_old or bool(known & words.INQUIRY_ORDERED) or _has(said, words.INQUIRY_BOUGHT)


def _has(said: Tokens, phrases: Phrases) -> bool:
    return any(said[at : at + len(phrase)] == phrase for phrase in phrases for at in range(len(said)))

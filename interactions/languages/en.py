"""English: what the host itself says, and how a voice says numbers, units and rupees."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from num2words import num2words

from interactions.lingo import Lingo, by_spelling

BEYOND_CRORES = 10**10  # the Indian names end there, at least in the library

MESSAGES: Mapping[str, str] = {
    "sorry": "Sorry, that did not work. Please say it again.",
    "broken": "Sorry, something is broken here, so I have to stop. Nothing that was placed is undone.",
    "lost_track": "Sorry, I lost track of that. Please say it again.",
    "too_late": "That reached me too late, so I did nothing with it. Please say it again.",
    "heard_two_ways": "I heard that in two ways. Please check it, and say it again if it is wrong.",
    "did_you_mean": "Did you mean {phrase}? Say it once more if you did.",
    "dropped": "What you said after that came too late, so I did nothing with it.",
    "went_on": "That had gone on at another device before I came to it, so I did nothing with it.",
    "goes_on": "That goes on at {place} now.",
    "gone": "Sorry, what you were using has been switched off, so I have to stop here.",
    "upgraded": "I was updated just now, so I have to stop here and did nothing with what you said last.",
    "start_again": "Please start again.",
    "stranded": "I was updated just now, so I cannot answer here for the moment. "
    "Nothing that was placed is undone; please check it yourself.",
    "left": "I was updated and could not go on with this, so I close it here. "
    "Nothing that was placed is undone; please check it yourself.",
    # of the ordinary chain
    "not_sure": "I'm not sure whether that was done. Please check before you say it again.",
    "unreached": "Sorry, that does not work right now: what would do it gives no answer. Please try again later.",
}


def form(count: int) -> str:
    return "one" if count == 1 else "many"


def _clock(hours: int, minutes: int) -> str:
    if not minutes:
        return f"{hours} o'clock"
    return f"{hours} {'oh ' if minutes < 10 else ''}{minutes}"


def _number(number: int, to: str = "cardinal") -> str:
    said: str = num2words(number, lang="en_IN" if number < BEYOND_CRORES else "en", to=to)
    return said


VOICE = Lingo(
    cardinal=_number,
    ordinal=partial(_number, to="ordinal"),
    clock=_clock,
    rupee=("rupee", "rupees"),
    paisa=("paisa", "paise"),
    units=by_spelling(
        {
            "kg kgs": ("kilogram", "kilograms"),
            "g gm gms": ("gram", "grams"),
            "mg": ("milligram", "milligrams"),
            "ml": ("millilitre", "millilitres"),
            "l ltr ltrs": ("litre", "litres"),
            "pc pcs": ("piece", "pieces"),
            "pkt pkts": ("packet", "packets"),
            "cm": ("centimetre", "centimetres"),
            "km": ("kilometre", "kilometres"),
            "s sec secs": ("second", "seconds"),
            "min mins": ("minute", "minutes"),
            "hr hrs": ("hour", "hours"),
        }
    ),
    parts={
        "1/2": ("half", "half a"),
        "1/4": ("a quarter", "a quarter of a"),
        "3/4": ("three quarters", "three quarters of a"),
    },
    joiner="and",
    point="point",
    minus="minus",
    per="per",
    over="by",
    to="to",
    times="times",
    percent="per cent",
    link="the link",
)

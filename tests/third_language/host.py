"""Kela: how its voice counts, digit by digit."""

from __future__ import annotations

from interactions.lingo import Lingo

MESSAGES: dict[str, str] = {"sorry": "Ai. Ree dia."}
DIGITS = ("nul", "vun", "bex", "trun", "kvar", "pem", "sesk", "sep", "okt", "nin")


def form(count: int) -> str:
    return {1: "one", 2: "two"}.get(count, "many")


def cardinal(number: int) -> str:
    return " ".join(DIGITS[int(digit)] for digit in str(number))


VOICE = Lingo(
    cardinal=cardinal,
    ordinal=lambda number: f"{cardinal(number)}a",
    clock=lambda hours, minutes: f"{hours} {minutes}",
    rupee=("rupa", "rupai"),
    paisa=("pesa", "pesai"),
    units={"ml": ("mila", "milai")},
    parts={"1/2": ("medu", "medu")},
    joiner="ka",
    point="punta",
    minus="mina",
    per="po",
    over="sur",
    to="ti",
    times="fol",
    percent="cent",
    link="linka",
)

"""Kela: the sentences of a short order. It knows a form for two, ends its lists in its own way, and begins with the price."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "rupees": "₹{amount}",
    "comma": " · ",
    "list.and": "{first} ka {last}",
    "counted": "{title} × {count}",
    "items": "Sol vanu?",
    "option": "{price}, {title} ({number})",
    "offer.many": "Lo {query}: {options}. Kei?",
    "offer.two": "Lo {query} bexi: {options}. Kei?",
    "cart_has": "Kesta: {lines}.",
    "cart_has.one": "Kesta: {line} ka vun ono.",
    "cart_has.two": "Kesta: {line} ka bex ono.",
    "anything_else": "Ono?",
    "review": "{total} UPI. {label}. {lines}. Dia confirm order, za ono.",
    "checking_out": "Tia ya.",
    "pay": "{total} UPI.{changed} {where} Neto finu.",
    "pay.screen": "Skrina vidu.",
    "answer.yes": "tavi",
    "answer.no": "neto",
    "answer.skip": "nolu",
    "answer.option": "opta {number}",
    "answer.show_cart": "kesta vidu",
    "answer.complete_order": "kesta finu",
}


def form(count: int) -> str:
    return {1: "one", 2: "two"}.get(count, "many")

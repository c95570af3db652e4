"""The published table of what confirms an order, what only comes near it, and what is refused: docs/money-phrase.md.

The rows are sentences; what each does is asked of the rules that a turn goes through, so the page cannot say more than they.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from interactions.consent import LEAST_CONFIDENCE, LEAST_GAP, LONGEST_AGE, Verdict
from swiggy_instamart import hearing, words
from swiggy_instamart.readings import EDITS, Said, Waiting

NAME = "Hermes"  # any name of assistant.names

INTRODUCTION = f"""# What confirms an order

Made by `manage.py reference`; a test holds it to the code. Money is spent only by one of these phrases, alone, said to the
review that was just read out:

{{phrases}}

Case, spaces and punctuation around and between the words do not matter, and one name of the assistant may stand in front, with
or without "hey". Nothing else is taken off, joined or corrected: no filler, no courtesy, no second name, no letter that looks
or sounds alike. A language model is never asked about it.

**placed**: it confirms. **told how**: it comes near, or is a plain yes; the answer says which words confirm, and nothing is
spent. **no**, **stop**: understood as that. **an edit**: understood as a change of the basket or a question about it.
**refused**: it means nothing here; the answer says what can be said. The last column has "{NAME}, " in front.
"""

OUTRO = """
## When the phrase itself spends nothing

The exact words are also held against what the person can have heard. The first ground that fails is answered.

| ground | the phrase spends nothing when |
| --- | --- |
{grounds}
A phrase counts once: the same words again, from another source, or redelivered, spend nothing more. Any change of the basket,
the address or the total voids the review, and the phrase then asks for a new one. What comes back from our own loudspeaker is
dropped as echo; where it cannot be told apart, it is too early.
"""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "The phrase as recognisers write it": (
        *(
            "confirm order",
            "Confirm order.",
            "CONFIRM ORDER!",
            "confirm, order",
            "confirm-order",
            "“Confirm order”",
            "Confirm order?",
        ),
        *("कन्फर्म ऑर्डर", "कन्फर्म ऑर्डर।", "कन्फ़र्म ऑर्डर", "कंफर्म ऑर्डर"),
    ),
    "Words in front or behind": (
        *("please confirm order", "confirm order please", "um confirm order", "yes confirm order", "ok confirm order"),
        *(
            "hey confirm order",
            "confirm order. Thank you.",
            "confirm order now",
            f"confirm order {NAME}",
            f"{NAME} confirm order",
        ),
        *("haan confirm order", "कन्फर्म ऑर्डर करो", "हाँ कन्फर्म ऑर्डर", "order confirm karo", "confirm order kar do"),
    ),
    "Other words for it": (
        *(
            "confirm my order",
            "confirm the order please",
            "confirm it",
            "confirm",
            "confirmed",
            "confirm orders",
            "order confirm",
        ),
        *("I want to confirm the order", "ऑर्डर कन्फर्म", "मेरा ऑर्डर कन्फर्म कर दीजिए", "confirm ऑर्डर", "kanfarm ordar"),
        *("yes", "haan", "हाँ", "ok", "go ahead", "place the order", "buy it", "checkout"),
        *("order kar do", "ऑर्डर कर दो", "haan order karo", "pakka karo", "book kar do", "order mat karo"),
    ),
    "Misheard, or made to look alike": (
        *(
            "conform order",
            "comfirm order",
            "confirm odor",
            "con firm order",
            "confirmorder",
            "c0nfirm order",
            "confirm 1 order",
        ),
        *(
            "cоnfirm order",
            "confirm οrder",
            "ｃｏｎｆｉｒｍ ｏｒｄｅｒ",
            "conﬁrm order",
            "𝐜𝐨𝐧𝐟𝐢𝐫𝐦 order",
            "confirm\u200border",
            "con\u00adfirm order",
        ),
        *("confirm\norder", "confirm\torder", "confirm_order", "confirm & order", "confirm + order", "confirm order 👍"),
    ),
    "Said twice, or with more": (
        *(
            "confirm order confirm order",
            "confirm order, confirm order",
            "complete order confirm order",
            "confirm order no wait",
        ),
        *("confirm order and add milk", "confirm order but remove the bread", "yes no", "mhm", "uh-huh", "Thank you."),
    ),
    "Denied, asked, quoted or named": (
        *(
            "don't confirm order",
            "do not confirm the order",
            "never confirm order",
            "order mat confirm karo",
            "ऑर्डर कन्फर्म मत करो",
        ),
        *("should I confirm order", "can I confirm the order", "did you confirm my order", "kya order confirm hai"),
        *("he said confirm order", "she told me to say confirm order", "say confirm order to place it"),
        *("add confirm order biscuits", "cancel order", "stop", "no"),
    ),
}

GROUNDS: Mapping[Verdict, str] = {
    Verdict.UNSURE: f"the recogniser gives its own words less than {LEAST_CONFIDENCE:.0%}",
    Verdict.OTHER_DEVICE: "it was said at another device than the review was read at, or the order has moved since",
    Verdict.OLD: f"the call would be made more than {LONGEST_AGE.total_seconds():.0f} s after the end of the words",
    Verdict.NOT_HEARD: "the words ended before the review had reached the device, answer something older, or are by hand "
    "and do not name it",
    Verdict.CUT: "the playback of the review failed or was interrupted, and it was not played again since",
    Verdict.TOO_EARLY: "the review, or a later reply that speaks of the phrase, was still being read or had ended less than "
    f"{LEAST_GAP.total_seconds() * 1000:.0f} ms before the words began",
}

_ANSWERS: Mapping[Said, str] = {
    Said.CONFIRM: "**placed**",
    Said.ALMOST: "told how",
    Said.YES: "told how",
    Said.NO: "no",
    Said.STOP: "stop",
    Said.CANCEL: "stop",
}


def page() -> str:
    phrases = "\n".join(f"- {phrase}" for phrase in words.CONFIRM_PHRASES)
    tables = "".join(f"\n## {title}\n\n{_table(said)}" for title, said in GROUPS.items())
    grounds = "".join(f"| `{verdict.value}` | {why} |\n" for verdict, why in GROUNDS.items())
    return INTRODUCTION.format(phrases=phrases) + tables + OUTRO.format(grounds=grounds)


def outcome(said: str) -> str:
    """What these words do at a review that was heard."""
    reading = hearing.read(said, names=(NAME,), waiting=Waiting.REVIEW).said
    return _ANSWERS.get(reading, "an edit" if reading in EDITS else "refused")


def _table(said: tuple[str, ...]) -> str:
    rows = "".join(f"| {_shown(one)} | {outcome(one)} | {outcome(f'{NAME}, {one}')} |\n" for one in said)
    return f"| said | alone | with the name in front |\n| --- | --- | --- |\n{rows}"


def _shown(said: str) -> str:
    """The first letter that looks like another is named, and invisible ones are written out."""
    note = next(_notes(said), "")
    visible = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in said)
    return f"`{visible}`" + (f" ({note})" if note else "")


def _notes(said: str) -> Iterator[str]:
    for char in said:
        name = unicodedata.name(char, "control character").lower()
        plain = char.isascii() and char.isprintable()
        if not plain and unicodedata.category(char)[0] in "LC" and "devanagari" not in name:
            yield name

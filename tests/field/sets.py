"""The public files as trials: each row at the question where it belongs, and at every other one, where it must do no harm.

Rows of another trade are said everywhere, called by name, with a yes before and a please behind. Their expected reading is
"nothing", save where the words of such a row have a meaning in any talk (a goodbye, "say that again").
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.field import expected, labels, stages
from tests.field.expected import NOTHING, Expected
from tests.field.judge import Trial
from tests.support import field_data

EVERYWHERE = tuple(stages.STAGES)
AROUND = ("Hermes, {}", "um {} please", "okay {}", "{} Hermes", "yes {}", "{} thank you", "haan {}", "no {}", "and {}")
OTHER_TRADE = expected.parse("nothing | help | repeat")


def in_domain(row: str, said: str, stage: str, meant: Expected) -> Iterator[Trial]:
    """Where it belongs it must be right; elsewhere it may be asked about."""
    domain = frozenset() not in meant.readings
    yield Trial(row, said, stage, meant, domain=domain)
    for other in EVERYWHERE:
        if other != stage:
            yield Trial(row, said, other, _there(meant, other), domain=domain, fitting=False)


def _there(meant: Expected, stage: str) -> Expected:
    """A yes to the only thing that was found takes it."""
    return Expected((*meant.readings, *ONLY)) if stage == "single" and YES in meant.allowed else meant


YES, ONLY = expected.Act("yes"), expected.parse("pick 1").readings


def other_trade(number: int, row: str, said: str, meant: Expected = OTHER_TRADE) -> Iterator[Trial]:
    """Plain at every question; at a third of them, another third for each row, with something said around it."""
    for at, stage in enumerate(EVERYWHERE):
        yield Trial(row, said, stage, meant, domain=False)
        if (number + at) % 3 == 0:
            yield Trial(row, AROUND[(number // 3 + at) % len(AROUND)].format(said), stage, meant, domain=False, fitting=False)


# ---- yes and no ---------------------------------------------------------------------------------------------------------


def booleans() -> Iterator[Trial]:
    """B01, but for what is drawn and not spoken."""
    for number, (said, value) in enumerate(field_data.booleans(), 1):
        if said.isascii():
            yield from in_domain(f"B01:{number}", said, "review", expected.parse("yes" if value else "no"))


def answers() -> Iterator[Trial]:
    """B04: yes, no and maybe keep their sense at a review, and never turn into the opposite at another question."""
    meant = {"yes": expected.parse("yes"), "no": expected.parse("no"), "maybe": NOTHING}
    for number, row in _rows("clinc-dialog-acts.jsonl"):
        if row["label"] in meant:
            known = labels.of("clinc").get(number, meant[row["label"]])
            yield from in_domain(f"B04:{number}", row["text"], "review", known)


def affirmed_and_denied() -> Iterator[Trial]:
    """B07: an affirmation with more is no bare yes; a denial is never a yes."""
    for number, row in _rows("nlupp-hotels.jsonl"):
        intents = set(row["intents"])
        if intents == {"affirm"}:
            yield from in_domain(f"B07:{number}", row["text"], "review", expected.parse("yes | nothing"))
        elif "deny" in intents:
            yield from in_domain(f"B07:{number}", row["text"], "review", expected.parse("no | nothing | no; close"))


# ---- lists --------------------------------------------------------------------------------------------------------------


def list_changes() -> Iterator[Trial]:
    """B05: what goes on a list or comes off it, as labelled by hand."""
    yield from _lists({"lists_createoradd", "lists_remove"})


def list_questions() -> Iterator[Trial]:
    """B05: what is on a list, and meals from elsewhere."""
    yield from _lists({"lists_query", "takeaway_query", "takeaway_order"})


def _lists(wanted: set[str]) -> Iterator[Trial]:
    known = labels.of("slurp")
    for number, row in _rows("slurp-lists-takeaway.jsonl"):
        if row["label"] not in wanted:
            continue
        if known[number] == NOTHING:
            yield from other_trade(number, f"B05:{number}", row["text"], NOTHING)
        else:
            yield from in_domain(f"B05:{number}", row["text"], "filled", known[number])


BY_LABEL: Mapping[str, Expected] = {
    "thank_you": NOTHING,
    "goodbye": expected.parse("close | nothing"),
    "repeat": expected.parse("repeat | nothing"),
    "what_can_i_ask_you": expected.parse("help | nothing"),
    "order_status": expected.parse("nothing | orders asked | show | close"),
    "change_volume": NOTHING,
    "oos": NOTHING,
}


def shopping(label: str) -> Iterator[Trial]:
    """B04: one label of those that are our trade, as labelled by hand."""
    known = labels.of("clinc")
    for number, row in _rows("clinc-dialog-acts.jsonl"):
        if row["label"] == label:
            yield from in_domain(f"B04:{number}", row["text"], "filled", known[number])


def small_talk() -> Iterator[Trial]:
    """B04: thanks, farewells, questions about the assistant, and what is out of everybody's scope."""
    known = labels.of("clinc")
    for number, row in _rows("clinc-dialog-acts.jsonl"):
        if row["label"] in BY_LABEL:
            yield from other_trade(number, f"B04:{number}", row["text"], known.get(number, BY_LABEL[row["label"]]))


# ---- other trades -------------------------------------------------------------------------------------------------------


def hinglish() -> Iterator[Trial]:
    for number, row in _rows("hinglish-other-domains.jsonl"):
        yield from other_trade(number, f"B06:{number}", row["text"])


def hotels() -> Iterator[Trial]:
    known = labels.of("nlupp")
    for number, row in _rows("nlupp-hotels.jsonl"):
        intents = set(row["intents"])
        if intents != {"affirm"} and "deny" not in intents:
            yield from other_trade(number, f"B07:{number}", row["text"], known.get(number, HOTEL))


HOTEL = expected.parse("nothing | help | repeat | close")  # "goodbye" and "cancel it" are said there too


def _rows(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    yield from enumerate((json.loads(line) for line in field_data.path(name).read_text(encoding="utf-8").splitlines()), 1)

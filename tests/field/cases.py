"""The field cases A01 to A20, each as what is said and what should come of it. A08, A10 and A11 are in wire.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.field import expected
from tests.field.judge import Trial

# Case -> (said, where, what should come of it). ``woken`` is after a wake, ``asleep`` without; ``in pieces`` is several finals.
CASES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "A01": (("Add, two milk.", "empty", "add 2 milk"),),
    "A02": tuple(
        (said, stage, "opens")
        for said in (
            "Hermes order Swiggy",
            "Hermes, order Swiggy.",
            "Hermes order, Swiggy!",
            ", hermes order swiggy",
        )
        for stage in ("asleep", "woken")
    ),
    "A03": tuple((said, "review", "yes") for said in ("Yes.", "YES", "yes!", " yes ", "Yes…")),
    "A04": (
        ("Hermis, order swiggy", "woken", "opens"),
        ("Hermies order swiggy", "woken", "opens"),
        ("Hermis, order swiggy", "asleep", "opens | nothing"),
    ),
    "A05": (("hermes order swiggy", "woken", "opens"), ("order swiggy", "woken", "opens")),
    "A06": (
        ("add brown bread Hermes", "empty", "add brown bread"),
        ("add Hermes chocolate syrup", "empty", "add hermes chocolate syrup"),
    ),
    "A07": (
        ("Thank you.", "review", "nothing"),
        ("Thank you.", "empty", "nothing"),
        ("Thank you.", "single", "nothing"),
        ("add one curd. Thank you.", "empty", "add 1 curd"),
    ),
    "A09": (("I need two litres / of toned milk / and a bread", "in pieces", "add 2 l toned milk + 1 bread"),),
    "A12": (
        ("add to milk", "empty", "add 2 milk"),
        ("add too milk", "empty", "add 2 milk"),
        ("add two milk", "empty", "add 2 milk"),
        ("add milk to the cart", "empty", "add milk"),
        ("change milk to three", "filled", "set 3 milk"),
    ),
    "A13": (
        *((said, "counting", "set 2 it") for said in ("two", "2", "Two.", "to")),
        ("to", "empty", "nothing"),
        ("to", "review", "nothing"),
    ),
    "A14": (
        ("two and a half kilo potatoes", "empty", "add 5/2 kg potatoes"),
        ("one and a half litre milk", "empty", "add 3/2 l milk"),
        ("five and a half kilos rice", "empty", "add 11/2 kg rice"),
    ),
    "A15": (
        ("no", "review", "no"),
        ("no", "counting", "nothing | no"),
        ("nau", "counting", "set 9 it"),
        ("nau packet", "counting", "set 9 it"),
        ("no milk", "empty", "nothing"),
        ("no milk", "counting", "nothing | no"),
        ("no milk", "choosing", "nothing | skip"),
    ),
    "A16": (
        ("दो पैकेट दूध", "empty", "add 2 दूध | add 2 milk"),
        ("do packet doodh", "empty", "add 2 doodh | add 2 milk"),
        ("two packets milk", "empty", "add 2 milk"),
        ("do you have milk", "empty", "nothing | add milk"),
    ),
    "A17": (
        ("Add four breads. Scratch that. Add two breads.", "empty", "add 2 breads"),
        ("add four breads scratch that add two breads", "empty", "add 2 breads"),
    ),
    "A18": (
        ("add bread and butter", "empty", "add bread + butter"),
        ("add mac and cheese", "empty", "add mac and cheese"),
        ("add salt and pepper chips", "empty", "add salt and pepper chips"),
    ),
    "A19": (
        ("um, order swiggy please", "woken", "opens"),
        ("uhh add hmm two curd", "empty", "add 2 curd"),
        *((said, stage, "nothing") for said in ("mhm", "uh-huh", "hmm") for stage in ("review", "single", "address")),
    ),
    "A20": (
        *(
            (said, "woken", "opens")
            for said in ("Hermes order swig gy", "order swiggie", "order squiggy", "order sweggy", "order swigi")
        ),
        ("order squid gravy", "woken", "nothing"),
    ),
}


def trials(case: str) -> Iterator[Trial]:
    for number, (said, stage, meant) in enumerate(CASES[case], 1):
        reading = expected.parse(meant)
        yield Trial(f"{case}:{number}", said, stage, reading, domain=frozenset() not in reading.readings)

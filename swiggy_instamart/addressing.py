"""What is said while the address, or the cart that was there, is asked about. Pure."""

from __future__ import annotations

from interactions.contracts import Heard, Step
from swiggy_instamart import labels, questions, speech
from swiggy_instamart.machine import On
from swiggy_instamart.readings import CONFIRMING, COUNTING, Reading, Said
from swiggy_instamart.turn import Happened, Turn

LATER = CONFIRMING | {Said.SHOW_CART, Said.CLEAR, Said.KEEP, Said.WANTED, Said.COMPLETE} | COUNTING


def proposed(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said is Said.YES:
        return Happened(On.YES)
    match = labels.answered(event.text, turn.labels, turn.names)
    if reading.said is Said.NO:  # "nahi, office pe" denies the one that was offered, and chooses another
        other = match.index is not None and turn.labels[match.index] != turn.state["address"]["label"]
        return Happened(On.NAMED, {"index": match.index}) if other else Happened(On.NO)
    if reading.said is Said.CHANGE_ADDRESS:
        return Happened(On.CHANGE)
    if match.index is None and reading.said in LATER:
        first = speech.propose(turn.say, turn.state["address"]["label"], first=True)
        return questions.missed(turn, event.text, first=first, known=True)
    return questions.missed(turn, event.text) if match.index is None else Happened(On.NAMED, {"index": match.index})


def which(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    match = labels.answered(event.text, turn.labels, turn.names)
    if match.index is None:
        code = "ambiguous" if match.ambiguous else "first" if reading.said in LATER else "unmatched"
        first = speech.which_address(turn.say, turn.labels, code=code)
        return questions.missed(turn, event.text, first=first, known=code != "unmatched")
    return Happened(On.NAMED, {"index": match.index})


def old_cart(turn: Turn, event: Heard, reading: Reading) -> Happened | Step:
    if reading.said is Said.SHOW_CART:
        return turn.stay(questions.old_cart(turn), said="old cart")
    on = {Said.KEEP: On.KEEP, Said.CLEAR: On.CLEAR, Said.CHANGE_ADDRESS: On.CHANGE}.get(reading.said)
    return questions.missed(turn, event.text, known=reading.understood) if on is None else Happened(on)

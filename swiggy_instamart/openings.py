"""What opens an order or practice, said while either is open: nothing opens then, and which of the two is open is said. Pure.

The words are looked for as the host does where no session is open, so whatever would have opened one there is known here. So
is any other talk of practising: nobody may say the words that spend believing that it is practice.
"""

from __future__ import annotations

from interactions import activation, text
from interactions.configuration import Configuration
from interactions.contracts import Heard, Reply, Step
from swiggy_instamart import questions, wishes, wording, words
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.turn import Doors, Happened, Turn

ORDER, PRACTICE = "swiggy_order", "swiggy_rehearsal"
NAMED = {ORDER: "order", PRACTICE: "practice"}
OVERHEARD = "real_order_in_review"  # why a practice ends or does not begin: the same words would spend elsewhere
DECLARED = tuple(
    (text.tokens(phrase), key)
    for key, phrases in ((ORDER, words.BEGIN_ORDER), (PRACTICE, words.BEGIN_PRACTICE))
    for phrase in phrases
)


def configured(here: str, configuration: Configuration) -> Doors:
    """The doors as the operator lists the modes, with further phrases for them."""
    entries = [entry for entry in configuration.plugins.values() if entry.on]
    further = [(text.tokens(one), key) for entry in entries for key in NAMED for one in entry.phrases.get(key, ())]
    return Doors(here, frozenset(key for entry in entries for key in entry.modes), (*DECLARED, *further))


def heard(turn: Turn, event: Heard) -> Happened | Step | None:
    """The answer to what opens either; None where these words open neither."""
    slack = activation.SLACK if activation.called(event.text, turn.names) else 0
    found = activation.find(event.text, turn.doors.phrases, turn.names, slack=slack)
    if found is None:
        return _of_practising(turn, event)
    here = found.key == turn.doors.here
    if event.doubtful or (here and turn.other):
        return questions.again(turn, said="perhaps our own voice" if event.doubtful else "unclear")
    if turn.phase is not Phase.STARTING or turn.other:
        return turn.stay(_told(turn, found.key), questions.short(turn), said="opening")
    # Nothing is asked yet: an opening that failed is tried again by its phrase.
    return Happened(On.OPENED, {"pending": turn.state.get("pending", "")}) if here else turn.stay(_told(turn, found.key))


def _of_practising(turn: Turn, event: Heard) -> Step | None:
    """ "Is this practice", "start practice", "this is just a trial": which one is open, and nothing else."""
    if turn.other or not _practising(turn, event.text):
        return None
    if event.doubtful:
        return questions.again(turn, said="perhaps our own voice")
    return turn.stay(_told(turn, PRACTICE), questions.short(turn), said="opening")


def _practising(turn: Turn, spoken: str) -> bool:
    said = text.tokens(spoken)
    if set(said) & words.PRACTISING_GOODS:  # a trial pack is something to buy
        return False
    named = {word for label in turn.labels for word in text.tokens(label)}  # and "Dental Practice" an address
    found = (wishes.starting(said, at, words.PRACTISING) for at in range(len(said)))
    return any(phrase and not set(phrase) <= named for phrase in found)


def _told(turn: Turn, wanted: str) -> Reply:
    """Which one is open here, and how to come to the other."""
    say, here = turn.say, f"opening.{NAMED[turn.doors.here]}"
    if wanted == turn.doors.here:
        return wording.tell(say, say(f"{here}.already"))
    return wording.tell(say, wording.together(say(here), say(f"{here}.end" if wanted in turn.doors.on else f"{here}.off")))

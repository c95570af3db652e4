"""Every verdict on a report, as a disposition and a reason, and what it means in one sentence for the operator."""

from __future__ import annotations

from collections.abc import Mapping

CONTINUES = "continues"  # the reason of what goes on with the sentence before

MEANING: Mapping[tuple[str, str], str] = {
    ("accepted", "mode"): "a session was open, and everything that is said goes to it first",
    ("accepted", "tail"): "it said more than its twin, and what it said more went to the session",
    ("accepted", "activation"): "it opened a mode with one of its phrases",
    ("accepted", "continues"): "it goes on with the sentence before it, which broke off, and both were one turn",
    ("accepted", "near_activation"): "it was nearly the phrase of a mode, so it was asked whether that was meant",
    ("accepted", "chain"): "no session was open and no phrase was said, so the ordinary plugins were asked",
    ("accepted", "stop"): "what was being said, or still to be said, fell silent; nothing else was meant",
    ("duplicate", "twin"): "the same sound was reported before; nothing is done twice",
    ("accepted", "otherwise"): "its twin was heard otherwise; these words end things, so they went to the session as well",
    ("duplicate", "extended"): "it said more than its twin, of which nothing had been begun, and took its place",
    ("duplicate", "revised"): "it was heard otherwise than its twin, of which nothing had been begun, and took its place",
    ("duplicate", "differs"): "it was heard otherwise than its twin, too late or too near to money to change it; that was told",
    ("duplicate", "other_device"): "another device of the same person heard it too, and that one has it",
    ("echo", "echo"): "it repeats what we were saying or had just said",
    ("ignored", "interim"): "it was not final; only finals count",
    ("ignored", "no_speech"): "the device says that there was no speech in it",
    ("ignored", "empty"): "it holds no words",
    ("ignored", "invented"): "it is a line that recognisers make out of silence",
    ("late", "age"): "it was said more than half a minute before it arrived",
    ("late", "order"): "a sentence that was said after it had been handled already",
    ("recorded", "announcement"): "a wake that only says that speech follows; the words come in another report",
    ("recorded", "ingest"): "it was not live; what is brought in is evidence and starts nothing",
    ("recorded", "segmentation"): "it claims to be cut in another way than this device's speech is; that is evidence only",
    ("recorded", "speaker"): "somebody else spoke than the operator allows for this person",
    ("recorded", "window"): "speech at this device is cut into fixed windows, which are evidence; only a wake is a command",
}


def meaning(disposition: str, reason: str) -> str:
    """Why it was decided so; a verdict of another release is shown as the word that it left."""
    return MEANING.get((disposition, reason), f"for the reason '{reason}', which this release does not know")

"""The words that work whatever is open: stop, cancel, help, repeat. Pure: what was said and a mode in, one of the four out.

The host knows them in every language of ``languages``; a mode adds spellings of its own. Who is matched here is silenced, given
up or answered at once; what the word then means is the mode's to decide.
"""

from __future__ import annotations

from collections.abc import Iterable

from interactions import lexicon, text
from interactions.modes import Mode

STOP, CANCEL, HELP, REPEAT = "stop", "cancel", "help", "repeat"
ENDING = (STOP, CANCEL)  # a READ that is waited for is given up
ASKING = (HELP, REPEAT)  # answered while it is waited for

_KNOWN = {word: frozenset(lexicon.phrases(word)) for word in (*ENDING, *ASKING)}


def word(spoken: str, mode: Mode | None, names: Iterable[str]) -> str | None:
    """Which of the words was said, alone, once or several times over; None for anything else.

    The name, fillers and courtesies around it do not matter; a sentence that goes on is for the mode to read.
    """
    said = text.core(spoken, names)
    once = said[:1] if len(set(said)) == 1 else said
    for found, phrases in _KNOWN.items():
        more = mode.universal.get(found, frozenset()) if mode is not None else frozenset()
        if said in phrases or said in more or once in phrases or once in more:
            return found
    return None

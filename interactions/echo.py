"""Whether what was heard is our own voice coming back: whole, cut, or with a word or two around it. Pure.

Only what was played lately counts, and only while it was played or just after. Where it stays open whether a short sentence is
the person's or ours it is a turn, marked as doubtful, so that it can do anything but spend.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from interactions import lexicon, sameness, text
from interactions.reports import LONGEST_MS, Report
from interactions.text import Tokens

TAIL = timedelta(seconds=1.5)  # how long after its playback a sentence still comes back
DUE = timedelta(seconds=2)  # how far a voice may be from where we think it is
DRIFT = 0.2  # and by how much of the way more: voices are not equally fast
GAP = timedelta(milliseconds=600)  # before this after a playback nobody has begun to answer it
PER_WORD = timedelta(milliseconds=380)
LONGEST = (timedelta(seconds=2), timedelta(milliseconds=500))  # a playback that nobody reports, and for each of its words
FEWEST = 4  # consecutive words of ours
SHARE = 0.8  # of the utterance
SHORTEST_MISHEARD = 4  # letters; a shorter word is another word
STOP = frozenset(lexicon.phrases("stop"))
TELLING = sameness.NEGATIONS | sameness.NUMBERS  # a word of these that is not ours makes the sentence the person's


class Kind(StrEnum):
    OWN = "own"  # our voice
    DOUBTFUL = "doubtful"  # our words, while they may have been playing
    SPEECH = "speech"


@dataclass(frozen=True, slots=True)
class Sound:
    """What was captured, by the server's clock; ``began`` is an estimate where the device sent no interval."""

    words: Tokens
    began: datetime
    ended: datetime


@dataclass(frozen=True, slots=True)
class Played:
    """One of our replies. ``began``: reported, else its delivery. ``known``: the device said how far it is with it."""

    wordings: tuple[Tokens, ...]  # as said, and as shown
    offered: frozenset[Tokens]
    began: datetime
    est: timedelta
    ended: datetime | None = None
    known: bool = False

    @property
    def end(self) -> datetime:
        return self.ended or self.began + self.est

    @property
    def latest_end(self) -> datetime:
        longest = LONGEST[0] + LONGEST[1] * max(map(len, self.wordings), default=0)
        return self.ended or self.began + max(longest, self.est)

    @property
    def surely_over(self) -> datetime:
        """From when on what is heard is not this reply: soon after its end where that is known, else after its longest."""
        return self.end + GAP if self.known else max(self.end + GAP, self.latest_end)

    def holds(self, sound: Sound) -> bool:
        """Whether the sound lies inside the playback, as reported."""
        return self.known and self.began <= sound.began and sound.ended <= self.latest_end


def sound(report: Report, *, at: datetime) -> Sound:
    """When the words of a report were said."""
    words = text.tokens(report.text)
    ended = at - timedelta(milliseconds=max(0, report.spoken_age_ms))
    length = PER_WORD * len(words)
    if report.start_ms is not None and report.end_ms is not None:
        length = timedelta(milliseconds=min(report.end_ms - report.start_ms, LONGEST_MS))
    return Sound(words, ended - length, ended)


def judge(sound: Sound, played: Sequence[Played], names: Iterable[str], *, alike: frozenset[Tokens] = frozenset()) -> Kind:
    """What ``sound`` is, after the replies ``played`` last, the latest first. ``alike``: the phrase that
    spends, in several scripts; what is heard of it may be ours for as long as any playback may last."""
    around = [one for one in played if one.began <= sound.ended and sound.began <= one.latest_end + TAIL]
    core = text.core(" ".join(sound.words), names)
    if not around or not core or core in STOP:
        return Kind.SPEECH
    offered = any(core in one.offered for one in around)
    if not offered or any(one.holds(sound) for one in around):
        if any(_repeats(sound.words, words) for one in around for words in _due(one, sound)):
            return Kind.OWN
        if len(around) > 1 and any(_repeats(sound.words, words) for words in _joined(around)):
            return Kind.OWN
        if any(one.holds(sound) and _within(sound.words, words) for one in around for words in _due(one, sound)):
            return Kind.OWN
    spends = core in alike
    late = [words for one in around if sound.began < (one.surely_over if spends else one.end + GAP) for words in one.wordings]
    doubtful = any(_within(phrase, words) for phrase in (alike if spends else {core}) for words in late)
    return Kind.DOUBTFUL if doubtful else Kind.SPEECH


def _due(one: Played, sound: Sound) -> list[Tokens]:
    """Those words of a reply that may have been said just then; all of them where nothing was reported."""
    if not one.known:
        return list(one.wordings)
    length = max(one.end - one.began, timedelta(milliseconds=1))
    since, until = sound.began - one.began, sound.ended - one.began
    since, until = since - DUE - since * DRIFT, until + DUE + until * DRIFT
    return [words[_at(words, since / length) : _at(words, until / length) + 1] for words in one.wordings]


def _at(words: Tokens, share: float) -> int:
    return max(0, min(len(words), int(share * len(words))))


def _joined(around: Sequence[Played]) -> list[Tokens]:
    """Replies one after the other, for a sound that spans two of them."""
    inorder = list(reversed(around))
    return [
        tuple(word for one in inorder for word in one.wordings[way]) for way in range(min(len(o.wordings) for o in inorder))
    ]


def _repeats(said: Tokens, ours: Tokens) -> bool:
    """Whether enough of ``said`` is ours: a run of four, four fifths of it all, and no number or denial of its own."""
    if len(said) * SHARE > len(ours):
        return False
    said, ours = _alike(sameness.folded(said), sameness.folded(ours))
    blocks = SequenceMatcher(None, said, ours, autojunk=False).get_matching_blocks()
    shared = {at for block in blocks for at in range(block.a, block.a + block.size)}
    own = {word for at, word in enumerate(said) if at not in shared}
    return (
        max(block.size for block in blocks) >= FEWEST
        and len(shared) >= SHARE * len(said)
        and not any(word in TELLING or word[0].isdigit() for word in own)
    )


def _alike(said: Tokens, ours: Tokens) -> tuple[Tokens, Tokens]:
    """Words off by a letter as we said them."""
    known = set(ours)
    long = [word for word in known if len(word) >= SHORTEST_MISHEARD]
    return tuple(
        word
        if word in known or len(word) < SHORTEST_MISHEARD
        else next((w for w in long if Levenshtein.distance(w, word) <= 1), word)
        for word in said
    ), ours


def _within(said: Tokens, ours: Tokens) -> bool:
    """Whether ``said`` is some consecutive words of ours."""
    said, ours = sameness.folded(said), sameness.folded(ours)
    return any(ours[at : at + len(said)] == said for at in range(len(ours) - len(said) + 1))

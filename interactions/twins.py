"""One second of sound, reported more than once: which earlier utterance a report is a twin of, and what it is to it.

By audio interval where both carry one of one clock, else by near-equal text of another source within the window; between two
devices of one person by text alone. Asked inside the accepting transaction, under the person's lock, so two reports of one
moment cannot both be first. What is done with a twin that says something else is for ``revisions``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from interactions import activation, configuration, echo, registry, sameness, verdicts
from interactions.models import Device, InteractionSession, Utterance
from interactions.reports import Report
from interactions.sameness import Likeness

OVERLAP = 0.6  # of the shorter interval
SET_BACK = timedelta(seconds=30)  # a correction of the server's clock that hides no twin
LOOK_BACK = timedelta(minutes=10)  # for the interval of a named clock, whenever it is reported
ELSEWHERE = timedelta(seconds=2)  # between two devices that hear one voice
FEWEST_ELSEWHERE = 3  # words; two people may well answer "yes" at two devices
FEWEST_LESS = 2  # words; a single one may be said again
FOREIGN = "speaker"  # why an utterance was recorded that somebody spoke who is not allowed to
ASIDE = "aside"
OF_ITS_OWN = ("tail", "otherwise")  # reasons of twins that are turns
IN_ITS_PLACE = ("extended", "revised")  # and of those whose words took the place of the first
LINKED = (*OF_ITS_OWN, *IN_ITS_PLACE, verdicts.CONTINUES, FOREIGN)
OPENING = ("activation", "near_activation", "chain", FOREIGN)  # verdicts on what may have been the phrase of a mode
SPEECH = ("stream", "wake")
MOST = 60  # rows that are looked at


@dataclass(frozen=True, slots=True)
class Twin:
    """``of``: the first report of the sound. ``reason``: twin, other_device, speaker for a stranger's, or aside where the chain
    at another device has it. ``likeness``: of the words to those of the report that it was found by, ``of`` or a twin of it.
    ``before``: the turns before ``of`` that lie in the same sound, in their order.
    """

    of: Utterance
    reason: str
    likeness: Likeness
    before: tuple[Utterance, ...] = ()

    @property
    def says_no_more(self) -> bool:
        """Whether all of it was heard at this device before."""
        return self.reason == "twin" and self.likeness in (Likeness.SAME, Likeness.LESS)


def overlap(a_start: int, a_end: int, b_start: int, b_end: int) -> float:
    """How much of the shorter interval both share, 0 to 1."""
    shorter = min(a_end - a_start, b_end - b_start)
    shared = min(a_end, b_end) - max(a_start, b_start)
    return max(0.0, shared / shorter) if shorter > 0 else 0.0


def find(device: Device, report: Report, *, at: datetime, foreign: bool = False) -> Twin | None:
    """The utterance that this report repeats, or None. ``foreign``: a stranger said it, whoever it was taken for before."""
    if not (report.is_speech or report.end_ms is not None):
        return None  # what was typed or tapped has no sound that another source could have heard
    earlier = [one for one in _earlier(device, report, at=at) if not _another_voice(one, report, foreign=foreign)]
    here = [one for one in earlier if one.device_id == device.pk]
    for place, one in enumerate(here):
        found = _here(one, report, last=place == 0, at=at)
        if found is not None:
            reason = FOREIGN if one.reason == FOREIGN else "twin"
            return Twin(_first(one), reason, found, _covered(_first(one), here[place + 1 :], report, at=at))
    return _elsewhere(device, report, [one for one in earlier if one.device_id != device.pk], at=at)


def likeness(one: Utterance, said: str, *, heard: str | None = None) -> Likeness:
    """What ``said`` is to what was ``heard`` of ``one``; two ways to write the phrase that opened a mode are one."""
    heard = whole(one) if heard is None else heard
    remainders = opened(one, heard, said)
    return sameness.likeness(*(remainders or (heard, said)), names=configuration.current().host.assistant.names)


def whole(one: Utterance) -> str:
    """Its words, and where it goes on with what was said before, the sentence up to its end."""
    if one.reason != verdicts.CONTINUES:
        return one.text
    same = Q(pk=one.alias_of_id) | Q(alias_of=one.alias_of_id, reason=verdicts.CONTINUES, pk__lte=one.pk)
    return " ".join(Utterance.objects.filter(same).order_by("pk").values_list("text", flat=True))


def opened(one: Utterance, heard: str, said: str) -> tuple[str, str] | None:
    """What follows in both texts after the phrase of a mode, which ``one`` opened or nearly did; None without a phrase."""
    if one.reason not in OPENING:
        return None
    # A slip is forgiven in either: that the words are for us has been decided when the first was accepted.
    names, phrases = configuration.current().host.assistant.names, registry.activations()
    first, second = (activation.find(words, phrases, names, slack=activation.SLACK) for words in (heard, said))
    return (first.remainder, second.remainder) if first and second and first.key == second.key else None


def _earlier(device: Device, report: Report, *, at: datetime) -> Sequence[Utterance]:
    """What the sound may have been reported as before, the latest first, at any device of the person."""
    assert device.owner_id is not None
    window = timedelta(seconds=configuration.current().host.limits.dedupe_window_s)
    since = at - max(window, ELSEWHERE) - SET_BACK
    near = Q(received_at__gte=since)
    if report.end_ms is not None and _clock(report) != ("", ""):
        since = at - LOOK_BACK
        near |= Q(
            device=device,
            audio_session_id=report.audio_session_id,
            capture_epoch=report.capture_epoch,
            start_ms__lt=report.end_ms,
            end_ms__gt=report.start_ms,
        )
    routed = Q(disposition="accepted") | Q(disposition="recorded", reason=FOREIGN) | Q(reason__in=IN_ITS_PLACE)
    return list(
        Utterance.objects.filter(routed, near, owner=device.owner_id, received_at__gte=since)
        .select_related("alias_of")
        .order_by("-pk")[:MOST]
    )


def _here(one: Utterance, report: Report, *, last: bool, at: datetime) -> Likeness | None:
    """What the report is to an utterance of the same device; None if it is another sound."""
    window = timedelta(seconds=configuration.current().host.limits.dedupe_window_s)
    near = _apart(one, report, at=at) <= window
    # The last one comes from the future: the clock was set back.
    near = near or (last and at < one.received_at <= at + SET_BACK)
    shared = _overlap(one, report, at=at)
    if shared is not None:
        return likeness(one, report.text) if shared >= OVERLAP else None
    if not (near and report.is_speech and one.source in SPEECH and one.source != report.source):
        return None
    alike = _by_words(one, report, fewest_less=FEWEST_LESS)
    names = configuration.current().host.assistant.names
    if alike is None and not sameness.within(report.text, whole(one), names=names):
        return None
    pieces = " ".join((*_reported(one, report), report.text))
    if pieces == report.text:
        return alike
    # What one source says again was said again, unless it reports in pieces what the other reported whole.
    goes_on = sameness.near_equal(pieces, whole(one), names=names) or sameness.extends(whole(one), pieces, names=names)
    return Likeness.LESS if goes_on else None


def _covered(of: Utterance, earlier: Sequence[Utterance], report: Report, *, at: datetime) -> tuple[Utterance, ...]:
    """The turns that the interval of the report covers besides the latest, which is ``of``."""
    overlapping = [one for one in earlier if one.reason != FOREIGN and (_overlap(one, report, at=at) or 0.0) >= OVERLAP]
    turns = {first.pk: first for first in map(_first, overlapping) if first.session_id == of.session_id and first.pk < of.pk}
    return tuple(turns[pk] for pk in sorted(turns))


def _first(one: Utterance) -> Utterance:
    """The first report of a sound that this one is a turn of."""
    return one.alias_of if one.alias_of is not None and one.reason in LINKED else one


def _reported(one: Utterance, report: Report) -> Sequence[str]:
    """What the source of the report has reported of this sound before, in its order."""
    of = _first(one)
    theirs = of.aliases.filter(device=of.device, source=report.source).order_by("pk").values_list("text", flat=True)
    return [*([of.text] if of.source == report.source else []), *theirs]


def _overlap(one: Utterance, report: Report, *, at: datetime) -> float | None:
    """How much of both intervals is one; None where they cannot be compared."""
    if one.start_ms is None or one.end_ms is None or report.start_ms is None or report.end_ms is None:
        return None
    if _clock(one) != _clock(report):
        return None
    if _clock(report) == ("", "") and not _may_be_one(one, report, at=at):
        return None
    return overlap(one.start_ms, one.end_ms, report.start_ms, report.end_ms)


def share_a_clock(one: Utterance, report: Report) -> bool:
    """Whether intervals alone tell what lies in what."""
    timed = one.end_ms is not None and report.end_ms is not None
    return timed and _clock(one) == _clock(report) != ("", "")


def _may_be_one(one: Utterance, report: Report, *, at: datetime) -> bool:
    """Of a device that names no clock, and may count each sentence from nought: whether both were said at one time, by ours."""
    if (one.start_ms, one.end_ms, one.text) == (report.start_ms, report.end_ms, report.text):
        return True  # sent once more
    earlier = Report(one.text, spoken_age_ms=one.spoken_age_ms, start_ms=one.start_ms, end_ms=one.end_ms)
    first, second = echo.sound(earlier, at=one.received_at), echo.sound(report, at=at)
    return first.began < second.ended and second.began < first.ended


def _elsewhere(device: Device, report: Report, earlier: Sequence[Utterance], *, at: datetime) -> Twin | None:
    """The same words at another device of the person, who has a mode open or is opening one: that device has them."""
    if not report.is_speech:
        return None
    aside: Twin | None = None
    for one in earlier:
        if one.source not in SPEECH or _apart(one, report, at=at) > ELSEWHERE:
            continue
        found = _by_words(one, report, fewest_less=FEWEST_ELSEWHERE)
        if found is None or not ((_is_long(one.text) and _is_long(report.text)) or opened(one, one.text, report.text)):
            continue
        if one.reason == FOREIGN:
            return Twin(_first(one), FOREIGN, found)
        active = InteractionSession.objects.filter(user=device.owner_id, status=InteractionSession.Status.ACTIVE)
        if one.session_id is not None and active.exists():
            return Twin(_first(one), "other_device", found)
        if one.reason == "chain":
            aside = aside or Twin(one, ASIDE, found)
    return aside


def _by_words(one: Utterance, report: Report, *, fewest_less: int) -> Likeness | None:
    """What the words alone say: the same, one the beginning of the other, or the same phrase of a mode and whatever follows."""
    names = configuration.current().host.assistant.names
    if one.reason == verdicts.CONTINUES and likeness(one, report.text, heard=one.text) is Likeness.SAME:
        return Likeness.LESS  # the other source began with the rest
    found = likeness(one, report.text)
    if opened(one, one.text, report.text) or found in (Likeness.SAME, Likeness.MORE):
        return found
    begins = found is Likeness.LESS and sameness.extends(whole(one), report.text, names=names)
    return found if begins and sameness.count(report.text, names=names) >= fewest_less else None


def _is_long(said: str) -> bool:
    return sameness.count(said, names=configuration.current().host.assistant.names) >= FEWEST_ELSEWHERE


def _another_voice(one: Utterance, report: Report, *, foreign: bool) -> bool:
    """Whether somebody is named for either who may not speak, and somebody else for the other."""
    if not (foreign or one.reason == FOREIGN):
        return False
    pieces = _first(one).aliases.filter(reason=verdicts.CONTINUES)  # of one voice: who is named for one is named for all
    named = (row.details.get("speaker") for row in (one, one.alias_of, *pieces) if row is not None)
    return len({next(filter(None, named), None), report.speaker} - {None}) > 1


def _apart(one: Utterance, report: Report, *, at: datetime) -> timedelta:
    """How long lies between the ends of both, or between their receipts where one tells no time."""
    received = abs(at - one.received_at)
    ages = timedelta(milliseconds=one.spoken_age_ms - report.spoken_age_ms)
    spoken = abs(at - one.received_at + ages)
    return spoken if one.spoken_age_ms and report.spoken_age_ms else min(spoken, received)


def _clock(heard: Utterance | Report) -> tuple[str, str]:
    """What its interval counts from."""
    return heard.audio_session_id, heard.capture_epoch

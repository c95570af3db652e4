"""What becomes of a sound that was reported before and is reported otherwise now: nothing of it is lost in silence.

Under the session's lock, after the person's and the device's. While nothing of the first report has been begun its words in the
inbox are replaced; after that what is new is a turn of its own, or is told. Evidence never changes. Words that spend or end
things are neither replaced nor made here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from interactions import configuration, doorbells, echo, ownership, registry, sameness, sessions, twins, universal, verdicts
from interactions import text as texts
from interactions.agenda import UNFINISHED, WAITING
from interactions.models import ChainRun, Device, InboxItem, InteractionSession, Utterance
from interactions.ownership import Verdict
from interactions.reports import Report
from interactions.sameness import Likeness

# Reasons of twins whose words went on in the place of the first, or behind them.
TAKEN = (*twins.IN_ITS_PLACE, *twins.OF_ITS_OWN, verdicts.CONTINUES)
LONGEST_RUN = 8  # turns that one report is taken to say once more
STAGED, DONE = ChainRun.Status.STAGED, ChainRun.Status.DONE


@dataclass(frozen=True, slots=True)
class _Heard:
    """What has been made of a sound so far. ``upto``: the report whose words it stands at. ``item``: its latest turn."""

    of: Utterance
    upto: Utterance
    item: InboxItem | None
    session: InteractionSession


def settle(device: Device, report: Report, verdict: Verdict, *, at: datetime) -> Verdict:
    """What is done with a report that is somebody's twin. Inside acceptance, before it is stored; may change the inbox."""
    twin = verdict.found
    if verdict.instead_of is not None:
        _withdraw(verdict.instead_of, at=at)
    if twin is None:
        return verdict
    if verdict.reason in ("speaker", "activation"):
        if twin.of.disposition == "accepted":
            _withdraw(twin.of, at=at)
        return verdict
    if twin.reason != "twin" or twin.says_no_more:
        return verdict
    if twin.of.session_id is None:
        return _for_the_chain(report, verdict, twin)
    heard = _lock(twin.of, twin.of.session_id)
    if heard is not None:
        return _for_the_session(device, report, verdict, twin, heard, at=at)
    # Its session is over, and nothing can be done there any more: that is said.
    over = twin.of.session
    return verdict if over is None or _ends(report.text, over) else replace(verdict, reason="differs", session=over)


def pass_on(utterance: Utterance) -> None:
    """Give the sentence of the chain, which ``settle`` has found not begun, the words of its twin."""
    assert utterance.alias_of is not None
    _runs(utterance.alias_of).filter(status=STAGED).update(utterance=utterance)


# ---- in a session -------------------------------------------------------------------------------------------------------


def _lock(of: Utterance, session_id: int) -> _Heard | None:
    """What has been made of it, held until the commit; None if its session is over."""
    if not InteractionSession.objects.filter(pk=session_id, status=sessions.ACTIVE).update(fence=F("fence")):
        return None
    session = InteractionSession.objects.get(pk=session_id)
    mine = InboxItem.objects.filter(Q(utterance=of) | Q(utterance__alias_of=of), session=session, kind__in=("start", "heard"))
    return _Heard(of, _upto(of), mine.select_related("utterance").order_by("-sequence").first(), session)


def _for_the_session(
    device: Device, report: Report, verdict: Verdict, twin: twins.Twin, heard: _Heard, *, at: datetime
) -> Verdict:
    session = heard.session
    likeness = twins.likeness(heard.of, report.text, heard=twins.whole(heard.upto))
    if likeness in (Likeness.SAME, Likeness.LESS):
        return verdict
    run = _run(twin, heard.of, report)
    begins, said = run[0], _said(run)
    if len(run) > 1:
        verdict = replace(verdict, twin=run[-1])
        likeness = twins.likeness(begins, report.text, heard=said)
        if likeness in (Likeness.SAME, Likeness.LESS):
            return verdict
    more = likeness is Likeness.MORE
    # What was taken for several turns stays several: to replace one of them would do the others twice.
    if len(run) == 1 and (more or report.source == heard.upto.source) and _replaced(heard, report.text):
        return Verdict("duplicate", "extended" if more else "revised", session, twin=twin.of, found=twin)
    if not more:
        if _ends(report.text, session):
            return Verdict("accepted", "otherwise", session, twin=verdict.twin, found=twin, said=report.text)
        return Verdict("duplicate", "differs", session, twin=verdict.twin, found=twin)
    tail = _tail(begins, said, report.text)
    if _spends(tail, session) or _spends(report.text, session) or session.device_id != device.pk:
        return Verdict("duplicate", "differs", session, twin=verdict.twin, found=twin)
    own = ownership.own_voice(device, ownership.said(report, tail), session, at=at)
    if own is echo.Kind.OWN:  # the recogniser that stopped later heard our answer as well
        return Verdict("echo", "echo", session, twin=verdict.twin, found=twin)
    return Verdict("accepted", "tail", session, twin=verdict.twin, found=twin, said=tail, doubtful=own is echo.Kind.DOUBTFUL)


def _run(twin: twins.Twin, of: Utterance, report: Report) -> list[Utterance]:
    """The turns that the report says one after the other: those that its interval covers, or whose words follow in it."""
    if twin.before or twins.share_a_clock(of, report):
        return [*twin.before, of]
    run = [of]
    turns = Utterance.objects.filter(device=of.device, disposition="accepted", source__in=twins.SPEECH)
    following = turns.filter(session=of.session_id, reason="chain" if of.session_id is None else "mode", pk__gt=of.pk)
    for one in following.order_by("pk")[:LONGEST_RUN]:
        said = _said([*run, one])
        if one.source == report.source or twins.likeness(of, report.text, heard=said) is Likeness.OTHER:
            break
        run.append(one)
    return run


def _said(run: list[Utterance]) -> str:
    """All the words of these turns, as far as each has been taken."""
    said = ""
    for one in run:
        words = twins.whole(_upto(one))
        said = words if not said or sameness.extends(words, said, names=_names()) else f"{said} {words}"
    return said


def _upto(of: Utterance) -> Utterance:
    return of.aliases.filter(reason__in=TAKEN).order_by("-pk").first() or of


def _replaced(heard: _Heard, said: str) -> bool:
    """Put the words into the place of those that wait; False where they do not wait any more, or must not be touched."""
    item = heard.item
    words = _words_for(heard, item, said) if item is not None else ""
    if item is None or not words:
        return False
    if any(_spends(one, heard.session) or _ends(one, heard.session) for one in (item.text, words)):
        return False
    if _spends_behind(item, heard.session):
        return False  # before the words that spend it would hold nothing back; behind them it does
    # Whoever begins it counts an attempt, where it still reads as they have read it: one of both comes too late, and sees it.
    free = InboxItem.objects.filter(pk=item.pk, status=WAITING, attempts=0, overtaken__isnull=True)
    changes: dict[str, Any] = {"text": words}
    if item.data.get(UNFINISHED):  # the rest that it waits for has come
        changes |= {"not_before": None, "data": {**item.data, UNFINISHED: False}}
        doorbells.ring_after_commit(heard.session.pk)
    return bool(free.update(**changes))


def _words_for(heard: _Heard, item: InboxItem, said: str) -> str:
    """What ``said`` is as the text of this item, which may be only the end of a sentence, or what followed a phrase."""
    if item.utterance_id == heard.of.pk:
        if item.kind != "start":
            return said
        remainders = twins.opened(heard.of, heard.of.text, said)
        return remainders[1] if remainders else ""
    before = heard.of.aliases.filter(reason__in=TAKEN, pk__lt=item.utterance_id).order_by("-pk").first() or heard.of
    return _tail(heard.of, twins.whole(before), said)


def _tail(of: Utterance, heard: str, said: str) -> str:
    first, second = twins.opened(of, heard, said) or (heard, said)
    return sameness.tail(second, first, names=_names())


def _spends(said: str, session: InteractionSession) -> bool:
    mode = registry.modes().get(session.mode)
    phrases = [phrase for effect in mode.effects.values() for phrase in effect.phrases] if mode is not None else []
    return texts.is_phrase(said, phrases, _names())


def _spends_behind(item: InboxItem, session: InteractionSession) -> bool:
    later = InboxItem.objects.filter(session=session, kind="heard", status=WAITING, sequence__gt=item.sequence)
    return any(_spends(said, session) for said in later.values_list("text", flat=True))


def _ends(said: str, session: InteractionSession) -> bool:
    return universal.word(said, registry.modes().get(session.mode), _names()) in universal.ENDING


# ---- in the ordinary chain ------------------------------------------------------------------------------------------------


def _for_the_chain(report: Report, verdict: Verdict, twin: twins.Twin) -> Verdict:
    """Its sentence is asked with the later words if nobody has been asked yet; to ask again would do things twice, and so would
    one sentence in the place of the first of several.
    """
    more = twin.likeness is Likeness.MORE
    if (
        len(_run(twin, twin.of, report)) > 1
        or not (more or report.source == twin.of.source)
        or not _runs(twin.of).filter(status=STAGED).update(status=STAGED)
    ):
        return verdict
    woken = report.source == "wake" or twin.of.source == "wake" or bool(twin.of.details.get("follow_up"))
    return Verdict("duplicate", "extended" if more else "revised", twin=twin.of, found=twin, follow_up=woken)


def _withdraw(of: Utterance, *, at: datetime) -> None:
    """Its twin says who spoke, or what was meant: what has not been begun of it is not begun."""
    note = "withdrawn: its twin is not to be acted on so"
    if of.session_id is not None:
        InteractionSession.objects.filter(pk=of.session_id).update(fence=F("fence"))
    waiting = InboxItem.objects.filter(utterance=of, kind="heard", status=WAITING, attempts=0)
    waiting.update(status=InboxItem.Status.DROPPED, done_at=at, note=note)
    _runs(of).filter(status=STAGED).update(status=DONE, done_at=at)


def _runs(of: Utterance) -> QuerySet[ChainRun]:
    return ChainRun.objects.filter(Q(utterance=of) | Q(utterance__alias_of=of))


def _names() -> list[str]:
    return configuration.current().host.assistant.names

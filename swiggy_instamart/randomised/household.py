"""Two people at four devices: they listen, or do not, and say things, more than once and out of order.

Everything goes through the doors that the API uses: ``ingress.accept``, ``events.since``, ``playback.report``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth import get_user_model

from interactions import events, ingress, playback
from interactions.errors import IngressError, KeyReusedError
from interactions.models import Device, DeviceEvent, InteractionSession, Person, Utterance
from interactions.reports import Report
from swiggy_instamart.randomised.clock import Clock
from swiggy_instamart.randomised.wire import Complain

LINKED, OTHER = "asha", "ravi"
PLACES = (("kitchen", LINKED, True), ("hall", LINKED, False), ("study", LINKED, True), ("bedroom", OTHER, True))
PAUSE_S, PER_WORD_S = 2.0, 0.5
EPOCH = "epoch-1"
MORE = " and a bread"
OF_ITS_OWN = ("tail", "otherwise", "activation")  # what a twin says beyond the first report is heard
POSTS = 5  # how often a device sends a post whose answer does not come

Run = Callable[[Callable[[], None]], None]


@dataclass
class Place:
    """One device, how far it has read, and what was last said to it."""

    device: Device
    name: str
    screen: bool
    cursor: int = 0
    seq: int = 0
    last: tuple[str, dict[str, Any]] | None = None
    skew_s: float = 0.0  # how far the clock had been set back by then
    seen: list[int] = field(default_factory=list)


class Household:
    def __init__(self, clock: Clock, complain: Complain, heard: dict[int, float], run: Run) -> None:
        self.clock, self.complain, self.heard, self.run = clock, complain, heard, run
        users = {name: get_user_model().objects.create(username=name) for name in (LINKED, OTHER)}
        for user in users.values():
            Person.objects.create(user=user)
        self.linked: int = users[LINKED].pk
        self.places = [self._place(name, users[owner], screen) for name, owner, screen in PLACES]
        self.turns = 0
        self._keys = 0

    def _place(self, name: str, owner: Any, screen: bool) -> Place:
        abilities = {"voice": True, "screen": screen, "microphone": "open", "playback_reports": True}
        return Place(Device.objects.create(owner=owner, client_id=name, name=name, capabilities=abilities), name, screen)

    def session(self, place: Place) -> InteractionSession | None:
        """The session that has the floor at this device."""
        return InteractionSession.objects.filter(device=place.device, status="active").first()

    # ---- listening

    def listen(self, place: Place, how: str) -> None:
        """``full``: played to the end, and said so; ``cut``: interrupted; ``silent``: shown, nothing is reported."""
        if how == "deaf":
            return
        batch = events.since(place.device.pk, place.cursor, limit=200)
        if batch.reset:
            self.complain(f"I11: {place.name} was told to start again at {batch.cursor} from {place.cursor}")
        place.cursor = batch.cursor
        for event in batch.events:
            if event.seq in place.seen:
                self.complain(f"I11: {place.name} was given event {event.seq} twice")
            place.seen.append(event.seq)
        spoken = [event for event in batch.events if event.speak and event.payload.get("text")]
        for number, event in enumerate(spoken):
            if how == "full":
                self._play(event, "finished", event.est_ms / 1000)
            elif how == "cut":
                self._play(event, "interrupted" if number == len(spoken) - 1 else "finished", 0.5)

    def _play(self, event: DeviceEvent, ends: str, seconds: float) -> None:
        playback.report(event.pk, state="started", at=self.clock.now())
        self.clock.forward(seconds)
        playback.report(event.pk, state=ends, at=self.clock.now(), position_ms=round(seconds * 1000))

    # ---- speaking

    def say(
        self,
        place: Place,
        text: str,
        *,
        listen: str = "full",
        source: str = "stream",
        naming: str = "latest",
        number: int | None = None,
        age_ms: int = 0,
        confidence: float | None = None,
        claims: bool = False,
    ) -> Utterance | None:
        """``naming``: which reply it says it answers; ``number``: how far its count jumps; ``claims``: says it heard all."""
        self.listen(place, listen)
        if listen == "full":
            self.clock.forward(PAUSE_S + PER_WORD_S * len(text.split()))
        report: dict[str, Any] = {"text": text, "source": source, "spoken_age_ms": age_ms, "confidence": confidence}
        prompts = DeviceEvent.objects.filter(device=place.device).exclude(key="").order_by("-seq")
        latest = prompts.first()
        if latest is not None and (source in ("typed", "tap") or naming != "latest"):
            other = prompts[1:2].first() or latest
            report["in_reply_to"] = {"latest": latest.pk, "older": other.pk, "wrong": latest.pk + 1000}.get(naming)
        if claims and latest is not None:
            report["heard_upto"] = latest.seq + 5
            report["playback"] = {"reply_id": latest.pk, "state": "finished", "ended_ms_before_speech": 700}
        if number is not None:
            place.seq = max(1, place.seq + number)
            report |= {"seq": place.seq, "capture_epoch": EPOCH}
        if source == "wake":
            report["wake"] = {"word": "hermes"}
        self._keys += 1
        place.last, place.skew_s = (f"key-{self._keys}", report), self.clock.skew_s
        return self._post(place, *place.last)

    def again(self, place: Place, how: str) -> None:
        """The last post once more: the very same, its key with other words, or the same sound from another
        source, which may have listened longer."""
        if place.last is None:
            return
        key, report = place.last
        if how == "same":
            before = Utterance.objects.filter(device=place.device).count()
            self._post(place, key, report)
            if Utterance.objects.filter(device=place.device).count() != before:
                self.complain("I7: a repeated post was stored again")
        elif how == "rekeyed":
            self._refused(place, key, {**report, "text": report["text"] + " please"})
        else:
            source = "wake" if report["source"] == "stream" else "stream"
            self._keys += 1
            said = report["text"] + (MORE if how == "longer" else "")
            wake = {"word": "hermes"} if source == "wake" else None
            twin = {**report, "text": said, "source": source, "seq": None, "wake": wake}
            self._twin(place, twin, of=key)

    def _twin(self, place: Place, report: dict[str, Any], *, of: str) -> None:
        first = Utterance.objects.get(device=place.device, key=of)
        found = self._post(place, f"key-{self._keys}", report)
        # Without intervals two reports are told apart by the server's clock, and one that is set back in between hides a twin.
        close = self.clock.true_s - self.heard[first.pk] < 1.0 and place.skew_s == self.clock.skew_s
        sound = first.disposition == "accepted" and first.source in ("stream", "wake")
        # What one source reports a second time was said a second time.
        fresh = Utterance.objects.filter(alias_of=first, source=report["source"]).count() <= (found is not None)
        whole = found is not None and found.disposition == "accepted" and found.reason not in OF_ITS_OWN
        if close and sound and fresh and whole:
            self.complain(f"I8: {first.text!r} was accepted from two sources")

    def _refused(self, place: Place, key: str, report: dict[str, Any]) -> None:
        try:
            ingress.accept(place.device.pk, Report(**report), key=key, body_hash=_hash(report))
        except KeyReusedError:
            return
        self.complain("I7: a key was taken again with another body")

    def _post(self, place: Place, key: str, report: dict[str, Any]) -> Utterance | None:
        self.turns += 1
        known = Utterance.objects.filter(device=place.device, key=key).first()
        answers: list[ingress.Answer] = []

        def accept() -> None:
            answers.append(ingress.accept(place.device.pk, Report(**report), key=key, body_hash=_hash(report)))

        try:
            for _ in range(POSTS):
                self.run(accept)
                if answers:
                    break
        except IngressError as error:
            self.complain(f"ingress refused {report['text']!r}: {type(error).__name__}")
            return None
        answer = answers[0]
        if known is not None and answer.body != {"id": known.pk, **known.answer}:
            self.complain("I7: a repeated post was answered otherwise")
        stored = Utterance.objects.get(pk=answer.body["id"])
        self.heard.setdefault(stored.pk, self.clock.true_s)
        return stored


def _hash(report: dict[str, Any]) -> str:
    return hashlib.sha256(repr(sorted(report.items(), key=lambda row: row[0])).encode()).hexdigest()

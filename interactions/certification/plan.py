"""Which runs are made. A kind of point is a name and what is done there.

``all`` disturbs every point in every way. ``full``: the first conversation at every point from where money can be spent, and
each kind of point of its other lines once; every other conversation at each of its names, in ways that take turns. ``quick``
keeps to the money of the first, each kind of point once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from interactions.certification.baseline import Baseline
from interactions.certification.contracts import Act, Case, Control, Line, Outside, Say, Suite

ACTS = (Act.KILL_BEFORE, Act.KILL_AFTER, Act.STOP, Act.REWIND)
TURNS = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A case, whether it lies where money can be spent, and whose turn it is among the ways to disturb its point."""

    case: Case
    money: bool
    turn: int

    @property
    def kind(self) -> tuple[str, str, str]:
        return self.case.conversation, self.case.label, self.case.what


def cases(suite: Suite, baselines: Sequence[Baseline], *, size: str) -> list[Case]:
    """In the order of the conversations."""
    places = list(_places(suite, baselines))
    if size == "full":
        first = baselines[0].conversation.name
        plain = [place for place in places if place.case.conversation == first]
        others = [place for place in places if place.case.conversation != first and place.turn % TURNS == 0]
        places = [
            *(place for place in plain if place.money),
            *_each(place for place in plain if not place.money),
            *_each(others),
        ]
    if size == "quick":
        places = _each(place for place in places if place.money)
    return [place.case for place in places]


def _each(places: Iterable[Place]) -> list[Place]:
    """The first of each kind."""
    found: dict[tuple[str, str, str], Place] = {}
    for place in places:
        found.setdefault(place.kind, place)
    return list(found.values())


def _places(suite: Suite, baselines: Sequence[Baseline]) -> Iterator[Place]:
    for baseline in baselines:
        conversation = baseline.conversation
        for line, points in list(enumerate(baseline.lines))[conversation.since :]:
            money = conversation.spends is not None and line >= conversation.spends
            where = partial(Case, conversation.name, line)
            spoken = words(conversation.lines[line])
            for number, label in enumerate(points.actions, 1):
                for turn, act in enumerate(ACTS, line + number):
                    yield Place(where(number, spoken, label, act=act), money, turn)
            for number, label in enumerate(points.calls, 1):
                for turn, fault in enumerate(suite.faults, line + number):
                    yield Place(where(number, spoken, label, fault=fault.name), money, turn)


def words(line: Line) -> str:
    match line:
        case Say():
            return f"{line.device}: {line.text}"
        case Outside():
            return f"{line.what} {dict(line.data)}"
    return "everything comes to rest"


def controlled(suite: Suite, baselines: Sequence[Baseline], control: Control) -> list[tuple[Baseline, Case]]:
    """The cases that must catch a control, all of the first conversation."""
    return [
        (baselines[0], place.case)
        for place in _places(suite, baselines[:1])
        if place.case.act in control.acts and place.case.label in control.labels and (place.money or not control.money)
    ]

"""Which runs are made. A kind of point is a name, what is done there, and what was just said.

``all`` disturbs every point in every way. ``full`` does so where money can be spent, and disturbs each kind of point once
elsewhere. ``quick`` keeps to the money: each name there is disturbed in every way once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from interactions.certification.baseline import Baseline
from interactions.certification.contracts import Act, Case, Control, Line, Outside, Say, Suite

ACTS = (Act.KILL_BEFORE, Act.KILL_AFTER, Act.STOP, Act.REWIND)


@dataclass(frozen=True, slots=True)
class Place:
    """A case, and whether it lies where money can be spent."""

    case: Case
    kind: tuple[str, ...]
    money: bool


def cases(suite: Suite, baselines: Sequence[Baseline], *, size: str) -> list[Case]:
    places = list(_places(suite, baselines))
    if size == "full":
        firsts = set(_first(places, lambda place: place.kind))
        places = [place for place in places if place.money or place in firsts]
    if size == "quick":
        places = _first([place for place in places if place.money], lambda place: place.kind[:2])
    return [place.case for place in places]


def _first(places: Sequence[Place], key: Callable[[Place], Hashable]) -> list[Place]:
    found: dict[Hashable, Place] = {}
    for place in places:
        found.setdefault(key(place), place)
    return list(found.values())


def _places(suite: Suite, baselines: Sequence[Baseline]) -> Iterator[Place]:
    for baseline in baselines:
        conversation = baseline.conversation
        for line, points in enumerate(baseline.lines):
            if line < conversation.since:
                continue
            money = conversation.spends is not None and line >= conversation.spends
            spoken = words(conversation.lines[line])
            for number, label in enumerate(points.actions, 1):
                for act in ACTS:
                    case = Case(conversation.name, line, number, spoken, label, act=act)
                    yield Place(case, (label, act.value, spoken), money)
            for number, label in enumerate(points.calls, 1):
                for fault in suite.faults:
                    case = Case(conversation.name, line, number, spoken, label, fault=fault.name)
                    yield Place(case, (label, fault.name, spoken), money)


def words(line: Line) -> str:
    """Two points of one name are of one kind where the same is said; what is said stands for the phase."""
    match line:
        case Say():
            return f"{line.device}: {line.text}"
        case Outside():
            return f"{line.what} {dict(line.data)}"
    return "everything comes to rest"


def controlled(suite: Suite, baselines: Sequence[Baseline], control: Control) -> list[tuple[Baseline, Case]]:
    """The cases that must catch a control: those of its kind at the lines from which money can be spent."""
    by_name = {one.conversation.name: one for one in baselines}
    places = [place for place in _places(suite, baselines[:1]) if place.case.act in control.acts]
    chosen = [place.case for place in places if place.money or not control.money]
    return [(by_name[case.conversation], case) for case in chosen]

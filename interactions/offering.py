"""Takes one sentence along the plugins of the ordinary chain, each within its deadline, until one of them has taken it.

A plugin that breaks, or whose peer has surely not had the sentence, leaves it to the next. One whose peer may have had it is
the last that is asked: the next could do the same thing twice. The trace says who was asked and what became of it, no words.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interactions import bounded, clock, conditions, health, text
from interactions.health import States
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin, UnreachableError

log = logging.getLogger(__name__)

WAITS_BOUND_S = 1
Asks = tuple[tuple[OrdinaryPlugin, ChainEvent | None], ...]


@dataclass
class Course:
    """How far a sentence came. ``unknown``: somebody may have done it; ``missed``: somebody could not be asked."""

    trace: list[dict[str, Any]] = field(default_factory=list)
    answers: list[tuple[str, ChainAnswer]] = field(default_factory=list)
    unknown: bool = False
    missed: bool = False
    over: bool = False  # nobody else is asked

    @property
    def success(self) -> bool:
        return any(answer.success for _, answer in self.answers)

    @property
    def chosen(self) -> Sequence[tuple[str, ChainAnswer]]:
        """Whose words are said: of those that did it, and where none did, of the first that could not."""
        return [one for one in self.answers if one[1].success] or self.answers[:1]


def asks(plugins: Iterable[OrdinaryPlugin], event: ChainEvent, *, names: Sequence[str]) -> Asks:
    """Each plugin with the sentence as it is to be given it, or with None where its condition does not hold."""
    given = ((plugin, conditions.command(plugin, event, names=names)) for plugin in plugins)
    return tuple((plugin, None if said is None else replace(event, command=said)) for plugin, said in given)


def is_addressed(event: ChainEvent, *, names: Sequence[str]) -> bool:
    """Whether it was surely said to us, so that silence would be no answer."""
    words = text.tokens(event.text)
    return event.woken or text.strip_name(words, names) != words


def wait(offers: Asks) -> bool:
    """Whether a plugin that is offered the sentence may wait for the network with it."""
    return any(_waits(plugin, event) for plugin, event in offers if event is not None)


def take(offers: Asks, *, think: Callable[[], None], mine: Callable[[], bool]) -> Course:
    """Ask one after the other. ``think``: called once, when somebody slow comes after one that declined. ``mine``: whether the
    sentence is still ours to ask anybody about.
    """
    course, states, thought = Course(), health.states(), False
    for index, (plugin, event) in enumerate(offers):
        if event is None:
            course.trace.append({"plugin": plugin.id, "outcome": "passed_over"})
            continue
        if not mine():
            break
        if not health.admits(states.get(plugin.id), clock.now(), trial_s=2 * plugin.deadline_s):
            course.trace.append({"plugin": plugin.id, "outcome": "resting"})
            course.missed |= not plugin.observes
            continue
        declined = _ask(course, plugin, event, states)
        if course.over:
            break
        if declined and not thought and _somebody_slow(offers[index + 1 :], states):
            thought = True
            think()
    return course


def _ask(course: Course, plugin: OrdinaryPlugin, event: ChainEvent, states: States) -> bool:
    """Ask one; whether it declined, as one that only looks on never does."""
    began = time.monotonic()
    answer: ChainAnswer | None = None
    error = ""
    try:
        answer = _answer(bounded.call(lambda: plugin.handle(event), plugin.deadline_s))
        outcome = "declined" if answer is None else "answered" if answer.success else "not_done"
    except (bounded.DeadlineError, UnreachableError) as failure:
        sent = isinstance(failure, bounded.DeadlineError) or failure.sent
        error = "deadline" if isinstance(failure, bounded.DeadlineError) else f"unreachable {failure}".strip()[:60]
        course.unknown = course.over = sent and not plugin.observes
        outcome = f"unknown: {error}" if course.unknown else f"failed: {error}"
    except Exception as fault:
        # The edge of a plugin: what it raises is written down, and the next one is asked.
        log.exception("plugin %s failed on utterance %s", plugin.id, event.utterance)
        error = type(fault).__name__
        outcome = f"failed: {error}"
    course.trace.append({"plugin": plugin.id, "outcome": outcome, "ms": round((time.monotonic() - began) * 1000)})
    if error:
        health.failed(plugin.id, error, clock.now())
        course.missed |= not plugin.observes
    else:
        health.well(plugin.id, states.get(plugin.id), clock.now())
    if answer is not None:
        course.answers.append((plugin.id, answer))
        course.over = not answer.should_continue
    return answer is None and not error and not plugin.observes


def _answer(given: object) -> ChainAnswer | None:
    """What a plugin returned, which nothing has held to its type."""
    if given is None or isinstance(given, ChainAnswer):
        return given
    raise TypeError(f"a ChainAnswer or None is expected, and no {type(given).__name__}")


def _somebody_slow(offers: Asks, states: States) -> bool:
    rest = [(plugin, event) for plugin, event in offers if not health.rests(states.get(plugin.id), clock.now())]
    return any(not plugin.observes and _waits(plugin, event) for plugin, event in rest if event is not None)


def _waits(plugin: OrdinaryPlugin, event: ChainEvent) -> bool:
    try:
        return bounded.call(lambda: plugin.waits(event), WAITS_BOUND_S)
    except bounded.DeadlineError:
        return True
    except Exception:  # it is asked again when the run is handled, and recorded there
        log.exception("plugin %s cannot say whether it waits", plugin.id)
        return False

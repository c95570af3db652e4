"""What every mode must declare, as a list of questions; each that is answered wrong is one fault with the mode's file.

The kernel relies on what is checked here: that every phase has its exits, and that what spends names the words that release it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interactions import text
from interactions.contracts import EffectSpec, Migration, PhaseSpec, Policy
from interactions.faults import Fault, nearest
from interactions.modes import Mode

LONGEST_S = 31 * 86_400  # a time limit beyond a month is a slip of the pen
EXITS = ("stop", "help", "silence", "deadline")


def faults(mode: Mode, *, owner: str, place: str) -> list[Fault]:
    """Everything wrong with the declaration of ``mode``."""
    name = f"mode '{mode.key}'"
    questions = (_identity(mode), _versions(mode), _deadlines(mode), _phases(mode), _effects(mode))
    return [Fault(owner, f"{name} {fault}", place, hint) for answers in questions for fault, hint in answers]


Found = Iterator[tuple[str, str | None]]


def _identity(mode: Mode) -> Found:
    if not isinstance(mode.key, str) or not mode.key.strip():
        yield "has an empty key", None
    phrases = getattr(mode, "phrases", None)
    if not isinstance(phrases, tuple) or not phrases:
        yield "needs at least one phrase, in a tuple: phrases = ('open echo',)", None
    elif not all(isinstance(phrase, str) and text.tokens(phrase) for phrase in phrases):
        yield "has a phrase without a word in it", None
    if not isinstance(mode.version, int) or mode.version < 1:
        yield "has a version that is not 1 or more", None


def _versions(mode: Mode) -> Found:
    """A deploy meets running sessions of the version before: whatever spends must go on, the rest may end with a sentence."""
    version, migrations = mode.version, mode.migrations
    if not isinstance(version, int) or version < 1:
        return
    if not isinstance(migrations, Mapping) or not all(isinstance(one, Migration) for one in migrations.values()):
        yield "declares migrations that are no mapping of a version to a Migration", None
        return
    for start in migrations:
        if not isinstance(start, int) or not 1 <= start < version:
            yield f"is at version {version} and has a migration from version {start}, which leads nowhere", None
    if version == 1 or version - 1 in migrations:
        return
    if _spends(mode):
        yield (
            f"spends, is at version {version} and has no migration from version {version - 1}: a session could not go on",
            None,
        )
    elif not mode.kept:
        yield f"has no migration from version {version - 1}, and no 'kept': what stays when a session of it ends", None


def _spends(mode: Mode) -> bool:
    specs = [*_values(mode.effects), *_values(getattr(mode, "phases", None))]
    return any(getattr(spec, "policy", None) is Policy.ONCE or getattr(spec, "spending", False) for spec in specs)


def _values(declared: Any) -> list[Any]:
    return list(declared.values()) if isinstance(declared, Mapping) else []


def time_limit(seconds: object) -> Iterator[str]:
    """What is wrong with a time limit, as its author or its operator wrote it."""
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        yield "must be a whole number of seconds: write 600"
    elif not 0 < seconds <= LONGEST_S:
        yield f"must be more than 0 and at most {LONGEST_S}"


def _deadlines(mode: Mode) -> Found:
    wrong = [f"has {name} {value}; it {why}" for name, value in _limits(mode) for why in time_limit(value)]
    for fault in wrong:
        yield fault, None
    if not wrong and mode.hard_s < mode.idle_s:
        yield f"has hard_s {mode.hard_s} below idle_s {mode.idle_s}", None


def _limits(mode: Mode) -> tuple[tuple[str, object], ...]:
    return ("idle_s", mode.idle_s), ("hard_s", mode.hard_s)


def _phases(mode: Mode) -> Found:
    phases = getattr(mode, "phases", None)
    if not isinstance(phases, Mapping) or not phases:
        yield "declares no phases", None
        return
    first = getattr(mode, "first_phase", None)
    if first not in phases:
        yield f"starts in phase '{first}', which it does not declare", nearest(first, phases)
    spec: Any
    for phase, spec in phases.items():
        if not isinstance(spec, PhaseSpec):
            yield f"declares phase '{phase}' without a PhaseSpec", None
            continue
        for way in EXITS:
            if not getattr(spec, way):
                yield f"has no {way} exit in phase '{phase}'", None


def _effects(mode: Mode) -> Found:
    effects: Any = mode.effects
    if not isinstance(effects, Mapping):
        yield "declares effects that are no mapping", None
        return
    for name, spec in effects.items():
        if not isinstance(spec, EffectSpec) or not isinstance(spec.policy, Policy):
            yield f"declares effect '{name}' without a policy: EffectSpec(Policy.READ, budget_s=6)", None
            continue
        if spec.budget_s <= 0 or spec.attempts < 1:
            yield f"gives effect '{name}' no budget: budget_s {spec.budget_s}, attempts {spec.attempts}", None
        if spec.policy is Policy.ONCE:
            yield from _once(mode, name, spec)
        elif spec.phase or spec.phrases:
            yield f"gives effect '{name}' a confirming phrase, which only a ONCE has", None
        if spec.lasting and spec.policy is not Policy.ONCE:
            yield f"calls effect '{name}' lasting, which only a ONCE can be", None


def _once(mode: Mode, name: str, spec: EffectSpec) -> Found:
    if spec.attempts != 1:
        yield f"lets ONCE effect '{name}' be attempted {spec.attempts} times", None
    if spec.phase is None or spec.phase not in mode.phases:
        yield (
            f"lets ONCE effect '{name}' be confirmed in phase '{spec.phase}', which it does not declare",
            nearest(spec.phase, mode.phases),
        )
    if not isinstance(spec.phrases, tuple) or not spec.phrases or not all(text.tokens(phrase) for phrase in spec.phrases):
        yield f"names no phrase that releases ONCE effect '{name}'", None

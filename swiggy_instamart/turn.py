"""One event on its way through the mode: where the session stands, what the event means, what state will replace it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from interactions import text
from interactions.contracts import Effect, Reply, Standing, Step
from interactions.sentences import Sentences
from swiggy_instamart import carts, reviews, wording
from swiggy_instamart.machine import On, Phase
from swiggy_instamart.options import Options

# What asks something while shopping, beside the offers and the line that is counted. Each is over with the next decision, if
# that does not keep it: whatever is then said must leave the open question standing, or open another.
ASKING = ("broken_off", "proposed", "unsettled", "lost")


@dataclass(frozen=True, slots=True)
class Happened:
    """An event as the machine knows it, and what else it said."""

    on: On
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Doors:
    """Which mode is open ``here``, which of the plugin's are switched ``on``, and what opens each, also those that are off."""

    here: str = ""
    on: frozenset[str] = frozenset()
    phrases: tuple[tuple[text.Tokens, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """What a decision may look at. ``facts`` are those of the event; nothing here is ever changed in place."""

    standing: Standing
    at: datetime
    options: Options
    names: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    model: bool = False  # a language model may be asked what the rules leave open
    doors: Doors = Doors()

    @property
    def state(self) -> Mapping[str, Any]:
        return self.standing.state

    @property
    def say(self) -> Sentences:
        """The sentences of the language that the person speaks."""
        return wording.of(self.standing.lang)

    @property
    def phase(self) -> Phase:
        return Phase(self.standing.phase)

    @property
    def screen(self) -> bool:
        return bool(self.standing.capabilities.get("screen"))

    @property
    def labels(self) -> list[str]:
        return [row["label"] for row in self.state.get("addresses", ())]

    @property
    def lines(self) -> tuple[carts.Line, ...]:
        """The cart as last read."""
        return carts.load(self.state.get("cart", {}).get("lines", ()))

    @property
    def total(self) -> int | None:
        total: int | None = self.state.get("cart", {}).get("total_paise")
        return total

    @property
    def offers(self) -> list[dict[str, Any]]:
        """What was found and is still to be chosen from, one by one; the first is the open question."""
        return list(self.state.get("offers", ()))

    @property
    def other(self) -> Mapping[str, Any]:
        """The order at another device that this session asks about; empty in a session with an order of its own."""
        return dict(self.state.get("other") or {})

    @property
    def asking(self) -> dict[str, Any]:
        """What a decision passes on that leaves the open question as it is."""
        return {name: self.state.get(name) for name in ASKING}

    @property
    def review(self) -> reviews.Review | None:
        row = self.state.get("review")
        return reviews.load(row) if row else None

    def step(
        self,
        to: Phase,
        *say: Reply,
        effect: Effect | None = None,
        end: str | None = None,
        freeze_s: int | None = None,
        rows: tuple[Any, ...] = (),
        said: str = "",
        **changes: Any,
    ) -> Step:
        """The decision: ``changes`` replace keys of the state. No review survives its phase, nothing ``ASKING`` the step."""
        state = {**self.state, **dict.fromkeys(ASKING), **changes}
        if to is not Phase.REVIEW:
            state["review"] = None
        return Step(to.value, state, say, effect, end=end, freeze_s=freeze_s, rows=rows, said=said)

    def after(self, to: Phase, **changes: Any) -> Turn:
        """The same once these keys of the state have changed: what is open then can be asked in the same breath."""
        return replace(self, standing=replace(self.standing, phase=to.value, state={**self.state, **changes}))

    def stay(self, *say: Reply, said: str = "", rows: tuple[Any, ...] = ()) -> Step:
        """Say something; nothing changes."""
        return Step(say=say, said=said, rows=rows)

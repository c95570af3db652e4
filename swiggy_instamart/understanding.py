"""The last rung of the ladder: what the rules left open is put to a language model, and its choice is held to what was said.

What changes the cart must be named by the person's own words, with their own number and nothing strange around it; else it
becomes a question. Nothing may come from a title. The result is a ``Reading`` like any other, so every guard holds. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from interactions import text
from interactions.contracts import Effect, Json, Outcome, Step
from swiggy_instamart import classifier, groceries, hearing, quantities, questions, shoptalk, speech, utterances, wishes, words
from swiggy_instamart.classifier import FinalReview, Search, Select, SetQuantity, ShowCart, Tool
from swiggy_instamart.machine import On, Phase, Then
from swiggy_instamart.readings import Reading, Said, Wanted
from swiggy_instamart.turn import Happened, Turn
from swiggy_instamart.words import Tokens

Number = tuple[Fraction, str | None]

CONFIRMING = frozenset(text.tokens(phrase)[0] for phrase in words.CONFIRM_PHRASES)
# Asking, changing, taking away. A sentence with other words in it than these and the thing itself may be a story.
KNOWN = (
    frozenset(word for phrase in words.ADD | words.CHANGE | words.REMOVE | words.YES | words.NEUTRAL for word in phrase)
    | frozenset(word for phrase in words.MAKE_IT | words.MAKE_TAILS | words.WRAPPERS for word in phrase)
    | words.DESCRIBING | words.HEADS | words.IGNORABLE | words.ARTICLES | text.FILLERS
    | quantities.WORDS | quantities.UNITS.keys()
)  # fmt: skip
# What names no line and no option, whatever its title.
NAMELESS = words.FUNCTION | words.DESCRIBING | text.FILLERS | quantities.WORDS | quantities.UNITS.keys()


# ---- asking -------------------------------------------------------------------------------------------------------------


def left_open(turn: Turn, spoken: str) -> Happened | None:
    """Whether a model is to be asked what ``spoken`` means. Talk about other things stays in the house, and what sounds like
    the phrase that spends has its answer already.
    """
    said = set(text.tokens(spoken))
    short = len(spoken) <= classifier.LONGEST_SAID and len(text.tokens(spoken)) <= utterances.LONGEST
    if not (turn.model and short and said - text.FILLERS) or said & CONFIRMING or questions.aside(spoken):
        return None
    return Happened(On.LEFT_OPEN, {"text": spoken})


def ask(turn: Turn, to: Phase) -> Step:
    """Nothing else changes while a model is asked: what is open, or reviewed, stays so."""
    spoken = turn.facts["text"]
    payload = {"text": spoken, "phase": turn.phase.value, "shown": classifier.shown(turn, spoken)}
    return replace(turn.stay(said="left open"), effect=Effect("understand", payload))


def not_understood(turn: Turn, payload: Json, outcome: Outcome | None = None) -> Happened | Step:
    """As if no model had been asked."""
    # The turn that is answered here is the one before: it was counted when it was heard.
    heard = replace(turn, standing=replace(turn.standing, turn=turn.standing.turn - 1))
    first = speech.unheard(turn.say, "not_the_phrase") if turn.phase is Phase.REVIEW else None
    return questions.missed(heard, payload["text"], first=first)


# ---- what was chosen ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """``said`` are the words in both their numbers, ``titles`` those of all that a shop wrote and a model was shown."""

    turn: Turn
    tokens: Tokens
    said: frozenset[str]
    titles: frozenset[str]

    @property
    def numbers(self) -> frozenset[Number] | None:
        return _numbers(self.tokens)

    @property
    def plain(self) -> bool:
        return _plain(self.tokens, self.turn.names)

    def strange(self, title: frozenset[str]) -> bool:
        """Whether something else was said than what is said in a shop, and ``title``."""
        called = {word for name in self.turn.names for word in text.tokens(name)}
        return any(not word[:1].isdigit() for word in set(self.tokens) - KNOWN - title - called)

    @property
    def reviewed(self) -> bool:
        return self.turn.phase is Phase.REVIEW


def understood(turn: Turn, payload: Json, result: Json) -> Happened | Step:
    """What a model chose, as far as the words bear it out."""
    spoken = payload["text"]
    if turn.phase.value != payload["phase"] or classifier.shown(turn, spoken) != payload["shown"]:
        return not_understood(turn, payload)  # something moved meanwhile; its numbers mean other things now
    tokens = quantities.split(text.tokens(spoken))
    titles = text.tokens(" ".join((*payload["shown"]["cart"], *payload["shown"]["options"])))
    case = _Case(turn, tokens, _forms(tokens) | _sizes(tokens), frozenset(titles))
    if case.titles & set(result["tool"].split("_")) - case.said:
        return not_understood(turn, payload)  # no product is called so: a title asks for this tool
    tool: Tool = classifier.TOOLS[result["tool"]].model_validate(result["arguments"])
    found = READERS[type(tool)](case, tool)
    if found is None:
        return not_understood(turn, payload)
    return shoptalk.talk(turn, found) if isinstance(found, Reading) else found


def _search(case: _Case, tool: Search) -> Reading | None:
    """What is looked for may be guessed from the words, at a review only taken from them; and never from a title."""
    items: list[Wanted] = []
    for item in tool.items:
        reading = hearing.read(item, names=case.turn.names)
        if reading.said is Said.NOTHING and len(text.tokens(item)) <= wishes.MOST_WORDS:
            items.append(Wanted(text.normalise(item)))
        elif reading.said is Said.WANTED:
            items += [one if _is_said(case, item) else Wanted(one.query) for one in reading.items]
        else:
            return None
    foreign = {word for item in items for word in text.tokens(item.query)} - case.said
    if not items or foreign & case.titles or (case.reviewed and (foreign or not case.plain)):
        return None
    return Reading(Said.WANTED, items=tuple(items))


def _is_said(case: _Case, item: str) -> bool:
    """Whether every number of ``item`` is one that was said."""
    wanted, said = _numbers(quantities.split(text.tokens(item))), case.numbers
    return wanted is not None and said is not None and wanted <= said


def _select(case: _Case, tool: Select) -> Reading | Step | None:
    """Taken where the words name this option and no other; else it is offered alone, and needs its yes."""
    rows, at = classifier.options(case.turn), tool.option - 1
    if case.reviewed or at >= len(rows) or case.said & words.DENIALS:
        return None
    titles = [_naming(f"{row['brand']} {row['name']} {row['size']}") for row in rows]
    first, *rest = case.turn.offers
    counted = case.numbers is not None and _counts(case.numbers) <= {Fraction(first.get("count") or 1)}
    if case.plain and counted and _names(case.said, titles, at) and not case.strange(titles[at]):
        return Reading(Said.SELECT, number=tool.option)
    alone = {**first, "variants": [rows[at]], "packs_of": None}
    question = groceries.offer(case.turn.say, alone)
    return case.turn.step(case.turn.phase, question, offers=[alone, *rest], said="that one?")


def _set_quantity(case: _Case, tool: SetQuantity) -> Reading | Step | None:
    """Set where the words name this line and no other, with this number and no other; with one of the two it is asked for."""
    turn, lines, at = case.turn, case.turn.lines, tool.line - 1
    if at >= len(lines):
        return None
    titles = [_naming(f"{line.name} {line.size} {turn.state.get('called', {}).get(line.spin, '')}") for line in lines]
    named = _names(case.said, titles, at)
    counted = _removes(case) if tool.quantity == 0 else case.plain and _is_counted(case, tool.quantity)
    if named and counted and not case.strange(titles[at]):
        if tool.quantity == 0:
            return Reading(Said.REMOVE, number=tool.line)
        return Reading(Said.QUANTITY, number=tool.quantity, line=tool.line)
    if case.reviewed or turn.offers or not (named or counted):  # there a number would answer what is open
        return None
    return turn.step(turn.phase, groceries.how_many(turn.say, lines[at]), count_for=lines[at].spin, said="how many?")


def _is_counted(case: _Case, quantity: int) -> bool:
    """Whether this number was said and no other. "That one" counts nothing."""
    pointed = quantity == 1 and words.DESCRIBING & quantities.WORDS & set(case.tokens)
    return not pointed and _counts(case.numbers) == {Fraction(quantity)}


def _removes(case: _Case) -> bool:
    """Whether a word that takes away was said, and nothing around it that takes that back."""
    for at in range(len(case.tokens)):
        if verb := wishes.starting(case.tokens, at, words.REMOVE):
            return _plain((*case.tokens[:at], *case.tokens[at + len(verb) :]), case.turn.names)
    return False


def _show_cart(case: _Case, tool: ShowCart) -> Reading:
    return Reading(Said.SHOW_CART)


def _final_review(case: _Case, tool: FinalReview) -> Reading:
    return Reading(Said.COMPLETE)


READERS: Mapping[type[Tool], Callable[[_Case, Any], Reading | Step | None]] = {
    Search: _search,
    Select: _select,
    SetQuantity: _set_quantity,
    ShowCart: _show_cart,
    FinalReview: _final_review,
}
BUILDERS: Mapping[Then, Callable[[Turn, Phase], Step]] = {Then.UNDERSTAND: ask}


# ---- what words bear out --------------------------------------------------------------------------------------------------


def _forms(tokens: Sequence[str]) -> frozenset[str]:
    """Singular and plural are one word."""
    return frozenset(tokens) | {word[:-1] for word in tokens if word.endswith("s")} | {f"{word}s" for word in tokens}


def _sizes(tokens: Tokens) -> frozenset[str]:
    return frozenset(f"{value} {unit}" for value, unit in _numbers(tokens) or () if unit in quantities.MEASURES)


def _plain(tokens: Tokens, names: Sequence[str]) -> bool:
    """Neither a question nor a denial."""
    begins = text.strip_courtesy(text.strip_name(tokens, names))[:1]
    return not set(tokens) & (words.ASKING | words.DENIALS) and not set(begins) & words.QUESTION


def _naming(title: str) -> frozenset[str]:
    """The words of a title that can name it, and its size; a mere number in a sentence names nothing."""
    tokens = quantities.split(text.tokens(title))
    words_of_it = [word for word in tokens if word not in NAMELESS and not any(c.isdigit() for c in word)]
    return _forms(words_of_it) | _sizes(tokens)


def _names(said: frozenset[str], titles: Sequence[frozenset[str]], at: int) -> bool:
    """Whether ``said`` names the title at ``at``, and none of the others as well."""
    hits = [said & title for title in titles]
    return bool(hits[at]) and not any(hits[at] <= other for n, other in enumerate(hits) if n != at)


def _numbers(tokens: Tokens) -> frozenset[Number] | None:
    """Every amount among ``tokens``; None where one can be read in two ways."""
    found: set[Number] = set()
    at = 0
    while at < len(tokens):
        amount = quantities.at(tokens, at)
        if amount is None and quantities.unclear(tokens, at):
            return None
        if amount is None and (alone := quantities.at(tokens, at, article=True)) and alone.unit:
            amount = alone  # "a dozen"
        found |= {(amount.value, None if amount.unit == "packet" else amount.unit)} if amount else set()
        at += amount.used if amount else 1
    return frozenset(found)


def _counts(numbers: frozenset[Number] | None) -> set[Fraction]:
    """Those that count packets."""
    dozens = {value * 12 for value, unit in numbers or () if unit == "dozen"}
    return dozens | {value for value, unit in numbers or () if unit is None}

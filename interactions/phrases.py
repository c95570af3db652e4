"""The phrases that open modes: where each stands, which could never be said, and which could be meant twice. Pure.

A phrase is looked for after names, fillers and courtesies were taken off, so that is how it is judged here. Of two phrases that
are equal, or of which one begins the other, only one could ever be meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from interactions import activation, text, universal
from interactions.configuration import Configuration
from interactions.faults import Fault
from interactions.modes import Mode


@dataclass(frozen=True, slots=True)
class Phrase:
    """``words`` open ``mode`` of ``plugin``; ``place`` is the operator's line, or the author's declaration."""

    words: text.Tokens
    mode: str
    plugin: str
    place: str

    def __str__(self) -> str:
        return f"'{' '.join(self.words)}' of mode '{self.mode}'"


def of(config: Configuration, plugin: str, mode: Mode, *, declared: str) -> list[Phrase]:
    """The declared phrases and the operator's further ones, each once."""
    spoken = [(said, declared) for said in (mode.phrases if isinstance(mode.phrases, tuple) else ())]
    for index, said in enumerate(config.plugins[plugin].phrases.get(mode.key, ())):
        spoken.append((said, config.place(plugin, "plugins.yml", "phrases", mode.key, str(index))))
    found: dict[text.Tokens, Phrase] = {}
    for said, place in spoken:
        words = text.tokens(said)
        found.setdefault(words, Phrase(words, mode.key, plugin, place))
    return [phrase for words, phrase in found.items() if words]


def faults(phrases: Sequence[Phrase], modes: Mapping[str, Mode], names: Iterable[str]) -> Iterator[Fault]:
    names = tuple(names)
    sayable: list[Phrase] = []
    for phrase in phrases:
        why = _unsayable(phrase.words, modes[phrase.mode], names)
        if why:
            yield Fault(phrase.plugin, f"phrase {phrase} can never open it: {why}", phrase.place)
            continue
        spends = _spends(phrase.words, modes, names)
        if spends:
            yield Fault(phrase.plugin, f"phrase {phrase} is what spends in mode '{spends}'; choose other words", phrase.place)
            continue
        for earlier in sayable:
            short = min(len(phrase.words), len(earlier.words))
            if earlier.mode != phrase.mode and phrase.words[:short] == earlier.words[:short]:
                how = "is also a phrase" if phrase.words == earlier.words else "overlaps the phrase"
                text_ = f"phrase {phrase} {how} {earlier} (plugin '{earlier.plugin}', {earlier.place}); change one of them"
                yield Fault(phrase.plugin, text_, phrase.place)
        sayable.append(phrase)


def _unsayable(words: text.Tokens, mode: Mode, names: tuple[str, ...]) -> str:
    """Why what is said in these words is never looked up as a phrase; nothing where it is."""
    left = activation.after_call(words, names, wrong=0)
    taken, said = " ".join(words[: len(words) - len(left)]), " ".join(words)
    meant = universal.word(said, mode, names)
    if not left:
        return "all of it is a name, a filler or a courtesy; choose other words"
    if taken:
        return f"'{taken}' is taken off before a phrase is looked for; write '{' '.join(left)}'"
    if meant is not None:
        return f"it says '{meant}', whatever is open; choose other words"
    return "recognisers write it where nobody spoke, so it is dropped; choose other words" if text.is_invented(said) else ""


def _spends(words: text.Tokens, modes: Mapping[str, Mode], names: tuple[str, ...]) -> str:
    """The mode that spends on these words, if one does: what spends may open nothing, or nobody could say which was meant."""
    said = " ".join(words)
    spending = ((mode, phrase) for mode in modes.values() for effect in mode.effects.values() for phrase in effect.phrases)
    return next((mode.key for mode, phrase in spending if text.is_phrase(said, (phrase,), names)), "")
